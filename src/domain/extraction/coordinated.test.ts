import { expect, it } from "vitest";
import { saysOneThing } from "#core/language/one-thing";
import { coordinatedPairs } from "#corpora/coordinated/cases";
import { takeStatements } from "./take-statements.ts";

const PAIRS = coordinatedPairs(2_000, 1);

it("of two thousand sentences that say several things, none counts as saying one, so that its passage stays", () => {
  expect(PAIRS.map(({ first }) => first).filter((first) => saysOneThing(first))).toEqual([]);
});

it("and no statement with a key says anything that the key's next value does not replace", () => {
  const lost = PAIRS.flatMap(({ first, stays, replaced }) =>
    takeStatements([{ role: "user", text: first }]).flatMap(({ key, content }) => {
      const says = [...stays, ...replaced].filter((needle) => content.toLowerCase().includes(needle.toLowerCase()));
      return key !== null && says.length > 1 ? [`${key}: ${content}`] : [];
    }),
  );
  expect([...new Set(lost)]).toEqual([]);
});
