import { createOpenAiChat } from "#adapters/openai-chat";
import type { ChatModel } from "#ports/chat-model";

/** The chat model of a service, connected to a test's server; it does not wait between attempts. */
export function localChat(url: string, { timeoutMs = 60_000 }: { timeoutMs?: number } = {}): ChatModel {
  return createOpenAiChat({
    url,
    model: "local",
    fetch: (input, init) => fetch(input, init),
    timeoutMs,
    pause: async () => undefined,
  });
}
