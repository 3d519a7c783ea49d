import { sql } from "drizzle-orm";
import type { Ctx } from "#context";
import { AppError } from "#core/errors";
import type { Statement } from "#db/client";
import { failUnless } from "#db/guard";
import type { Entry } from "./batch-drafts.ts";
import { type DraftOutcome, type IngestCtx, ingestDrafts } from "./ingest-drafts.ts";
import { type Place, readPlace } from "./read-episodes.ts";

/** A session that changes its project more often than this while one call is stored is left to a later try. */
const MAX_MOVES = 3;

/**
 * Remembers the drafts of one call with the scope that their session has when they are written: the batch fails if its project is another
 * by then, and they are drafted anew where it is now.
 */
export async function ingestBatch<From extends { place: Place }>(
  ctx: IngestCtx,
  call: readonly Entry<From>[],
  how: { alongside: readonly Statement[]; keepsOwn: boolean },
): Promise<{ outcomes: DraftOutcome[]; isStored: boolean }> {
  const [first] = call;
  if (first === undefined) return { outcomes: [], isStored: false };
  let { place } = first.from;
  for (let moves = 0; ; moves += 1) {
    const drafts = call.map(({ draft, draftIn }) => (moves === 0 ? draft : draftIn(place)));
    const alongside = [...how.alongside, isStillIn(ctx, place)];
    try {
      return await ingestDrafts(ctx, { userId: first.speaker.externalId, drafts, alongside, keepsOwn: how.keepsOwn });
    } catch (error) {
      if (!(error instanceof AppError) || error.code !== "conflict" || moves === MAX_MOVES) throw error;
      const now = await readPlace(ctx, place.externalId);
      if (now === undefined || now.project?.id === place.project?.id) throw error;
      place = now;
    }
  }
}

function isStillIn(ctx: Ctx<"db">, { sessionId, project }: Place): Statement {
  return failUnless(
    ctx.db,
    sql`(select s.project_id from sessions s where s.id = ${sessionId} and s.tenant_id = ${ctx.tenantId}) is ${project?.id ?? null}`,
  );
}
