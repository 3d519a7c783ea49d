import { describe, expect, it } from "vitest";
import { FENCE_CLOSE, FENCE_OPEN } from "#core/text/memory-fence";
import { repeated } from "#test/hostile-inputs";
import { growthOf, MAX_LINEAR_GROWTH } from "#test/text-work";
import { oneLine } from "./one-line.ts";
import { latestTexts, queryOf, shortened, textOf } from "./read-turns.ts";
import { createDuplicateCheck } from "./write-block.ts";

const user = (content: unknown) => ({ role: "user", content });
const assistant = (content: unknown) => ({ role: "assistant", content });

describe("the words of a message", () => {
  it.each([
    ["a text", user(" hello "), "hello"],
    [
      "parts",
      user([
        { type: "text", text: "one" },
        { type: "image_url", image_url: {} },
        { type: "text", text: "two" },
      ]),
      "one\ntwo",
    ],
    ["texts in a list", user(["one", "two"]), "one\ntwo"],
    ["no content", { role: "assistant", tool_calls: [] }, ""],
    ["null", assistant(null), ""],
    ["numbers and broken parts", user([1, null, { text: 2 }, {}]), ""],
    ["memory that was put into it", user(`${FENCE_OPEN}\n[M1] likes tea\n${FENCE_CLOSE}\nWhat now?`), "What now?"],
  ])("%s", (_, turn, text) => expect(textOf(turn)).toBe(text));
});

describe("what is looked for is the last user message", () => {
  const before = [user("Tell me about Lisbon in spring"), assistant("It is warm and full of flowers.")];

  it.each([
    "And in winter?",
    "What about Porto?",
    "Does she like it?",
    "Why?",
    "How much is that?",
    "und im Winter?",
    "Et en hiver ?",
    "¿Y en invierno?",
    "那冬天呢?",
    "Can they?",
    "Could you?",
    "Which one?",
  ])("with the one before, if it goes on from that: %s", (text) => {
    expect(queryOf([...before, user(text)])).toBe(`Tell me about Lisbon in spring\n${text}`);
  });

  it.each([
    "What is my favourite colour?",
    "Who is Bob?",
    "Plan a birthday dinner for eight people that Bob would enjoy, and tell me why it fits him",
    "Where do I live?",
  ])("and alone, if it says itself what it is about: %s", (text) => expect(queryOf([...before, user(text)])).toBe(text));

  it("also when the assistant or a tool spoke last, and never what they said", () => {
    expect(queryOf([user("Where is the key?"), assistant("I look."), { role: "tool", content: "drawer" }])).toBe(
      "Where is the key?",
    );
    expect(queryOf([{ role: "system", content: "Be brief." }, assistant("Hello")])).toBe("");
    expect(queryOf([])).toBe("");
  });

  it("passing over messages without words", () => {
    expect(queryOf([user("Where is the key?"), user([{ type: "image_url" }])])).toBe("Where is the key?");
  });
});

describe("what the model reads anyway", () => {
  it("is what the messages say, the latest first", () => {
    expect(latestTexts([user("one"), assistant(null), assistant("two")])).toEqual(["two", "", "one"]);
  });

  it("up to a length", () => {
    const texts = latestTexts([user("first"), user("a".repeat(150_000)), user("b".repeat(150_000))]);
    expect(texts.map((text) => text.length)).toEqual([150_000, 50_000]);
  });
});

it("a conversation of any length and of any shape is read with work in proportion to its length", () => {
  const read = (run: string) => {
    const messages = [user(`${run}x`), user(`x${run}`), assistant(`x${run}x`)];
    createDuplicateCheck(latestTexts(messages));
    queryOf(messages);
    oneLine(`x${run}x`);
  };
  for (const piece of [".", " ", "\n", "<", "[M", "< ", "]", "-", "“", "<edgewise-memory"])
    expect(growthOf(read, repeated(piece), 30_000), piece).toBeLessThanOrEqual(MAX_LINEAR_GROWTH);
});

it("of a long query the beginning and the end are looked for", () => {
  const long = `begin ${"x".repeat(50_000)} end`;
  expect(shortened("x".repeat(4_000))).toHaveLength(4_000);
  expect(shortened(long).length).toBeLessThanOrEqual(4_001);
  expect(shortened(long)).toMatch(/^begin x+\nx+ end$/);
  expect(shortened(`x${"😀".repeat(3_000)}`).isWellFormed()).toBe(true);
});
