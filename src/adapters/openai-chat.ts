import { misconfigured } from "#core/errors";
import { isRecord } from "#core/is-record";
import { readWhole } from "#core/read-whole";
import type { ChatMessage, ChatModel, ChatReply, ChatRequest } from "#ports/chat-model";
import { type Pause, retryPassing } from "./calls.ts";
import { readCompletion } from "./chat-reply.ts";
import { type OpenAiServer, post, readJson, refusal } from "./openai-http.ts";

const WHO = "The chat server";
/** An answer and its repair fit the two minutes of a job's lease. */
const TIMEOUT_MS = 60_000;
const COMPLAINT_CHARACTERS = 2_000;
const MAX_COMPLAINT_BYTES = 1_000_000;

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
  /** Whether instructions are a system message, or stand in the first user message. */
  systemRole: boolean;
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
      const next = adapted(dialect, { request, response, complaint });
      if (next !== undefined) dialect = next;
      else throw refusesRoles(response, complaint) ? misconfigured(NO_ROLES) : refusal(server, response);
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
    systemRole: true,
  };
}

function bodyOf(model: string, { messages, schema, maxTokens }: ChatRequest, dialect: Dialect): Record<string, unknown> {
  return {
    model,
    messages: dialect.systemRole ? messages : withoutSystem(messages),
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

/** The messages with the instructions at the beginning of the first user message. */
function withoutSystem(messages: readonly ChatMessage[]): ChatMessage[] {
  const instructions = messages.filter(isSystem).map(({ content }) => content);
  const [first, ...others] = messages.filter((message) => !isSystem(message));
  if (first?.role !== "user")
    return [{ role: "user", content: instructions.join("\n\n") }, ...(first === undefined ? [] : [first]), ...others];
  return [{ role: "user", content: [...instructions, first.content].join("\n\n") }, ...others];
}

function isSystem({ role }: ChatMessage): boolean {
  return role === "system";
}

/** What a server says about an error, in lower case. It is only inspected, never put into a message. */
type Complaint = { param: string | undefined; text: string };

type Refused = { request: ChatRequest; response: Response; complaint: Complaint };

/** The next dialect to try after an error, or undefined if the error names none of the differences. Each change is made once. */
function adapted(dialect: Dialect, { request, response, complaint }: Refused): Dialect | undefined {
  // llama.cpp answers 500 where a model's template refuses a role.
  const isAboutRoles = response.status === 500 ? namesRoles(complaint) : refusesRoles(response, complaint);
  if (isAboutRoles && dialect.systemRole && request.messages.some(isSystem)) return { ...dialect, systemRole: false };
  if (!isRefusal(response)) return undefined;
  const named = complaint.param ?? complaint.text;
  if (!dialect.tokensChanged && /max_(?:completion_)?tokens/.test(named))
    return {
      ...dialect,
      tokensChanged: true,
      tokens: dialect.tokens === "max_tokens" ? "max_completion_tokens" : "max_tokens",
    };
  if (dialect.temperature && named.includes("temperature")) return { ...dialect, temperature: false };
  if (dialect.format !== "none" && /response_format|json_schema|json_object|structured output/.test(named))
    return { ...dialect, format: dialect.format === "json_schema" ? "json_object" : "none" };
  return undefined;
}

function isRefusal({ status }: Response): boolean {
  return status === 400 || status === 422;
}

const NO_ROLES =
  "The chat server refuses the roles of the messages, also with the instructions in the user's message. Set CHAT_MODEL to a model that takes a conversation.";

function refusesRoles(response: Response, complaint: Complaint): boolean {
  return isRefusal(response) && namesRoles(complaint);
}

/** OpenAI names the parameter; vLLM, llama.cpp and Google have sentences, such as `System role not supported`. */
function namesRoles({ param, text }: Complaint): boolean {
  return param === undefined
    ? ABOUT_ROLES.test(text)
    : param.endsWith("role") || (param === "messages" && ABOUT_ROLES.test(text));
}

const ABOUT_ROLES =
  /\bsystem (?:role|message|prompt|instruction)|\bdeveloper (?:role|message|instruction)|\broles? (?:must|should|is|are|does|do|cannot|not)\b|\.role\b/;

async function complaintOf(response: Response): Promise<Complaint> {
  const bytes = await readWhole(response.body, MAX_COMPLAINT_BYTES).catch(() => null);
  const text = new TextDecoder().decode(bytes ?? new Uint8Array());
  return { param: paramOf(text)?.toLowerCase(), text: text.slice(0, COMPLAINT_CHARACTERS).toLowerCase() };
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
