import { sql } from "drizzle-orm";
import type { Ctx } from "#context";
import { notFound } from "#core/errors";
import { isPublicId } from "#core/ids";
import { requirePermission } from "#core/permission";
import { isLostRace } from "#db/guard";
import { commit, runBatch } from "#domain/audit";
import { dispatch } from "#domain/jobs";
import { actingUser, userIdOf } from "#domain/tenants";
import { asFoundSession, findSession } from "./find-session.ts";
import { forgetEpisodeStatements } from "./forget-statements.ts";

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
  const user = actingUser(ctx, asked.userId);
  if (!isPublicId("episode", named.episodeId)) throw notFound("episode");
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
  const { statements, jobIds } = forgetEpisodeStatements(ctx, [{ ...episode, spaceId: session.spaceId }]);
  try {
    await commit(ctx, {
      statements,
      audit: [{ action: "episode.forgotten", objectId: named.episodeId, userId: userIdOf(ctx.tenantId, user), detail: {} }],
    });
  } catch (error) {
    if (isLostRace(error)) throw notFound("episode");
    throw error;
  }
  dispatch(ctx, jobIds);
}
