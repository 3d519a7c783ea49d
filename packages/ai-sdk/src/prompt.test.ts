import { describe, expect, it } from "vitest";
import { exchangeOf, type PromptMessage, turnKeyOf, turnsOf } from "./prompt.ts";

const text = (words: string) => ({ type: "text", text: words });
const user = (...parts: object[]): PromptMessage => ({ role: "user", content: parts });
const assistant = (...parts: object[]): PromptMessage => ({ role: "assistant", content: parts });
const system: PromptMessage = { role: "system", content: "Be brief." };
const call = { type: "tool-call", toolCallId: "1", toolName: "look", input: {} };
const result: PromptMessage = { role: "tool", content: [{ type: "tool-result", toolCallId: "1", output: text("calm") }] };
const image = { type: "file", mediaType: "image/png", data: new Uint8Array(3) };

const contents = async (prompt: PromptMessage[], reply: string) =>
  (await exchangeOf(prompt, reply)).map(({ role, content }) => `${role}: ${content}`);

describe("exchangeOf", () => {
  it("has what the user said since the last reply, and the reply", async () => {
    const prompt = [system, user(text("One")), assistant(text("1")), user(text("Two"), image, text("three"))];
    expect(await contents([...prompt, user(text("Four"))], " 4 ")).toEqual(["user: Two\nthree", "user: Four", "assistant: 4"]);
  });

  it("does not take a step of a tool loop for a reply", async () => {
    const steps = [assistant(text("Let me look."), call), result];
    expect(await contents([user(text("How is the sea?")), ...steps], "Calm.")).toEqual([
      "user: How is the sea?",
      "assistant: Calm.",
    ]);
  });

  it("takes a message whose tools the provider ran for a reply", async () => {
    const reply = assistant({ ...call, providerExecuted: true }, text("Calm."));
    expect(await contents([user(text("How is the sea?")), reply, user(text("Good"))], "Yes")).toEqual([
      "user: Good",
      "assistant: Yes",
    ]);
  });

  it("does not take the beginning of a reply for one", async () => {
    expect(await contents([user(text("A list, please")), assistant(text("1."))], " Tea")).toEqual([
      "user: A list, please",
      "assistant: Tea",
    ]);
  });

  it("leaves out messages without words, and reasoning before a reply", async () => {
    expect(await contents([user(image), user(text(" "))], "<think>A picture.</think>\nA cat.")).toEqual(["assistant: A cat."]);
    expect(await contents([user(text("Hello"))], "<think>Who")).toEqual(["user: Hello"]);
  });

  it("cuts a long message to what the service takes, at no half of a character", async () => {
    const [said] = await exchangeOf([user(text(`${"a".repeat(63_999)}🦊`))], "");
    expect([said?.content.length, said?.content.isWellFormed()]).toEqual([64_000, true]);
  });

  it("gives a message the same id whenever it is sent, and another after other words", async () => {
    const idsOf = async (prompt: PromptMessage[], reply: string) =>
      (await exchangeOf(prompt, reply)).map((said) => said.messageId);
    const [asked, replied] = await idsOf([user(text("Tea?"))], "Yes");
    expect(await idsOf([system, user(text("Tea?"))], "Yes")).toEqual([asked, replied]);
    expect((await idsOf([user(text("Tea?"))], "No"))[0]).toBe(asked);
    expect((await idsOf([user(text("Tea?"))], "No"))[1]).not.toBe(replied);
    const again = await idsOf([user(text("Tea?")), assistant(text("Yes")), user(text("Tea?"))], "Yes");
    expect(new Set([asked, replied, ...again]).size).toBe(4);
    expect(asked).toMatch(/^chat-[0-9a-f]{40}$/);
  });
});

describe("turnKeyOf", () => {
  it("is the same in every step of a turn, and another in any other conversation", async () => {
    const asked = [system, user(text("How is the sea?"))];
    const key = await turnKeyOf(asked);
    expect(await turnKeyOf([...asked, assistant(call), result])).toBe(key);
    const others = [
      [user(text("How is the sea?"))],
      [system, user(text("How is the lake?"))],
      [system, user(text("How is the sea?"), image)],
      [...asked, assistant(text("Calm.")), user(text("How is the sea?"))],
    ];
    const keys = await Promise.all(others.map(turnKeyOf));
    expect(new Set([key, ...keys]).size).toBe(5);
  });

  it("is nothing where the user has said nothing", async () => {
    expect(await turnKeyOf([system])).toBeNull();
  });
});

describe("turnsOf", () => {
  it("is the conversation without results of tools and messages without words", () => {
    expect(turnsOf([system, user(image), user(text("Sea?")), assistant(call), result, assistant(text("Calm."))])).toEqual([
      { role: "system", content: "Be brief." },
      { role: "user", content: "Sea?" },
      { role: "assistant", content: "Calm." },
    ]);
  });

  it("is the end of what is too long for one request", () => {
    const long = turnsOf([user(text("first")), user(text("a".repeat(150_000))), user(text(`${"b".repeat(99_999)}c`))]);
    expect(long.map(({ content }) => content.length)).toEqual([100_000, 100_000]);
    expect(long.at(-1)?.content.endsWith("bc")).toBe(true);
    const many = turnsOf(Array.from({ length: 3_000 }, (_, i) => user(text(`${i}`))));
    expect([many.length, many[0]?.content, many.at(-1)?.content]).toEqual([2_000, "1000", "2999"]);
  });
});
