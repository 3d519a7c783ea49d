import { expect, it } from "vitest";
import { coordinatedPairs } from "#corpora/coordinated/cases";
import { createHarness } from "#test/harness";
import { scoreUpdate, type UpdatePair } from "#test/score-update";
import { append } from "./requests.ts";

/** `npm run bench:updates` runs two thousand, with how many are told as current beside. */
const CASES = 150;
const SEED = 1;
/** So many share a tenant, and a time limit. */
const AT_ONCE = 15;
/** The most of which what was replaced may be unmarked or first: the test must not hold because nothing is ever replaced. */
const MOST_UNMARKED = 0.5 * AT_ONCE;
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

const PAIRS = [...BY_HAND, ...coordinatedPairs(CASES - BY_HAND.length, SEED)];
const parts = Array.from(
  { length: CASES / AT_ONCE },
  (_, part) => [part, PAIRS.slice(part * AT_ONCE, (part + 1) * AT_ONCE)] as const,
);

it.each(parts)("an update takes only what it replaces (%i)", async (_, pairs) => {
  const h = await createHarness({ replace: () => ({ log: () => undefined }) });
  for (const [said, daysAgo] of [
    ["first", 30],
    ["later", 1],
  ] as const) {
    const occurredAt = new Date(Date.now() - daysAgo * DAY_MS).toISOString();
    for (const [i, pair] of pairs.entries())
      await append(h, `${i}-${said}`, { userId: `u${i}`, messages: [{ role: "user", content: pair[said], occurredAt }] });
    await h.settle();
  }
  const ask = async (path: string, body: object) => (await h.fetch("POST", path, { body })).json;
  const missing: string[] = [];
  const unmarked: string[] = [];
  for (const [i, pair] of pairs.entries()) {
    const score = await scoreUpdate(ask, { userId: `u${i}`, laterSession: `${i}-later`, pair });
    missing.push(...score.missing.map((where) => `${where} of ${pair.first} / ${pair.later}`));
    if (score.toldAsCurrent.length > 0) unmarked.push(`${pair.first} / ${pair.later}`);
  }
  expect(missing).toEqual([]);
  expect(unmarked.slice(0, MOST_UNMARKED)).toEqual(unmarked);
});
