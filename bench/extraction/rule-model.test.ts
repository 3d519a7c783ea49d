import { afterAll, beforeAll, expect, it } from "vitest";
import { type ChatServer, startChatServer } from "#test/chat-server";
import { localChat } from "#test/local-chat";
import { FITTED } from "../../test/corpora/extraction.ts";
import { askCases } from "./ask-cases.ts";
import { answerByRules } from "./rule-model.ts";

const EACH = 4;

let server: ChatServer;

beforeAll(async () => {
  server = await startChatServer({ answering: answerByRules });
});

afterAll(() => server.close());

it("a model that says what the rules say loses nothing on the way: its words were all said", async () => {
  const cases = FITTED.filter((_, index) => index % EACH === 0);
  const asked = await askCases(localChat(server.url), cases, () => undefined);
  const lost = asked.flatMap(({ one, outcome }) =>
    outcome?.kind === "taken" && outcome.dropped.length === 0 ? [] : [{ said: one.messages.map(({ text }) => text), outcome }],
  );
  expect(lost).toEqual([]);
  expect(asked.reduce((sum, { outcome }) => sum + (outcome?.kind === "taken" ? outcome.memories.length : 0), 0)).toBeGreaterThan(
    50,
  );
});
