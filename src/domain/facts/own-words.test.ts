import { expect, it } from "vitest";
import { FITTED } from "#corpora/facts-statements";
import { readLists } from "./read-lists.ts";
import { mayHaveLists } from "./said-facts.ts";
import { createTopicIndex } from "./topics.ts";

it("lets no list pass by", () => {
  const topicIndex = createTopicIndex([]);
  const texts = Object.values(FITTED).flatMap(({ read, notRead }) => [...Object.keys(read), ...notRead]);
  const lists = texts.filter((text) => readLists(text, topicIndex).length > 0);
  expect(lists.length).toBeGreaterThan(100);
  expect(lists.filter((text) => !mayHaveLists(text))).toEqual([]);
});

it.each([
  "the otter swims under the old stone bridge at dawn 12",
  "Tell me about the otter, please.",
  "1) Open the file, 2) read it, 3) close it",
  "And the third?",
])("finds none in %j", (text) => {
  expect(mayHaveLists(text)).toBe(false);
});
