import { createOpenAiChat } from "#adapters/openai-chat";
import type { ChatModel } from "#ports/chat-model";

/** The chat model that a service gets, against a server of a test; it waits for nobody between attempts. */
export function localChat(url: string, { timeoutMs = 60_000 }: { timeoutMs?: number } = {}): ChatModel {
  return createOpenAiChat({
    url,
    model: "local",
    fetch: (input, init) => fetch(input, init),
    timeoutMs,
    pause: async () => undefined,
  });
}
