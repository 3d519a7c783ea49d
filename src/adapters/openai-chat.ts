import { isRecord } from "#core/is-record";
import type { ChatModel, ChatReply, ChatRequest } from "#ports/chat-model";
import { type Pause, retryPassing } from "./calls.ts";
import { readCompletion } from "./chat-reply.ts";
import { type OpenAiServer, post, readJson, refusal } from "./openai-http.ts";

const WHO = "The chat server";
/** An answer and its repair fit the two minutes of a job's lease. */
const TIMEOUT_MS = 60_000;
const COMPLAINT_CHARACTERS = 2_000;

export type OpenAiChatOptions = {
  /** Up to and including the version, such as `http://localhost:11434/v1`. */
  url: string;
  model: string;
  apiKey?: string;
  fetch: typeof fetch;
  /** For one attempt; an attempt that times out is not repeated. */
  timeoutMs?: number;
  pause?: Pause;
};

/** Differences between servers of this API. If a server's error names one, its next value is tried. */
type Dialect = {
  tokens: "max_tokens" | "max_completion_tokens";
  tokensChanged: boolean;
  temperature: boolean;
  format: "json_schema" | "json_object" | "none";
};

/** Any server that speaks OpenAI's `POST /v1/chat/completions`: OpenAI, Ollama, llama.cpp, vLLM, LM Studio, gateways. */
export function createOpenAiChat(options: OpenAiChatOptions): ChatModel {
  const server: OpenAiServer = {
    who: WHO,
    url: options.url,
    apiKey: options.apiKey,
    fetch: options.fetch,
    timeoutMs: options.timeoutMs ?? TIMEOUT_MS,
    variables: { url: "CHAT_URL", key: "CHAT_API_KEY", model: "CHAT_MODEL" },
  };
  let dialect = dialectOf(options.model);

  async function ask(request: ChatRequest): Promise<ChatReply> {
    for (;;) {
      const response = await post(server, "/chat/completions", bodyOf(options.model, request, dialect));
      if (response.ok) return readCompletion(await readJson(server, response), WHO);
      const complaint = await complaintOf(response);
      const next = response.status === 400 || response.status === 422 ? adapted(dialect, complaint) : undefined;
      if (next === undefined) throw refusal(server, response);
      dialect = next;
    }
  }

  return {
    model: options.model,
    host: new URL(options.url).host,
    complete: (request) => retryPassing(() => ask(request), options.pause),
  };
}

/** OpenAI's reasoning models take neither `max_tokens` nor a temperature. */
function dialectOf(model: string): Dialect {
  const reasoning = /^(?:openai\/)?(?:o\d|gpt-5)/.test(model);
  return {
    tokens: reasoning ? "max_completion_tokens" : "max_tokens",
    tokensChanged: false,
    temperature: !reasoning,
    format: "json_schema",
  };
}

function bodyOf(model: string, { messages, schema, maxTokens }: ChatRequest, dialect: Dialect): Record<string, unknown> {
  return {
    model,
    messages,
    [dialect.tokens]: maxTokens,
    ...(dialect.temperature ? { temperature: 0 } : {}),
    ...(schema === undefined ? {} : formatOf(schema, dialect)),
  };
}

function formatOf(schema: NonNullable<ChatRequest["schema"]>, { format }: Dialect): Record<string, unknown> {
  if (format === "none") return {};
  if (format === "json_object") return { response_format: { type: "json_object" } };
  return { response_format: { type: "json_schema", json_schema: { ...schema, strict: true } } };
}

/** The next dialect to try after an error, or undefined if the error names none of the differences. Each change is made once. */
function adapted(dialect: Dialect, complaint: string): Dialect | undefined {
  if (!dialect.tokensChanged && /max_(?:completion_)?tokens/.test(complaint))
    return {
      ...dialect,
      tokensChanged: true,
      tokens: dialect.tokens === "max_tokens" ? "max_completion_tokens" : "max_tokens",
    };
  if (dialect.temperature && complaint.includes("temperature")) return { ...dialect, temperature: false };
  if (dialect.format !== "none" && /response_format|json_schema|json_object|structured output/.test(complaint))
    return { ...dialect, format: dialect.format === "json_schema" ? "json_object" : "none" };
  return undefined;
}

/** The parameter or the text of an error. It is only inspected, never put into a message. */
async function complaintOf(response: Response): Promise<string> {
  const text = (await response.text().catch(() => "")).slice(0, COMPLAINT_CHARACTERS);
  return paramOf(text) ?? text.toLowerCase();
}

function paramOf(text: string): string | undefined {
  try {
    const body: unknown = JSON.parse(text);
    const error = isRecord(body) ? body.error : undefined;
    return isRecord(error) && typeof error.param === "string" ? error.param : undefined;
  } catch {
    return undefined;
  }
}
