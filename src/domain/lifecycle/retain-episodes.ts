import { sql } from "drizzle-orm";
import { CHUNKS_PER_SESSION, type EpisodeToForget, firstChunkOf, forgetEpisodeStatements, sessionOf } from "#domain/sessions";
import type { PreparedStep, UpkeepCtx } from "./step.ts";

/** Sessions that a step looks at, and episodes of each: its ids are in the order in which they were stored, so the old ones come first. */
const SESSIONS_A_STEP = 100;
const EPISODES_A_SESSION = 20;

type Row = { sessionId: number; spaceId: number; id: number | null; chunkCount: number | null; isOld: number | null };

/** Deletes episodes that were stored before a time, session by session. `after` and `next` are the id of the last one looked at. */
export async function retainEpisodes(
  ctx: UpkeepCtx,
  { after, before, limit }: { after: number; before: number; limit: number },
): Promise<Omit<PreparedStep, "next"> & { next: number | null }> {
  const per = sql.raw(String(CHUNKS_PER_SESSION));
  const rows = await ctx.db.all<Row>(sql`
    with walked as materialized (
      select s.id, s.space_id from sessions s where s.tenant_id = ${ctx.tenantId} and s.id >= ${sessionOf(after)} order by s.id limit ${SESSIONS_A_STEP})
    select w.id as sessionId, w.space_id as spaceId, e.id as id, e.chunk_count as chunkCount,
      e.created_at < ${before} and e.tenant_id = ${ctx.tenantId} as isOld
    from walked w left join episodes e on e.id in (
      select x.id from episodes x where x.id > max(w.id * ${per} - 1, ${after}) and x.id < (w.id + 1) * ${per} order by x.id limit ${EPISODES_A_SESSION})`);
  const sessions = Map.groupBy(rows, ({ sessionId }) => sessionId);
  const taken: EpisodeToForget[] = [];
  let next = sessions.size < SESSIONS_A_STEP ? null : firstChunkOf(Math.max(...sessions.keys()) + 1) - 1;
  for (const found of sessions.values()) {
    const old = found.flatMap(({ isOld, id, chunkCount, spaceId }) =>
      isOld === 1 && id !== null && chunkCount !== null ? [{ id, chunkCount, spaceId }] : [],
    );
    const room = limit - taken.length;
    taken.push(...old.slice(0, room));
    if (old.length > room || old.length === EPISODES_A_SESSION) {
      next = taken.at(-1)?.id ?? after;
      break;
    }
  }
  if (taken.length === 0) return { counts: { episodes: 0 }, statements: [], jobIds: [], next };
  return { counts: { episodes: taken.length }, ...forgetEpisodeStatements(ctx, taken), next };
}
