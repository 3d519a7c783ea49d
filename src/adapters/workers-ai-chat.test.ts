import { describe, expect, it } from "vitest";
import type { ChatRequest } from "#ports/chat-model";
import { type Answering, type ChatBody, echo } from "#test/chat-answers";
import { chatContract } from "#test/chat-contract";
import { type AiMisbehaviour, aiError, SimulatedWorkersAi } from "#test/simulated-workers-ai";
import { createWorkersAiChat, type WorkersAiChatOptions } from "./workers-ai-chat.ts";

const LLAMA = "@cf/meta/llama-3.3-70b-instruct-fp8-fast";
const GEMMA = "@cf/google/gemma-4-26b-a4b-it";
const secret = "words that nobody may read";
const request: ChatRequest = { messages: [{ role: "user", content: secret }], maxTokens: 500 };
const schema = { name: "answer", schema: { type: "object", properties: { a: { type: "string" } }, required: ["a"] } };

function chatOf(options: Partial<WorkersAiChatOptions> = {}, misbehaviours: AiMisbehaviour[] = [], answering: Answering = echo) {
  const ai = new SimulatedWorkersAi(misbehaviours, answering);
  const model = createWorkersAiChat({ ai, model: LLAMA, pause: async () => {}, ...options });
  return { ai, model, asked: () => ai.calls.map(({ inputs }) => inputs as ChatBody) };
}

for (const model of [LLAMA, GEMMA, "@cf/newcomer/model-of-the-old-form", "@cf/meta/llama-of-the-new-form"])
  chatContract(`Workers AI, ${model}`, (answer) => chatOf({ model }, [], answer));

describe("Workers AI chat", () => {
  it("asks each family in its own form, and never without a limit", async () => {
    const inputsOf = async (model: string) => {
      const { asked, model: chat } = chatOf({ model });
      await chat.complete({ ...request, schema });
      return asked();
    };
    const common = { messages: request.messages, max_tokens: 500, temperature: 0 };
    expect(await inputsOf(LLAMA)).toEqual([{ ...common, response_format: { type: "json_schema", json_schema: schema.schema } }]);
    const named = { type: "json_schema", json_schema: { ...schema, strict: true } };
    expect(await inputsOf(GEMMA)).toEqual([{ ...common, max_completion_tokens: 500, response_format: named }]);
  });

  it.each(["@cf/newcomer/model-of-the-old-form", "@cf/meta/llama-of-the-new-form"])(
    "finds the form of %s, and keeps to it",
    async (model) => {
      const { ai, model: chat } = chatOf({ model });
      expect(await chat.complete({ ...request, schema })).toMatchObject({ kind: "text" });
      await chat.complete({ ...request, schema });
      expect(ai.calls.length).toBeGreaterThanOrEqual(2);
      expect(ai.calls.length).toBeLessThanOrEqual(3);
    },
  );

  it("reads a reply by what it is, not by what was asked for", async () => {
    const usage = { prompt_tokens: 3, completion_tokens: 2, total_tokens: 5 };
    const completion = { choices: [{ message: { content: "Lima" }, finish_reason: "stop" }], usage };
    expect(await chatOf({}, [{ reply: completion }]).model.complete(request)).toMatchObject({ kind: "text", text: "Lima" });
    const legacy = { response: { city: "Lima" }, usage };
    expect(await chatOf({ model: GEMMA }, [{ reply: legacy }]).model.complete(request)).toEqual({
      kind: "text",
      text: '{"city":"Lima"}',
      usage: { inputTokens: 3, outputTokens: 2 },
    });
  });

  it("asks once without a schema where JSON mode cannot be met", async () => {
    const { ai, model, asked } = chatOf({}, [aiError(5024, "JSON Mode couldn't be met")]);
    expect(await model.complete({ ...request, schema })).toMatchObject({ kind: "text" });
    expect(asked().map(({ response_format }) => response_format !== undefined)).toEqual([true, false]);
    const unmet = Array<Error>(3).fill(aiError(5024, "JSON Mode couldn't be met"));
    await expect(chatOf({}, unmet).model.complete({ ...request, schema })).rejects.toMatchObject({
      code: "upstream_failed",
      message: expect.stringContaining("could not answer in the form"),
    });
    expect(ai.calls).toHaveLength(2);
  });

  it.each([aiError(3040, "Capacity temporarily exceeded"), aiError(3043, "Internal"), new Error("Network connection lost.")])(
    "tries again after: %s",
    async (error) => {
      const { ai, model } = chatOf({}, [error, error]);
      expect(await model.complete(request)).toMatchObject({ kind: "text" });
      expect(ai.calls).toHaveLength(3);
    },
  );

  it.each([
    [3036, "upstream_failed", 1],
    [3006, "upstream_failed", 1],
    [3007, "upstream_failed", 1],
    [3008, "upstream_failed", 1],
    [5007, "misconfigured", 1],
    [5035, "misconfigured", 1],
    [5016, "misconfigured", 1],
    [5004, "upstream_failed", 2],
    [3003, "upstream_failed", 2],
    [3040, "upstream_failed", 3],
  ])("tells %i as %s after %i calls, and tells no text", async (number, code, calls) => {
    const { ai, model } = chatOf({}, Array<Error>(4).fill(aiError(number, `refused: ${secret}`)));
    const error = await model.complete({ ...request, schema }).catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ name: "AppError", code, message: expect.stringContaining(String(number)) });
    expect(JSON.stringify(error, Object.getOwnPropertyNames(error))).not.toContain(secret);
    expect(ai.calls).toHaveLength(calls);
  });

  it("stops waiting, once", async () => {
    const { ai, model } = chatOf({ timeoutMs: 20 }, ["hang"]);
    await expect(model.complete(request)).rejects.toMatchObject({ message: "Workers AI did not answer in time." });
    expect(ai.calls).toHaveLength(1);
  });

  it.each([undefined, null, "text", {}, { choices: [] }, { choices: [{}] }, { request_id: "r" }])(
    "refuses a reply that is no completion: %j",
    async (reply) => {
      await expect(chatOf({}, [{ reply }]).model.complete(request)).rejects.toMatchObject({
        code: "upstream_failed",
        message: "Workers AI answered no completion.",
      });
    },
  );

  it.each([{ response: null }, { response: "" }, { response: "", reasoning: "hmm" }])("is silent for %j", async (reply) => {
    expect(await chatOf({}, [{ reply }]).model.complete(request)).toMatchObject({
      kind: "silent",
      reasoned: "reasoning" in reply,
      usage: null,
    });
  });

  it("reports a refusal", async () => {
    const reply = { choices: [{ message: { content: null, refusal: "No." }, finish_reason: "stop" }] };
    expect(await chatOf({ model: GEMMA }, [{ reply }]).model.complete(request)).toEqual({ kind: "refused", usage: null });
  });
});
