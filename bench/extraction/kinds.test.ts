import { readFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { isKept, typedResult } from "./plain.ts";
import { statementsOf } from "./stored.ts";

const DAY_MS = 86_400_000;
const AT = Date.now();

/** What is stored of a message now: the type, and days until it ends. */
function storedOf(text: string) {
  return statementsOf(text, AT).flatMap(({ type, content, expiresAt, reason }) => {
    const days = expiresAt === null ? null : Math.round((Date.parse(expiresAt) - AT) / DAY_MS);
    return reason === null ? [{ type, content, days }] : [];
  });
}

describe("the types of memories, by their examples", () => {
  it.each([
    ["I prefer dark mode", "preference", null],
    ["My favorite color is blue", "preference", null],
    ["I work as a software engineer", "identity", null],
    ["I live in SF", "identity", null],
    ["Sarah is my wife", "relationship", null],
    ["I have a dog named Max", "relationship", null],
    ["Project X uses Python", "knowledge", null],
    ["Our company uses Slack", "knowledge", null],
    ["I'm working on project X", "context", 7],
    ["I had dinner with Sarah Tuesday", "event", 30],
    ["I need to call the dentist", "task", 14],
    ["I'm tired", "observation", 3],
    ["I'm tired today", "observation", 3],
    ["Remember that I need to call the dentist", "task", 14],
    ["Remember that the spare key is under the pot", "knowledge", null],
    ["Remember that I prefer dark mode", "preference", null],
    ["Remember that my sister is called Anna", "relationship", null],
  ] as const)("“%s” is %s, and ends in %s days", (text, type, days) => {
    expect(storedOf(text)).toMatchObject([{ type, days }]);
  });

  it.each(["I went with Hono", "I went with Hono for the API."])("“%s” happened once, and is not kept for ever", (text) => {
    const [made] = storedOf(text);
    expect(made).toMatchObject({ type: "event" });
    expect(made?.days).not.toBeNull();
  });

  it.each(["I finished my degree in 2019", "I moved to Porto last week"])("“%s” is true for good", (text) => {
    expect(storedOf(text)).toMatchObject([{ type: "identity", days: null }]);
  });

  it("a day ahead that is named is waited for", () => {
    const named = new Date(AT + 100 * DAY_MS);
    const month = named.toLocaleString("en", { month: "long", timeZone: "UTC" });
    const [made] = storedOf(`My exam is on ${named.getUTCDate()} ${month}.`);
    expect(made).toMatchObject({ type: "event" });
    expect(made?.days).toBeGreaterThanOrEqual(129);
    expect(made?.days).toBeLessThanOrEqual(131);
  });
});

describe("what is true for good is no memory with what is of the moment", () => {
  it.each([
    "My sister Anna is a nurse in Leeds. I'm working on the tax return this week.",
    "I'm working on the tax return this week. My sister Anna is a nurse in Leeds.",
  ])("“%s”", (text) => {
    const stored = storedOf(text);
    expect(stored.find(({ content }) => content.includes("Anna"))).toMatchObject({ type: "relationship", days: null });
    expect(stored.find(({ content }) => content.includes("tax"))).toMatchObject({ type: "context", days: 7 });
    expect(stored.some(({ content }) => content.includes("Anna") && content.includes("tax"))).toBe(false);
  });
});

function linesOf<T>(file: string): T[] {
  const lines = readFileSync(path.join(import.meta.dirname, "../../test/corpora/plain", file), "utf8");
  return lines
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line) as T);
}

describe("plain sentences", () => {
  type Typed = Parameters<typeof typedResult>[0];

  it("get their type, nine in ten, and none of the ephemeral ones is kept for ever", () => {
    const results = linesOf<Typed>("types.jsonl").map((each) => typedResult(each, statementsOf(each.text)));
    const right = results.filter(({ type, stored }) => type === stored).length;
    expect(right / results.length).toBeGreaterThanOrEqual(0.9);
    const ephemeral = new Set(["context", "event", "task", "observation"]);
    expect(results.filter(({ type, isEndless }) => ephemeral.has(type) && isEndless)).toEqual([]);
  });

  it("are kept when somebody says them first, also before a question to the assistant", () => {
    const first = linesOf<Parameters<typeof isKept>[0]>("first.jsonl");
    const kept = first.filter((each) => isKept(each, statementsOf(each.text)));
    expect(kept.length / first.length).toBeGreaterThanOrEqual(0.95);
    for (const text of ["Hi, my name is Jeremy, what is yours?", "I love Chinese food.", "I can't stand mushrooms."])
      expect(kept.map((each) => each.text)).toContain(text);
  });

  it.each(["I'm bored. entertain me", "I'm Batman lol", "can i freeze hummus", "My favourite is the second one, translate it"])(
    "“%s” is not one",
    (text) => expect(storedOf(text)).toEqual([]),
  );
});
