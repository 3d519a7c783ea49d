import { sql } from "drizzle-orm";
import type { Ctx } from "#context";
import { notFound } from "#core/errors";
import { isPublicId } from "#core/ids";
import { requirePermission } from "#core/permission";
import { commit, runBatch } from "#domain/audit";
import { enqueue, hurry } from "#domain/jobs";
import { actingUser, userIdOf } from "#domain/tenants";
import { asFoundSession, findSession } from "./find-session.ts";

/**
 * Deletes one episode: its row, its text index and its message ids at once, its vectors by a job (a vector without a row
 * is never shown). Whoever takes part in the session may; 404 for others.
 */
export async function forgetEpisode(
  ctx: Ctx<"db" | "now" | "newId" | "jobs" | "defer">,
  named: { sessionExternalId: string; episodeId: string },
  asked: { userId?: string | undefined },
): Promise<void> {
  requirePermission(ctx.actor, "write");
  if (!isPublicId("episode", named.episodeId)) throw notFound("episode");
  const user = actingUser(ctx, asked.userId);
  const [found, rows] = await runBatch(ctx, [
    findSession(ctx, { externalId: named.sessionExternalId, user }),
    ctx.db.all(sql`
      select e.id as id, e.chunk_count as chunkCount, e.session_id as sessionId from episodes e
      where e.public_id = ${named.episodeId} and e.tenant_id = ${ctx.tenantId}`),
  ]);
  const session = asFoundSession(found?.rows ?? []);
  const episode = rows?.rows[0] as { id: number; chunkCount: number; sessionId: number } | undefined;
  if (session === undefined || (session.pool ?? "none") === "none" || episode?.sessionId !== session.id)
    throw notFound("episode");
  const jobId = ctx.newId("job");
  // Written out: D1 binds a number as a real, and FTS5 takes a bound that is no integer for none, and reads the whole table.
  const [first, end] = [sql.raw(String(episode.id)), sql.raw(String(episode.id + episode.chunkCount))];
  const [, , deleted] = await commit(ctx, {
    statements: [
      ctx.db.run(sql`delete from message_fts where rowid >= ${first} and rowid < ${end}`),
      ctx.db.run(sql`
        delete from message_keys where session_id = ${session.id} and episode_id = ${episode.id} and message_id in (
          select m.value ->> 'messageId' from episodes e, json_each(e.messages) m where e.id = ${episode.id})`),
      ctx.db.run(sql`delete from episodes where id = ${episode.id} and tenant_id = ${ctx.tenantId}`),
      enqueue(ctx, {
        id: jobId,
        kind: "vectors.remove",
        payload: JSON.stringify({ from: episode.id, chunks: episode.chunkCount, space: session.spaceId }),
        from: sql`(select 1 where changes() > 0)`,
      }),
    ],
    audit: [
      {
        action: "episode.forgotten",
        objectId: named.episodeId,
        userId: userIdOf(ctx.tenantId, user),
        detail: {},
        when: sql`changes() > 0`,
      },
    ],
  });
  if (deleted?.changes === 0) throw notFound("episode");
  hurry(ctx, [jobId]);
}
