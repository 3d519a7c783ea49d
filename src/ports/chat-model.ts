export type ChatMessage = { role: "system" | "user" | "assistant"; content: string };

export type ChatRequest = {
  messages: readonly ChatMessage[];
  /** A JSON schema that the answer's text should follow. A model may not keep to it: the caller validates. */
  schema?: { name: string; schema: Record<string, unknown> };
  /** Always sent, because some models stop after a few hundred without it. */
  maxTokens: number;
};

/** Tokens as the model counted them; null when it did not say. */
export type ChatUsage = { inputTokens: number; outputTokens: number } | null;

/**
 * The reply, by what a caller must do. `cut`: it ran into `maxTokens`. `silent`: no text, or nothing but
 * reasoning. `refused`: the model declined.
 */
export type ChatReply =
  | { kind: "text"; text: string; usage: ChatUsage }
  | { kind: "cut"; text: string; usage: ChatUsage }
  | { kind: "silent"; reasoned: boolean; usage: ChatUsage }
  | { kind: "refused"; usage: ChatUsage };

export interface ChatModel {
  readonly model: string;
  /** Throws `upstream_failed` when no reply could be had (429, 5xx, time, network), `misconfigured` for a key, a path or a model that is wrong. */
  complete(request: ChatRequest): Promise<ChatReply>;
}
