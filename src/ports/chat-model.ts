export type ChatMessage = { role: "system" | "user" | "assistant"; content: string };

export type ChatRequest = {
  messages: readonly ChatMessage[];
  /** A JSON schema that the answer's text should follow. A model may not keep to it: the caller validates. */
  schema?: { name: string; schema: Record<string, unknown> };
  /** Always sent, because some models stop after a few hundred tokens without it. */
  maxTokens: number;
};

/** Tokens as the model counted them; null if it did not report them. */
export type ChatUsage = { inputTokens: number; outputTokens: number } | null;

/**
 * The reply, by how the caller must handle it. `cut`: it reached `maxTokens`. `silent`: no text, or only reasoning. `refused`: the model
 * declined.
 */
export type ChatReply =
  | { kind: "text"; text: string; usage: ChatUsage }
  | { kind: "cut"; text: string; usage: ChatUsage }
  | { kind: "silent"; reasoned: boolean; usage: ChatUsage }
  | { kind: "refused"; usage: ChatUsage };

export interface ChatModel {
  readonly model: string;
  /** The host that gets the messages. */
  readonly host?: string;
  /**
   * @throws upstream_failed if there was no reply (429, 5xx, timeout, network).
   * @throws misconfigured for a wrong key, path or model.
   */
  complete(request: ChatRequest): Promise<ChatReply>;
}
