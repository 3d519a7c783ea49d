import { type SQL, sql } from "drizzle-orm";
import type { Ctx } from "#context";
import { notFound } from "#core/errors";
import { isPublicId } from "#core/ids";
import { requirePermission } from "#core/permission";
import { read, type Statement, select } from "#db/client";
import { failUnless } from "#db/guard";
import { row } from "#db/row";
import { EPISODE } from "#db/schema/sessions";
import { commitUnlessLost } from "#domain/audit";
import { dispatch, enqueueMany } from "#domain/jobs";
import { actingUser, userIdOf } from "#domain/tenants";
import { sessionOf } from "./chunk-id.ts";
import { findSession } from "./find-session.ts";
import { takeSummaries } from "./take-summaries.ts";

const FOUND = row(EPISODE.of(sql`e`, "id", "chunkCount", "sessionId"));

/**
 * Deletes one episode: its row, its index text and its message ids at once, its vectors by a job (a vector without a row is never shown).
 * @throws not_found for an episode that is not in the session, and for a user who does not take part in it.
 */
export async function forgetEpisode(
  ctx: Ctx<"db" | "now" | "newId" | "jobs" | "defer">,
  named: { sessionExternalId: string; episodeId: string },
  asked: { userId?: string | undefined },
): Promise<void> {
  requirePermission(ctx.actor, "write");
  const user = actingUser(ctx, asked.userId);
  if (!isPublicId("episode", named.episodeId)) throw notFound("episode");
  const {
    session: [session],
    episode: [episode],
  } = await read(ctx, {
    session: findSession(ctx, { externalId: named.sessionExternalId, user }),
    episode: select(FOUND)`from episodes e where e.public_id = ${named.episodeId} and e.tenant_id = ${ctx.tenantId}`,
  });
  if (!session?.mayEnter || episode?.sessionId !== session.id) throw notFound("episode");
  const { statements, jobIds } = forgetEpisodeStatements(ctx, [{ ...episode, spaceId: session.spaceId }]);
  const forgotten = await commitUnlessLost(ctx, {
    statements,
    audit: [{ action: "episode.forgotten", objectId: named.episodeId, userId: userIdOf(ctx.tenantId, user), detail: {} }],
  });
  if (forgotten === "lost") throw notFound("episode");
  dispatch(ctx, jobIds);
}

export type EpisodeToForget = { id: number; chunkCount: number; spaceId: number };

/**
 * Statements that delete episodes with their index text, message ids, mentions of entities and places in lists, and their vectors by jobs,
 * one for each run of adjacent episodes. Their summaries go too, unless `keepsSummaries`: what is only too old lives on in them. They fail
 * the batch if one is gone already.
 */
export function forgetEpisodeStatements(
  ctx: Ctx<"db" | "now" | "newId">,
  episodes: readonly EpisodeToForget[],
  { keepsSummaries = false }: { keepsSummaries?: boolean } = {},
): { statements: Statement[]; jobIds: string[] } {
  const jobs = runsOf(episodes).map((run) => ({ id: ctx.newId("job"), payload: JSON.stringify(run) }));
  const deletions = episodeDeletions(ctx, episodes, { keepsSummaries });
  const statements = [...deletions.map(({ statement }) => statement), enqueueMany(ctx, { kind: "vectors.remove", drafts: jobs })];
  return { jobIds: jobs.map(({ id }) => id), statements };
}

/** `table`: the one whose rows the statement deletes; null for what it changes elsewhere, for the text index and for the guard. */
export type EpisodeDeletion = {
  table: "message_keys" | "entity_mentions" | "list_messages" | "episodes" | null;
  statement: Statement;
};

/** The same without the vectors, each statement with its table. */
export function episodeDeletions(
  ctx: Ctx<"db">,
  episodes: readonly EpisodeToForget[],
  { keepsSummaries = false }: { keepsSummaries?: boolean } = {},
): EpisodeDeletion[] {
  // Written as a literal: D1 binds a number as a real, and FTS5 ignores a bound that is not an integer and reads the whole table.
  const ids: SQL = sql.raw(episodes.map(({ id }) => id).join(","));
  const sessions = sql.raw([...new Set(episodes.map(({ id }) => sessionOf(id)))].join(","));
  const runs = runsOf(episodes);
  const from = (table: EpisodeDeletion["table"], text: SQL): EpisodeDeletion => ({ table, statement: ctx.db.run(text) });
  const guard = failUnless(
    ctx.db,
    sql`(select count(*) from episodes where id in (${ids}) and tenant_id = ${ctx.tenantId}) = ${episodes.length}`,
  );
  return [
    { table: null, statement: guard },
    ...(keepsSummaries ? [] : takeSummaries(ctx, ids)).map((statement) => ({ table: null, statement })),
    from(null, sql`delete from message_fts where ${passagesOf(runs, ids)}`),
    from(
      "message_keys",
      sql`
        delete from message_keys where episode_id in (${ids}) and (session_id, message_id) in (
          select e.session_id, m.value ->> 'messageId' from episodes e cross join json_each(e.messages) m
          where e.id in (${ids}) and m.value ->> 'messageId' is not null)`,
    ),
    from(
      null,
      sql`
        update entities set mention_count = mention_count - (
          select count(*) from entity_mentions em where em.entity_id = entities.id and em.episode_id in (${ids}))
        where id in (select em.entity_id from entity_mentions em where em.episode_id in (${ids})) and +tenant_id = ${ctx.tenantId}`,
    ),
    from("entity_mentions", sql`delete from entity_mentions where episode_id in (${ids})`),
    from("list_messages", sql`delete from list_messages where session_id in (${sessions}) and episode_id in (${ids})`),
    from("episodes", sql`delete from episodes where id in (${ids}) and tenant_id = ${ctx.tenantId}`),
  ];
}

/** The rows of the text index: one range for adjacent episodes, else looked up for each in the index itself. */
function passagesOf([first, ...others]: readonly Run[], ids: SQL): SQL {
  if (first !== undefined && others.length === 0)
    return sql`rowid >= ${sql.raw(String(first.from))} and rowid < ${sql.raw(String(first.from + first.chunks))}`;
  return sql`rowid in (
    select d.id from episodes e cross join message_fts_docsize d on d.id >= e.id and d.id < e.id + e.chunk_count where e.id in (${ids}))`;
}

type Run = { from: number; chunks: number; space: number };

/** Runs of adjacent chunks, as `vectors.remove` takes them. */
function runsOf(episodes: readonly EpisodeToForget[]): Run[] {
  const runs: Run[] = [];
  for (const { id, chunkCount, spaceId } of episodes.toSorted((a, b) => a.id - b.id)) {
    const last = runs.at(-1);
    if (last !== undefined && last.from + last.chunks === id && last.space === spaceId) last.chunks += chunkCount;
    else runs.push({ from: id, chunks: chunkCount, space: spaceId });
  }
  return runs;
}
