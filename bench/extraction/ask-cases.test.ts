import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type ChatServer, startChatServer } from "#test/chat-server";
import { localChat } from "#test/local-chat";
import type { ExtractionCase } from "../../test/corpora/extraction.ts";
import { askCases } from "./ask-cases.ts";
import { foundIn, modelTable } from "./model-table.ts";

const one = (text: string, content?: string): ExtractionCase => ({
  language: "en",
  messages: [{ role: "user", text }],
  expected:
    content === undefined
      ? []
      : [{ category: "preference", type: "preference", content, key: null, people: [], isOfGroup: false, sensitivity: "public" }],
  reason: null,
});
const cases = [
  one("I prefer green tea", "I prefer green tea"),
  one("I love jazz", "I love jazz"),
  one("Do I like rum?"),
  one("Hi"),
];

const memory = (content: string, quote: string, confidence = 0.9) => ({ type: "preference", content, quote, confidence });
const answer = (...memories: unknown[]) => JSON.stringify({ memories, people: [] });

let server: ChatServer;

beforeAll(async () => {
  server = await startChatServer();
});

afterAll(() => server.close());

describe("a model's table", () => {
  it("counts what was expected, found and matched, and what went wrong", async () => {
    server.answer(
      answer(memory("Prefers green tea", "I prefer green tea"), memory("Prefers green tea", "I prefer rum")),
      answer(memory("Loves jazz", "I love jazz", 0.5)),
      answer(memory("Likes rum", "Do I like rum?")),
    );
    const asked = await askCases(localChat(server.url), cases.slice(0, 3), () => undefined);
    server.misbehave("broken json");
    server.answer("x", answer());
    asked.push(...(await askCases(localChat(server.url), cases.slice(3), () => undefined)));
    server.misbehave({ status: 400 });
    asked.push(...(await askCases(localChat(server.url), cases.slice(3), () => undefined)));
    expect(foundIn(asked, 0.7)).toEqual({ cases: 5, expected: 2, found: 1, matched: 1 });
    const table = modelTable("some", asked, 0.7);
    expect(table).toContain("| en | 5 | 2 | 1 | 100.0 % | 50.0 % |");
    expect(table).toContain("Answers that were repaired: 1");
    expect(table).toContain("Statements that were not kept: 2 (not_said 1, not_asserted 1)");
    expect(table).toContain("Requests that failed: 1 (The chat server answered 400. 1)");
  });

  it("stops at once where the configuration is wrong", async () => {
    await expect(askCases(localChat(`${server.origin}/v9`), cases, () => undefined)).rejects.toMatchObject({
      code: "misconfigured",
    });
  });
});
