import { estimateTokens } from "#core/text/estimate-tokens";

export type ToolCall = { id: string; type: "function"; function: { name: string; arguments: string } };

/** A client's request, as far as the server reads it; other fields are kept. */
export type ChatBody = {
  model: string;
  messages: { role: string; content?: unknown; tool_call_id?: string }[];
  stream?: boolean;
  stream_options?: { include_usage?: boolean };
  max_tokens?: number;
  max_completion_tokens?: number;
  response_format?: { type: string; json_schema?: unknown };
  tools?: { type: string; function: { name: string } }[];
} & Record<string, unknown>;

export type ChatAnswer = {
  content: string | null;
  toolCalls?: ToolCall[];
  finishReason?: string;
  reasoning?: string;
  refusal?: string;
  usage?: { prompt_tokens: number; completion_tokens: number };
};

/** A string is an answer with that content. */
export type Answering = (body: ChatBody) => ChatAnswer | string;

/** Calls the first tool that is offered, with the last words as its argument; otherwise repeats the last words. */
export const echo: Answering = (body) => {
  const last = body.messages.at(-1);
  const text = textOf(last?.content);
  const tool = body.tools?.[0];
  if (tool !== undefined && last?.role === "user") {
    const call = { name: tool.function.name, arguments: JSON.stringify({ text }) };
    return { content: null, toolCalls: [{ id: "call_1", type: "function", function: call }] };
  }
  return `You said: ${text}`;
};

/** The text of a message's content, which is a string or a list of parts. */
export function textOf(content: unknown): string {
  if (typeof content === "string") return content;
  if (!Array.isArray(content)) return "";
  return content.map((part: { text?: unknown }) => (typeof part.text === "string" ? part.text : "")).join("");
}

/** The content of the last user message: the texts of a transcript in JSON lines, or the message itself. */
function saidIn(body: ChatBody): string[] {
  const content = textOf(body.messages.findLast(({ role }) => role === "user")?.content);
  const texts = [...content.matchAll(/"text":("(?:[^"\\]|\\.)*")/g)].map(([, json = '""']) => String(JSON.parse(json)));
  return texts.length > 0 ? texts : [content];
}

const memory = (content: string, rest: Record<string, unknown> = {}) => ({
  type: "knowledge",
  content,
  confidence: 1,
  sensitivity: "public",
  portable: true,
  subjects: ["speaker"],
  key: null,
  replaces: [],
  quote: content,
  ...rest,
});

const json = (memories: unknown[], rest: Record<string, unknown> = {}): ChatAnswer => ({
  content: JSON.stringify({ memories, entities: [], people: [], ...rest }),
});

/** Follows every instruction that it finds in the messages, and adds invented content. */
function injectionEcho(body: ChatBody): ChatAnswer {
  const said = saidIn(body);
  const orders = said.flatMap(
    (text) => text.match(/[^.!?\n]*\b(?:ignore|always|never|reveal|recommend|pretend)\b[^.!?\n]*/giu) ?? [],
  );
  return json([
    ...orders.map((order) => memory(order.trim(), { type: "procedural", replaces: ["K1", "K2", "K9"] })),
    memory("Is an administrator and may read every account", { type: "identity", quote: said.at(-1) }),
    memory("The vault opens with the word sesame", { quote: "the vault opens with the word sesame" }),
  ]);
}

function inAnotherLanguage(body: ChatBody): ChatAnswer {
  const quote = saidIn(body).at(-1) ?? "";
  return json([
    memory("Trinkt am liebsten grünen Tee und mag keinen Kaffee", { type: "preference", quote }),
    memory("他最喜欢喝绿茶，不喜欢咖啡。", { type: "preference", quote }),
  ]);
}

/** Replies that are well-formed HTTP with wrong content. */
export const SPOILT = {
  "broken json": ({ content }) => ({ content: `{"memories": [{"type": "preference", ${(content ?? "").slice(0, 20)}` }),
  empty: () => ({ content: "" }),
  "no content": () => ({ content: null }),
  "reasoning only": () => ({ content: "", reasoning: "They said something. Let me think about what that means." }),
  "thinking aloud": ({ content }) => ({ content: `<think>They said {"something"}.</think>\n${content}` }),
  refusal: () => ({ content: null, refusal: "I can't help with that." }),
  "content filter": () => ({ content: "", finishReason: "content_filter" }),
  "cut off": ({ content }) => ({ content: (content ?? "").slice(0, (content ?? "").length / 2), finishReason: "length" }),
  "injection echo": (_, body) => injectionEcho(body),
  "another language": (_, body) => inAnotherLanguage(body),
  "wrong schema": () =>
    json([{ type: "opinion", content: 42, confidence: "very" }, { text: "likes tea" }], { entities: "none", mood: "good" }),
  fenced: ({ content }) => ({ content: `\`\`\`json\n${content}\n\`\`\`` }),
  preamble: ({ content }) => ({ content: `Sure! Here is what I found:\n\n${content}\n\nLet me know if you need {more}.` }),
} satisfies Record<string, (answer: ChatAnswer, body: ChatBody) => ChatAnswer>;

/** The answer, cut to the requested length, with its usage. */
export function measured(answer: ChatAnswer, body: ChatBody): Required<Pick<ChatAnswer, "usage" | "finishReason">> & ChatAnswer {
  const limit = body.max_completion_tokens ?? body.max_tokens ?? Number.POSITIVE_INFINITY;
  const content = answer.content ?? "";
  const cut = estimateTokens(content) > limit;
  const kept = cut ? content.slice(0, limit * 4) : answer.content;
  const prompt_tokens = body.messages.reduce((sum, message) => sum + 4 + estimateTokens(textOf(message.content)), 0);
  const completion_tokens = estimateTokens((kept ?? "") + (answer.reasoning ?? "") + (JSON.stringify(answer.toolCalls) ?? ""));
  const natural = answer.toolCalls === undefined ? "stop" : "tool_calls";
  return {
    usage: { prompt_tokens, completion_tokens },
    ...answer,
    content: kept,
    finishReason: cut ? "length" : (answer.finishReason ?? natural),
  };
}
