import type { IngestOptions, IngestOutcome } from "./ingest-outcome.ts";
import { type RememberCtx, rememberAs } from "./remember.ts";
import type { MemoryDraftInput, RememberedView } from "./schemas.ts";

export type Ingested = { outcome: IngestOutcome; view: RememberedView };

/**
 * Remembers what was taken from episodes, as `remember` does and under the same rules, but for what is not to be said twice or
 * undone: see `IngestOutcome`. Answers in the order of the drafts.
 */
export async function ingestMemories(
  ctx: RememberCtx,
  said: { userId: string; memories: MemoryDraftInput[] },
  ingestOptions: IngestOptions,
): Promise<Ingested[]> {
  return await rememberAs(ctx, said, ingestOptions);
}
