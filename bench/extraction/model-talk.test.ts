import { expect, it } from "vitest";
import type { Asked } from "./ask-cases.ts";
import { modelTalkTable, scoreAnswers } from "./model-talk.ts";
import { halfOf, type RoundMessage, toCase } from "./talk.ts";
import { talkChecks } from "./talk-checks.ts";

const message = (id: string, text: string, ...facts: string[][]): RoundMessage => ({
  id,
  lang: "en",
  text,
  keep: facts.length > 0,
  facts: facts.map((mustContain) => ({ mustContain })),
});
const talk = [
  message("a-m1", "I moved to Leeds with Kim", ["Leeds"], ["Kim"]),
  message("a-m2", "do I like rum?"),
  message("a-m3", "hi"),
];
const answer = (one: RoundMessage, contents: readonly [string, number][], people: readonly string[] = []): Asked => ({
  one: toCase(one),
  seconds: 1,
  failure: null,
  outcome: {
    kind: "taken",
    memories: contents.map(([content, confidence]) => ({
      ...{ type: "knowledge", content, quote: content, confidence, sensitivity: "public", portable: true },
      ...{ subjects: [], key: null, replaces: [], message: 0 },
    })),
    people: people.map((name) => ({ name, aliases: [], relationship: null, message: 0 })),
    ...{ entities: [], dropped: [], cut: 0, attempts: 1, usage: { inputTokens: 100, outputTokens: 10 } },
  },
});

it("scores facts, memories, messages with nothing to keep, and names that nobody said", () => {
  const [first, second, third] = talk;
  if (first === undefined || second === undefined || third === undefined) throw new Error("three messages");
  const asked = [
    answer(
      first,
      [
        ["Lives in leeds", 0.9],
        ["Is moving", 0.9],
        ["Knows Kim", 0.5],
      ],
      ["Kim", "Bob"],
    ),
    answer(second, [["Likes rum", 0.9]]),
    answer(third, []),
  ];
  expect(scoreAnswers(talk, asked, 0.7)).toEqual({
    ...{ messages: 3, facts: 2, kept: 1, stored: 3, right: 1, nothing: 2, storedFromNothing: 1, inventedNames: 1 },
  });
  const table = modelTalkTable("some", talk, asked, 0.7);
  expect(table).toContain("| en | 3 | 2 | 0.500 | 3 | 0.333 | 1 of 2 | 1 |");
  expect(table).toContain("Tokens a conversation: 100 in, 10 out");
});

it("the checks are measured with the author's own words and with every clause", () => {
  const [first, second] = talk;
  if (first === undefined || second === undefined) throw new Error("two messages");
  const facts = [
    { mustContain: ["Leeds"], says: "Lives in Leeds" },
    { mustContain: ["Kim"], says: "Lives with Kim in Spain" },
  ];
  const table = talkChecks([{ ...first, facts }, second, message("a-m4", "I adore the queue here")]);
  expect(table).toMatch(/\| en +\| 2 +\| 1 +\| 2 +\| 1 +\|/);
});

it("halves are by the number at the end of an id", () => {
  expect(["one-m001", "one-m002", "x"].map(halfOf)).toEqual(["odd", "even", "even"]);
});
