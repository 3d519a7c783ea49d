import type { ChatModel } from "#ports/chat-model";
import type { ModelAsk, ModelOutcome } from "./types.ts";

/** Asks once, and once more when the answer cannot be used. A failure of the port passes through. */
export async function askModel(_model: ChatModel, _ask: ModelAsk): Promise<ModelOutcome> {
  return { kind: "nothing usable", reason: "silent", attempts: 0, usage: null };
}
