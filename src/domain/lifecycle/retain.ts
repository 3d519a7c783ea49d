import { sql } from "drizzle-orm";
import { z } from "zod";
import { typesOf } from "#domain/memories";
import { getSettings } from "#domain/settings";
import { readCursor } from "./cursor.ts";
import { forgetRows } from "./forget-rows.ts";
import { retainEpisodes } from "./retain-episodes.ts";
import { emptyStep, type PreparedStep, type Step, type UpkeepCtx } from "./step.ts";
import { FIRST_PLACE, memoriesWith, Place, takeHits, walkSpaces } from "./walk-spaces.ts";

/** Spaces and memories that a step looks at. */
const A_STEP = { places: 500, rows: 1_000 };

/** First through the memories of each space, then through the episodes of each session. */
const Cursor = z.union([z.object({ memories: Place }), z.object({ episode: z.number().int() })]);

/** Written out so that a list takes no parameters. */
const EPHEMERAL = sql.raw(
  typesOf("episodic")
    .map((type) => `'${type}'`)
    .join(", "),
);

/**
 * Forgets ephemeral memories that were last said longer ago than `retentionDays` and that nobody pinned, though they should live longer
 * by themselves; and, where the tenant wants it, deletes episodes that were stored longer ago.
 */
export async function retain(ctx: UpkeepCtx, { cursor, limit }: Step): Promise<PreparedStep> {
  const { retentionDays, expireEpisodes } = await getSettings(ctx);
  const before = ctx.now() - retentionDays * 86_400_000;
  const at = cursor === "" ? { memories: FIRST_PLACE } : readCursor(Cursor, cursor);
  if ("memories" in at) {
    const { next, ...prepared } = await retainMemories(ctx, { from: at.memories, before, limit });
    const after = next === null ? (expireEpisodes ? { episode: -1 } : null) : { memories: next };
    return { ...prepared, next: after === null ? null : JSON.stringify(after) };
  }
  if (!expireEpisodes) return emptyStep(null);
  const { next, ...prepared } = await retainEpisodes(ctx, { after: at.episode, before, limit });
  return { ...prepared, next: next === null ? null : JSON.stringify({ episode: next }) };
}

async function retainMemories(
  ctx: UpkeepCtx,
  { from, before, limit }: { from: Place; before: number; limit: number },
): Promise<Omit<PreparedStep, "next"> & { next: Place | null }> {
  const isOld = sql`(
    m.tenant_id = ${ctx.tenantId} and m.deleted_at is null and m.pinned = 0 and m.type in (${EPHEMERAL}) and m.last_seen_at < ${before})`;
  const walk = await walkSpaces<{ isOld: number }>(ctx, from, { bounds: A_STEP, path: memoriesWith(sql`${isOld} as isOld`) });
  const { hits, next } = takeHits(walk, limit, (row) => row.isOld === 1);
  return { ...forgetRows(ctx, hits, { because: "retention", still: isOld }), next };
}
