import { sql } from "drizzle-orm";
import { CHUNKS_PER_SESSION } from "#domain/sessions";
import type { CheckResult, Repair } from "./findings.ts";
import type { Step, UpkeepCtx } from "./step.ts";
import { chunkOfCursor, inSession, takeSessionHits, walkSessions } from "./walk-sessions.ts";
import { placeOf, takeHits, toCursor, walkSpaces } from "./walk-spaces.ts";

/** Each space is a question to the text index. */
const SPACES_A_STEP = { places: 50, rows: 500 };
const SESSIONS_A_STEP = { sessions: 100, rows: 1_000 };

type MemoryWords = { publicId: string | null; isOwn: number; isLive: number; isHere: number };

/** Words of memories under the tenant's spaces that no live memory of the space has. */
export async function checkMemoryWords(ctx: UpkeepCtx, { cursor, limit }: Step): Promise<CheckResult> {
  const walk = await walkSpaces<MemoryWords>(ctx, placeOf(cursor), {
    bounds: SPACES_A_STEP,
    path: {
      join: sql`memory_fts f on f.memory_fts match 'space : "s' || coalesce(p.space, 0) || '"' and f.rowid > p.after
        left join memories m on m.id = f.rowid`,
      id: sql`f.rowid`,
      columns: sql`
        iif(m.tenant_id = ${ctx.tenantId}, m.public_id, null) as publicId, m.tenant_id is null or m.tenant_id = ${ctx.tenantId} as isOwn,
        m.id is not null and m.deleted_at is null as isLive, coalesce(m.space_id = p.space, 0) as isHere`,
    },
  });
  const { hits, next } = takeHits(walk, limit, (row) => row.isLive === 0 || row.isHere === 0);
  return {
    checked: { "words.memory": walk.rows.length },
    findings: hits.map(({ id, publicId, isOwn, isLive }) => ({
      invariant: isLive === 1 ? "memory.words" : "words.memory",
      example: publicId,
      repair: repairOf(id, { isOwn, isLive }),
    })),
    next: toCursor(next),
  };
}

/** Words under a wrong space are written anew; those of another tenant's memory are not this tenant's to touch. */
function repairOf(id: number, { isOwn, isLive }: { isOwn: number; isLive: number }): Repair | null {
  if (isOwn === 0) return null;
  return { kind: isLive === 1 ? "memory.reindex" : "memory.removeFromIndex", id };
}

/** Passages in the text index that belong to no episode. */
export async function checkPassages(ctx: UpkeepCtx, { cursor, limit }: Step): Promise<CheckResult> {
  const per = sql.raw(String(CHUNKS_PER_SESSION));
  const after = chunkOfCursor(cursor);
  const walk = await walkSessions<{ isStray: number }>(ctx, after, {
    bounds: SESSIONS_A_STEP,
    path: {
      join: sql`message_fts_docsize d on ${inSession(sql`d.id`, after)}`,
      id: sql`d.id`,
      columns: sql`not coalesce((
        select e.id + e.chunk_count > d.id from episodes e where e.id <= d.id and e.id >= w.id * ${per} order by e.id desc limit 1), 0) as isStray`,
    },
  });
  const { hits, next } = takeSessionHits(walk, limit, (row) => row.isStray === 1);
  return {
    checked: { "passage.episode": walk.rows.length },
    findings: hits.map(({ id }) => ({
      invariant: "passage.episode",
      example: null,
      repair: { kind: "passage.removeFromIndex", id },
    })),
    next: next === null ? null : String(next),
  };
}
