import { upstreamFailed } from "#core/errors";
import { isRecord } from "#core/is-record";
import type { ChatModel, ChatReply, ChatRequest } from "#ports/chat-model";
import { type Pause, retryPassing } from "./calls.ts";
import { readCompletion, readResponse } from "./chat-reply.ts";
import { failureOf, isUnreadable, type WorkersAiBinding } from "./workers-ai-failure.ts";

const WHO = "Workers AI";
/** An answer and its repair fit the two minutes of a job's lease. */
const TIMEOUT_MS = 60_000;

export type WorkersAiChatOptions = {
  ai: WorkersAiBinding;
  /** A name in the catalogue, such as `@cf/meta/llama-3.3-70b-instruct-fp8-fast`. */
  model: string;
  /** For one attempt; an attempt that times out is not repeated. */
  timeoutMs?: number;
  pause?: Pause;
};

/** The catalogue has two request forms for text generation: OpenAI's, for the newer models, and an older one. */
type Form = "openai" | "legacy";

/** Models whose form was taken from the catalogue. */
const FORMS: Readonly<Record<string, Form>> = {
  "@cf/google/gemma-4-26b-a4b-it": "openai",
  "@cf/zai-org/glm-4.7-flash": "openai",
  "@cf/zai-org/glm-5.3-flash": "openai",
  "@cf/qwen/qwen3.8-27b": "openai",
  "@cf/nvidia/nemotron-3-120b-a12b": "openai",
  "@cf/deepseek-ai/deepseek-v4-flash-0731": "openai",
  "@cf/qwen/qwen3-30b-a3b-fp8": "legacy",
  "@cf/openai/gpt-oss-20b": "legacy",
  "@cf/openai/gpt-oss-120b": "legacy",
  "@cf/meta/llama-3.3-70b-instruct-fp8-fast": "legacy",
  "@cf/meta/llama-3.1-8b-instruct-fp8-fast": "legacy",
};

/** A guess for the others: models that these makers added up to 2025 have the older form. */
function formOf(model: string): Form {
  return (
    FORMS[model] ?? (/^@cf\/(?:meta|mistral|mistralai|microsoft|ibm-granite|defog)\/|^@hf\//.test(model) ? "legacy" : "openai")
  );
}

/** Text generation of Workers AI, of both families of replies. */
export function createWorkersAiChat(options: WorkersAiChatOptions): ChatModel {
  const { model, pause } = options;
  let form = formOf(model);

  async function answer(asked: Form, request: ChatRequest): Promise<ChatReply> {
    try {
      return await retryPassing(() => run(options, asked, request), pause);
    } catch (error) {
      if (request.schema === undefined || !isUnmet(error)) throw error;
      const { schema: _, ...free } = request;
      return await retryPassing(() => run(options, asked, free), pause);
    }
  }

  /** If a request's form is refused, the other form is tried; the one that works is kept. */
  async function complete(request: ChatRequest): Promise<ChatReply> {
    try {
      return await answer(form, request);
    } catch (error) {
      if (!isUnreadable(error)) throw asFailure(error, model);
      const other = form === "openai" ? "legacy" : "openai";
      const reply = await answer(other, request).catch((second: unknown) => {
        throw asFailure(isUnreadable(second) ? error : second, model);
      });
      form = other;
      return reply;
    }
  }

  return { model, host: "Cloudflare Workers AI", complete };
}

async function run(
  { ai, model, timeoutMs = TIMEOUT_MS }: WorkersAiChatOptions,
  form: Form,
  request: ChatRequest,
): Promise<ChatReply> {
  let reply: unknown;
  try {
    reply = await ai.run(model, inputsOf(form, request), { signal: AbortSignal.timeout(timeoutMs) });
  } catch (error) {
    throw isUnreadable(error) || isUnmet(error) ? error : failureOf(error, { model, variable: "CHAT_MODEL" });
  }
  return readReply(reply, request);
}

/** `max_tokens` in both forms: the older models stop after 256 without it. */
function inputsOf(form: Form, { messages, schema, maxTokens }: ChatRequest): Record<string, unknown> {
  const inputs = { messages, max_tokens: maxTokens, temperature: 0 };
  if (form === "legacy")
    return { ...inputs, ...(schema && { response_format: { type: "json_schema", json_schema: schema.schema } }) };
  return {
    ...inputs,
    max_completion_tokens: maxTokens,
    ...(schema && { response_format: { type: "json_schema", json_schema: { ...schema, strict: true } } }),
  };
}

/** Detected from the reply: a model may answer in the other form than the request's. */
function readReply(reply: unknown, { maxTokens }: ChatRequest): ChatReply {
  if (isRecord(reply) && "choices" in reply) return readCompletion(reply, WHO);
  if (isRecord(reply) && "response" in reply) return readResponse(reply, maxTokens);
  throw upstreamFailed(`${WHO} answered no completion.`);
}

/** The model could not follow the schema; without one it may still answer. */
function isUnmet(error: unknown): boolean {
  return error instanceof Error && /JSON Mode(?:l)? couldn'?t be met/i.test(error.message);
}

/** Errors of the binding for which the other form did not help, in our words. */
function asFailure(error: unknown, model: string): unknown {
  if (isUnmet(error)) return upstreamFailed(`${WHO}'s ${model} could not answer in the form that it was asked for.`);
  return isUnreadable(error) ? failureOf(error, { model, variable: "CHAT_MODEL" }) : error;
}
