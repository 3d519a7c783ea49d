import type { ChatModel } from "#ports/chat-model";

export type WorkersAiChatOptions = { ai: Pick<Ai, "run">; model: string };

/** Text generation of Workers AI, of both families of replies. */
export function createWorkersAiChat(options: WorkersAiChatOptions): ChatModel {
  return { model: options.model, complete: () => Promise.reject(new Error("not written yet")) };
}
