import type { ChatModel } from "#ports/chat-model";

export type OpenAiChatOptions = {
  /** Up to and including the version, such as `http://localhost:11434/v1`. */
  url: string;
  model: string;
  apiKey?: string;
  fetch: typeof fetch;
  /** For one attempt. */
  timeoutMs?: number;
};

/** Any server that speaks OpenAI's `POST /v1/chat/completions`. */
export function createOpenAiChat(options: OpenAiChatOptions): ChatModel {
  return { model: options.model, complete: () => Promise.reject(new Error("not written yet")) };
}
