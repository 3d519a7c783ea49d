import type { HeardOutcome, Hearing } from "./hearing.ts";
import { type RememberCtx, rememberAs } from "./remember.ts";
import type { MemoryDraftInput, RememberedView } from "./schemas.ts";

export type Heard = { outcome: HeardOutcome; view: RememberedView };

/**
 * Remembers what was taken from episodes, as `remember` does and under the same rules, but for what is not to be said twice or
 * undone: see `HeardOutcome`. Answers in the order of the drafts.
 */
export async function hear(
  ctx: RememberCtx,
  said: { userId: string; memories: MemoryDraftInput[] },
  hearing: Hearing,
): Promise<Heard[]> {
  return await rememberAs(ctx, said, hearing);
}
