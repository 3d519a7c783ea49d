import { expect, it } from "vitest";
import { coordinatedPairs } from "#corpora/coordinated/cases";
import { createHarness } from "#test/harness";
import { scoreUpdate, type UpdatePair } from "#test/score-update";
import { append } from "./requests.ts";

/** `npm run bench:updates` runs two thousand. */
const CASES = 40;
const SEED = 1;
const DAY_MS = 86_400_000;

const BY_HAND: readonly UpdatePair[] = [
  {
    first: "I'm vegetarian and allergic to nuts.",
    later: "I'm not vegetarian any more",
    stays: ["allergic to nuts"],
    replaced: ["vegetarian"],
  },
  {
    first: "I'm vegetarian and have coeliac disease.",
    later: "I'm not vegetarian any more",
    stays: ["coeliac"],
    replaced: ["vegetarian"],
  },
  {
    first: "I live in Ghent with my asthmatic son.",
    later: "I moved to Lyon last month",
    stays: ["asthmatic"],
    replaced: ["Ghent"],
  },
];

it("an update takes only what it replaces", async () => {
  const h = await createHarness({ replace: () => ({ log: () => undefined }) });
  const pairs = [...BY_HAND, ...coordinatedPairs(CASES, SEED)];
  for (const [said, daysAgo] of [["first", 30], ["later", 1]] as const) {
    const occurredAt = new Date(Date.now() - daysAgo * DAY_MS).toISOString();
    for (const [i, pair] of pairs.entries())
      await append(h, `${i}-${said}`, { userId: `u${i}`, messages: [{ role: "user", content: pair[said], occurredAt }] });
    await h.settle();
  }
  const ask = async (path: string, body: object) => (await h.fetch("POST", path, { body })).json;
  const missing: string[] = [];
  const toldAsCurrent: string[] = [];
  for (const [i, pair] of pairs.entries()) {
    const score = await scoreUpdate(ask, { userId: `u${i}`, laterSession: `${i}-later`, pair });
    const told = `${pair.first} / ${pair.later}`;
    missing.push(...score.missing.map((where) => `${where} of ${told}`));
    toldAsCurrent.push(...score.toldAsCurrent.map((where) => `${where} of ${told}`));
  }
  expect(missing).toEqual([]);
  // The check above must not hold because nothing is ever replaced.
  expect(toldAsCurrent.slice(0, 0.1 * pairs.length)).toEqual(toldAsCurrent);
});
