import { sql } from "drizzle-orm";
import { z } from "zod";
import type { Settings } from "#context";
import { read, statement } from "#db/client";
import { flag, integer, nullable, row } from "#db/row";
import { FIRST_PLACE, Place, type Repairs, readCursor, rowsPath, type Step, takeHits, walk } from "#domain/indexing";
import { MEMORIES } from "#domain/memories";
import { CHUNKS_PER_SESSION, type EpisodeToForget, firstChunkOf, forgetEpisodeStatements, sessionOf } from "#domain/sessions";
import { getSettings } from "#domain/settings";
import { EPHEMERAL_TYPES, forgetRows } from "./forget-rows.ts";
import { type Counts, emptyStep, type PreparedStep, type UpkeepCtx } from "./step.ts";

/** Spaces and memories that a step reads. */
const A_STEP = { places: 500, rows: 1_500 };

/** First through the memories of each space, then through the episodes of each session. */
const Cursor = z.union([z.object({ memories: Place }), z.object({ episode: z.number().int() })]);

/** Unix milliseconds: what was stored, or last repeated, before this is beyond `retentionDays`. */
export function retainedSince(ctx: Pick<UpkeepCtx, "now">, { retentionDays }: Pick<Settings, "retentionDays">): number {
  return ctx.now() - retentionDays * 86_400_000;
}

/**
 * Forgets ephemeral memories that were last repeated more than `retentionDays` ago and are not pinned, even if they expire later. If the
 * tenant's settings say so, also deletes episodes that were stored longer ago than that; where sessions are summarized, an episode stays
 * until it has been. What is counted is what the batch deletes, or it deletes nothing.
 */
export async function retain(ctx: UpkeepCtx, { cursor, limit }: Step): Promise<PreparedStep> {
  const settings = await getSettings(ctx);
  const { expireEpisodes } = settings;
  const before = retainedSince(ctx, settings);
  const at = cursor === "" ? { memories: FIRST_PLACE } : readCursor(Cursor, cursor);
  if ("memories" in at) {
    const { next, ...prepared } = await retainMemories(ctx, { from: at.memories, before, limit });
    const after = next === null ? (expireEpisodes ? { episode: -1 } : null) : { memories: next };
    return { ...prepared, next: after === null ? null : JSON.stringify(after) };
  }
  if (!expireEpisodes) return emptyStep(null);
  const { next, ...prepared } = await retainEpisodes(ctx, {
    ...{ after: at.episode, before, limit },
    onlySummarized: settings.summarizeAfterTokens !== null,
  });
  return { ...prepared, next: next === null ? null : JSON.stringify({ episode: next }) };
}

async function retainMemories(
  ctx: UpkeepCtx,
  { from, before, limit }: { from: Place; before: number; limit: number },
): Promise<Repairs & { next: Place | null }> {
  const isOld = sql`(
    m.tenant_id = ${ctx.tenantId} and m.deleted_at is null and m.pinned = 0 and m.type in (${EPHEMERAL_TYPES}) and m.last_seen_at < ${before})`;
  const shape = row({ isOld: flag(isOld) });
  const walked = await walk(ctx, from, { path: rowsPath(MEMORIES), bounds: A_STEP, shape });
  const { hits, next } = takeHits(walked, limit, (one) => one.isOld);
  return {
    ...forgetRows(
      ctx,
      hits.map(({ walkId, walkSpace }) => ({ id: walkId, space: walkSpace })),
      { because: "retention", still: isOld },
    ),
    next,
  };
}

/** Sessions that a step reads, and episodes of each: ids are in the order of storage, so the old ones come first. */
const SESSIONS_A_STEP = 100;
const EPISODES_A_SESSION = 20;

/**
 * Deletes episodes that were stored before a time, session by session, and keeps their summaries. `after` and `next` are the id of the last
 * one read.
 */
async function retainEpisodes(
  ctx: UpkeepCtx,
  { after, before, limit, onlySummarized }: { after: number; before: number; limit: number; onlySummarized: boolean },
): Promise<Repairs & { next: number | null; beside?: Counts }> {
  const per = sql.raw(String(CHUNKS_PER_SESSION));
  const shape = row({
    sessionId: integer(sql`w.id`),
    spaceId: integer(sql`w.space_id`),
    id: nullable(integer(sql`e.id`)),
    chunkCount: nullable(integer(sql`e.chunk_count`)),
    messages: nullable(integer(sql`json_array_length(e.messages)`)),
    isOld: flag(sql`e.created_at < ${before} and e.tenant_id = ${ctx.tenantId}`),
    isKept: flag(sql`${onlySummarized} and e.summary_id is null`),
  });
  const { rows } = await read(ctx, {
    rows: statement(
      shape,
      sql`with walked as materialized (
          select s.id, s.space_id from sessions s where s.tenant_id = ${ctx.tenantId} and s.id >= ${sessionOf(after)}
          order by s.id limit ${SESSIONS_A_STEP})
        select ${shape.columns} from walked w left join episodes e on e.id in (
          select x.id from episodes x where x.id > max(w.id * ${per} - 1, ${after}) and x.id < (w.id + 1) * ${per}
          order by x.id limit ${EPISODES_A_SESSION})`,
    ),
  });
  const sessions = Map.groupBy(rows, ({ sessionId }) => sessionId);
  const taken: (EpisodeToForget & { messages: number })[] = [];
  let unsummarized = 0;
  let next = sessions.size < SESSIONS_A_STEP ? null : firstChunkOf(Math.max(...sessions.keys()) + 1) - 1;
  for (const found of sessions.values()) {
    const old = found.filter(({ isOld }) => isOld);
    const going = old.flatMap(({ isKept, id, chunkCount, spaceId, messages }) =>
      !isKept && id !== null && chunkCount !== null ? [{ id, chunkCount, spaceId, messages: messages ?? 0 }] : [],
    );
    unsummarized += old.length - old.filter(({ isKept }) => !isKept).length;
    const room = limit - taken.length;
    taken.push(...going.slice(0, room));
    if (going.length > room) {
      next = taken.at(-1)?.id ?? after;
      break;
    }
    if (old.length === EPISODES_A_SESSION) {
      next = old.at(-1)?.id ?? after;
      break;
    }
  }
  const counts = { episodes: taken.length };
  const messages = taken.reduce((sum, one) => sum + one.messages, 0);
  const beside = { ...(messages === 0 ? {} : { messages }), ...(unsummarized === 0 ? {} : { unsummarized }) };
  if (taken.length === 0) return { counts, statements: [], next, beside };
  return { counts, ...forgetEpisodeStatements(ctx, taken, { keepsSummaries: true }), next, beside };
}
