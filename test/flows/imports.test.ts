import { beforeAll, describe, expect, it } from "vitest";
import type { ImportPartView, ImportView } from "#domain/imports";
import { createHarness, type Harness } from "#test/harness";
import { chatGptConversation, claudeConversation, nodeOf, part, start } from "./import-requests.ts";
import { find, history, type Problem, rows, textsOf } from "./requests.ts";

let h: Harness;
beforeAll(async () => {
  h = await createHarness();
});

const said = async (session: string) =>
  (await history(h, session)).json.items.map(({ messages }) => messages.map(({ role, content }) => `${role}: ${content}`));

describe("an import", () => {
  it("stores conversations as private sessions with their titles and times, and finds them at once", async () => {
    const id = await start(h, { sha: "1" });
    const { status, json } = await part(h, id, [chatGptConversation("graz", ["Where is the Uhrturm?", "On the Schlossberg."])]);
    expect([status, json.items]).toEqual([
      200,
      [
        {
          ...{ position: 0, title: "About graz", sessionId: "chatgpt:graz", outcome: "stored" },
          ...{ messages: 2, messagesKnown: 0, reason: null, notes: [] },
        },
      ],
    ]);
    expect(await said("chatgpt:graz")).toEqual([["user: Where is the Uhrturm?", "assistant: On the Schlossberg."]]);
    const { json: session } = await h.fetch("GET", "/v1/sessions/chatgpt%3Agraz");
    expect(session).toMatchObject({ kind: "private", title: "About graz", lastAt: "2025-03-01T09:00:01.500Z" });
    expect(textsOf(await find(h, "Uhrturm"))).toContain("Where is the Uhrturm?");
    await h.settle();
    const [episode] = await rows(
      "select vector_model, extracted from episodes e join sessions s on s.id = e.session_id where s.external_id = 'chatgpt:graz'",
    );
    expect(episode).toEqual({ vector_model: expect.any(String), extracted: "rules" });
  });
});
