import type { Edgewise } from "@edgewise/client";

/** Whose memory it is, and where they talk. */
export type MemoryPlace = {
  client: Edgewise;
  /** The user, by your app's id: take it from your own login. */
  userId: string;
  /** The conversation, by your app's id; one that is not stored yet is made. */
  sessionId: string;
  /** The project in which a new session is made. */
  projectId?: string | undefined;
};

/** What memory was doing when it failed. */
export type Failed = "retrieving" | "storing";

export type MemoryOptions = MemoryPlace & {
  /** The workspace of the question; without it, only memories that have none are retrieved. */
  workspaceId?: string | undefined;
  /** The budget of the block, in estimated tokens; the tenant's setting when absent. */
  maxTokens?: number | undefined;
  /** How long a reply may wait for memory before the model is asked without it; 1,500 when absent. */
  timeoutMs?: number | undefined;
  /**
   * Told when memory was not retrieved or not stored; the chat goes on all the same. When absent, a warning is written to the console, which
   * has nothing of what was said.
   */
  onError?: ((error: unknown, failed: Failed) => void) | undefined;
  /**
   * Given a promise for each call of the model, which is fulfilled when what was said is stored. A serverless runtime that stops at the end
   * of a response needs it: `(promise) => ctx.waitUntil(promise)` on Workers, `after` of next/server, `waitUntil` of @vercel/functions.
   */
  waitUntil?: ((stored: Promise<void>) => void) | undefined;
};

/** Never throws: a failure of memory, or of who is told of it, is no failure of the chat. */
export function report({ onError }: Pick<MemoryOptions, "onError">, error: unknown, failed: Failed): void {
  try {
    if (onError !== undefined) onError(error, failed);
    // biome-ignore lint/suspicious/noConsole: a wrong key would otherwise look like a user of whom nothing is known.
    else console.warn(`Edgewise: memory failed while ${failed}, and the chat went on without it. ${messageOf(error)}`);
  } catch {
    // The chat must go on, and there is nobody else to tell.
  }
}

function messageOf(error: unknown): string {
  return error instanceof Error ? `${error.name}: ${error.message}` : "What was thrown is no error.";
}
