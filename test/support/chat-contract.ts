import { describe, expect, it } from "vitest";
import type { ChatModel, ChatRequest } from "#ports/chat-model";
import type { ChatAnswer, ChatBody } from "#test/chat-answers";

const request: ChatRequest = {
  messages: [
    { role: "system", content: "Answer briefly." },
    { role: "user", content: "What is the capital of Peru?" },
  ],
  maxTokens: 1_000,
};
const schema = {
  name: "answer",
  schema: { type: "object", properties: { city: { type: "string" } }, required: ["city"], additionalProperties: false },
};

/** A model whose answers the test defines; `asked` returns the requests that it received, in the form of OpenAI's API. */
export type ChatUnderTest = { model: ChatModel; asked: () => ChatBody[] };

/** The contract of every chat model. `create` makes one that is answered by `answer`. */
export function chatContract(name: string, create: (answer: (body: ChatBody) => ChatAnswer | string) => ChatUnderTest): void {
  describe(`chat model: ${name}`, () => {
    const replyTo = (answer: ChatAnswer | string, asked: ChatRequest = request) => create(() => answer).model.complete(asked);

    it("hands the messages over as they are, and the text back", async () => {
      const { model, asked } = create(() => "  Lima, naturally.\n");
      const usage = { inputTokens: expect.any(Number), outputTokens: expect.any(Number) };
      expect(await model.complete(request)).toEqual({ kind: "text", text: "  Lima, naturally.\n", usage });
      expect(asked()[0]?.messages).toEqual(request.messages);
    });

    it("returns what the model counted", async () => {
      const usage = { prompt_tokens: 31, completion_tokens: 7 };
      expect(await replyTo({ content: "Lima", usage })).toMatchObject({ usage: { inputTokens: 31, outputTokens: 7 } });
    });

    it("always sends a limit, and says when it was reached", async () => {
      const long = "so many words ".repeat(2_000);
      const { model, asked } = create(() => long);
      expect(await model.complete({ ...request, maxTokens: 300 })).toMatchObject({ kind: "cut", usage: { outputTokens: 300 } });
      expect(asked()[0]?.max_tokens ?? asked()[0]?.max_completion_tokens).toBe(300);
      expect(await replyTo("just enough ".repeat(200))).toMatchObject({ kind: "text" });
    });

    it("asks for JSON by a schema, and hands the JSON over as text", async () => {
      const { model, asked } = create(() => '{"city":"Lima"}');
      const reply = await model.complete({ ...request, schema });
      expect(reply).toMatchObject({ kind: "text" });
      expect(JSON.parse(reply.kind === "text" ? reply.text : "")).toEqual({ city: "Lima" });
      expect(JSON.stringify(asked()[0]?.response_format)).toContain('"required":["city"]');
    });

    it("hands over what is no JSON, though JSON was asked for", async () => {
      expect(await replyTo("Lima, I think", { ...request, schema })).toMatchObject({ kind: "text", text: "Lima, I think" });
    });

    it.each([{ content: "" }, { content: null }, { content: " \n" }])("is silent when nothing is said: %j", async (answer) => {
      expect(await replyTo(answer)).toMatchObject({ kind: "silent", reasoned: false });
    });

    it.each([
      { content: "", reasoning: "Peru, hmm." },
      { content: "<think>Peru, hmm.</think>\n" },
      { content: "<think>Peru, hmm, and so on" },
    ])("is silent when it only reasoned: %j", async (answer) => {
      expect(await replyTo(answer)).toMatchObject({ kind: "silent", reasoned: true });
    });

    it("leaves thoughts out of the text", async () => {
      expect(await replyTo({ content: "<think>Peru?</think>\nLima", reasoning: "x" })).toMatchObject({ text: "\nLima" });
    });

    it("never shows what was sent in what it throws", async () => {
      const { model } = create(() => {
        throw new Error("answering failed: What is the capital of Peru?");
      });
      const error = await model.complete(request).catch((thrown: unknown) => thrown);
      expect(error).toMatchObject({ code: "upstream_failed" });
      expect(JSON.stringify(error, Object.getOwnPropertyNames(error))).not.toContain("Peru");
    });
  });
}
