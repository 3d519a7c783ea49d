import { expect, it } from "vitest";
import { lastOfKeys } from "./ingest-drafts.ts";

const of = { nameOf: ({ key }: { key: string | null }) => key, atOf: ({ at }: { at: number }) => at };

it("keeps the last value of each key, in the order of the conversation, and all values without a key", () => {
  const items = [
    { key: "home", at: 1, value: "Rome" },
    { key: null, at: 1, value: "tea" },
    { key: "home", at: 3, value: "Oslo" },
    { key: "home", at: 2, value: "Bonn" },
    { key: "name", at: 1, value: "Ann" },
    { key: "name", at: 1, value: "Anna" },
    { key: null, at: 1, value: "tea" },
  ];
  expect(lastOfKeys(items, of).map(({ value }) => value)).toEqual(["tea", "Oslo", "Anna", "tea"]);
});
