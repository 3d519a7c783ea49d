import { describe, expect, it } from "vitest";
import { parseChats } from "./chats.ts";

const message = (id: number, at: string | null) => ({ id, role: id % 2 === 0 ? "user" : "assistant", text: `text ${id}`, at });
const file = JSON.stringify([
  {
    id: "made-up",
    messages: [message(0, "2024-03-15"), message(1, null), message(2, "2024-04-05")],
    questions: [
      { category: "knowledge_update", question: "What?", evidence: [2, 0, 2, 99] },
      { category: "abstention", question: "Why?", evidence: [] },
    ],
  },
]);

describe("parseChats", () => {
  it("makes a session of each day, in the order of the messages", () => {
    const [chat] = parseChats(file);
    expect(chat?.sessions.map((session) => session.map(({ id, occurredAt }) => [id, occurredAt.toISOString()]))).toEqual([
      [
        ["0", "2024-03-15T06:00:00.000Z"],
        ["1", "2024-03-15T06:01:00.000Z"],
      ],
      [["2", "2024-04-05T06:00:00.000Z"]],
    ]);
  });

  it("moves all days so that the last message is of the day that is given", () => {
    const [chat] = parseChats(file, new Date("2026-01-31T17:00:00Z"));
    expect(chat?.sessions.map(([first]) => first?.occurredAt.toISOString())).toEqual([
      "2026-01-10T06:00:00.000Z",
      "2026-01-31T06:00:00.000Z",
    ]);
  });

  it("keeps the questions whose evidence is there, each message once", () => {
    expect(parseChats(file)[0]?.questions).toEqual([{ category: "knowledge_update", text: "What?", evidence: ["2", "0"] }]);
  });
});
