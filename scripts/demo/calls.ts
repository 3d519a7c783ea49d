import { z } from "zod";
import type { ChatServer } from "../../test/support/chat-server.ts";
import type { Ask, Reporter } from "./conversation.ts";

const AnswerView = z.object({ routed: z.boolean(), found: z.boolean(), text: z.string().nullable() });
export const ContextView = z.object({
  block: z.string(),
  items: z.array(z.object({ citation: z.string(), kind: z.string(), content: z.string() })),
  tokens: z.object({ used: z.number(), budget: z.number() }),
});
/** The state of the demo. `run` makes its names different from those of earlier runs. */
export type Stage = { ask: Ask; reporter: Reporter; upstream: ChatServer; run: string };

export type Place = { userId: string; sessionId: string };

export async function say({ ask, reporter }: Stage, { userId, sessionId }: Place, text: string, reply?: string): Promise<void> {
  reporter.says(nameOf(userId), text);
  const messages = [{ role: "user", content: text }, ...(reply === undefined ? [] : [{ role: "assistant", content: reply }])];
  await ask("POST", `/v1/sessions/${sessionId}/episodes`, { userId, messages });
}

export async function answer({ ask }: Stage, place: Place, question: string): Promise<z.infer<typeof AnswerView>> {
  return AnswerView.parse((await ask("POST", "/v1/answer", { ...place, question })).body);
}

/** Creates an empty session, as an app does when a chat begins. */
export async function recall({ ask }: Stage, { userId, sessionId }: Place, query: string): Promise<z.infer<typeof ContextView>> {
  await ask("PUT", `/v1/sessions/${sessionId}`, { userId });
  return ContextView.parse((await ask("POST", "/v1/context", { userId, sessionId, query })).body);
}

/** The name in a user's id: "alice-m2x" is Alice. */
function nameOf(userId: string): string {
  return userId.charAt(0).toUpperCase() + userId.slice(1).replace(/-.*$/u, "");
}
