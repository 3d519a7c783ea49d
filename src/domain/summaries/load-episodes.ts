import { sql } from "drizzle-orm";
import type { Ctx } from "#context";
import type { Sensitivity } from "#core/safety/sensitivity";
import { read, readRows, type Statement, select } from "#db/client";
import { integer, json, type RowOf, row, text } from "#db/row";
import { isSummary, MEMORY } from "#db/schema/memories";
import { EPISODE } from "#db/schema/sessions";
import { deleteSummaries, firstChunkOf } from "#domain/sessions";
import type { SessionToSummarize } from "./load-session.ts";
import { keptWithin, tokensOf } from "./parts.ts";
import { statesAny, tellingWords } from "./said-sentences.ts";

const EPISODE_ROW = row(
  EPISODE.of(
    sql`e`,
    ...(["id", "publicId", "messages", "chunks", "firstAt", "occurredAt", "createdAt", "redactions", "sentBy"] as const),
  ),
);

export type EpisodeToSummarize = RowOf<typeof EPISODE_ROW> & { tokens: number };

/** Episodes that are read at a time. */
const A_PAGE = 100;

/** `due`: what was stored before this is summarized too, though the budget would keep it; null for nothing. */
export type Beyond = { keepTokens: number; due: number | null };

/** The oldest episodes of a session beyond the budget that no summary covers, in order, and whether there may be more. */
export async function loadBeyond(
  ctx: Ctx<"db">,
  session: SessionToSummarize,
  { keepTokens, due }: Beyond,
): Promise<{ episodes: EpisodeToSummarize[]; hasMore: boolean }> {
  const bound = await findBound(ctx, session, keepTokens);
  const from = firstChunkOf(session.id);
  const rows = await readRows(
    ctx,
    select(
      EPISODE_ROW,
    )`from episodes e where e.id >= ${from} and e.id < ${firstChunkOf(session.id + 1)} and e.tenant_id = ${ctx.tenantId}
      and e.summary_id is null and (e.id < ${bound} or (${due !== null} and e.created_at < ${due ?? 0})) order by e.id limit ${A_PAGE + 1}`,
  );
  const episodes = rows.slice(0, A_PAGE).map((episode) => ({ ...episode, tokens: tokensOf(episode) }));
  return { episodes, hasMore: rows.length > A_PAGE };
}

/** The id of the oldest episode that the budget keeps. */
async function findBound(ctx: Ctx<"db">, session: SessionToSummarize, keepTokens: number): Promise<number> {
  let bound = firstChunkOf(session.id + 1);
  for (let left = keepTokens; ; ) {
    const rows = await readRows(
      ctx,
      select(
        EPISODE_ROW,
      )`from episodes e where e.id >= ${firstChunkOf(session.id)} and e.id < ${bound} and e.tenant_id = ${ctx.tenantId}
        order by e.id desc limit ${A_PAGE}`,
    );
    const tokens = rows.map(tokensOf);
    const kept = keptWithin(tokens, left);
    bound = rows[kept - 1]?.id ?? bound;
    if (kept < A_PAGE) return kept === rows.length ? firstChunkOf(session.id) : bound;
    left -= tokens.reduce((sum, one) => sum + one, 0);
  }
}

const SPEAKER = row({ userId: integer(sql`pe.user_id`), personId: text(sql`pe.public_id`), name: text(sql`pe.name`) });
const LEARNED = row(MEMORY.of(sql`m`, "sensitivity"));
const REPLACED = row({ content: text(sql`w.content`) });

/** What is known about a part of a session beside its words. */
export type Surroundings = {
  speakers: Map<number, { personId: string; name: string }>;
  /** The contents of statements that were made there and have been replaced since. */
  replaced: string[];
  /** The sensitivity of what was learned there. */
  learned: Sensitivity[];
};

export async function loadSurroundings(ctx: Ctx<"db">, episodes: readonly EpisodeToSummarize[]): Promise<Surroundings> {
  const ids = JSON.stringify(episodes.map(({ id }) => id));
  const users = episodes.flatMap(({ messages, sentBy }) => [sentBy, ...messages.map(({ userId }) => userId)]);
  const named = JSON.stringify([...new Set(users.filter((id) => typeof id === "number"))]);
  const { speakers, replaced, learned } = await read(ctx, {
    speakers: select(SPEAKER)`from json_each(${named}) j cross join persons pe on pe.user_id = j.value
      where pe.tenant_id = ${ctx.tenantId}`,
    replaced: select(REPLACED)`from (
        select m.content from json_each(${ids}) j cross join memories m on m.episode_id = j.value
        where m.episode_id is not null and m.deleted_at is null and m.superseded_by is not null and m.tenant_id = ${ctx.tenantId}
        union
        select ve.data ->> 'content' from json_each(${ids}) k cross join memory_versions ve on ve.data ->> 'episodeId' = k.value
        cross join memories m on m.id = ve.memory_id
        where ve.data ->> 'content' <> m.content and m.tenant_id = ${ctx.tenantId}) w`,
    learned: select(LEARNED)`from json_each(${ids}) j cross join memories m on m.episode_id = j.value
      where m.episode_id is not null and m.deleted_at is null and m.tenant_id = ${ctx.tenantId}`,
  });
  return {
    speakers: new Map(speakers.map(({ userId, ...person }) => [userId, person])),
    replaced: replaced.map(({ content }) => content),
    learned: learned.map(({ sensitivity }) => sensitivity),
  };
}

const OUTDATED = row({
  ...MEMORY.of(sql`m`, "id", "content"),
  replaced: json<string[]>(sql`(
    select json_group_array(w.content) from (
      select o.content from json_each(m.metadata, '$.episodes') c cross join episodes e on e.public_id = c.value
      cross join memories o on o.episode_id = e.id
      where o.episode_id is not null and o.deleted_at is null and o.superseded_by is not null and o.updated_at >= m.created_at
      union
      select ve.data ->> 'content' from json_each(m.metadata, '$.episodes') d cross join episodes f on f.public_id = d.value
      cross join memory_versions ve on ve.data ->> 'episodeId' = f.id cross join memories n on n.id = ve.memory_id
      where ve.replaced_at >= m.created_at and ve.data ->> 'content' <> n.content) w)`),
});

/**
 * Statements that delete those summaries of a session that state something which was replaced after they were written, so that they are
 * written anew; only where all of their episodes still exist.
 */
export async function dropOutdated(ctx: Ctx<"db">, session: SessionToSummarize): Promise<Statement[]> {
  const rows = await readRows(
    ctx,
    select(OUTDATED)`from memories m indexed by memories_key where m.space_id = ${session.spaceId} and m.key <> ''
      and ${isSummary(sql`m`)} and m.deleted_at is null and m.superseded_by is null and m.learned_in = ${session.id}
      and m.tenant_id = ${ctx.tenantId} and not exists (
        select 1 from json_each(m.metadata, '$.episodes') a left join episodes b on b.public_id = a.value where b.id is null)`,
  );
  const outdated = rows.filter(({ content, replaced }) => {
    const old = replaced.map(tellingWords).filter((words) => words.size > 0);
    return content
      .split("\n")
      .slice(1)
      .some((line) => statesAny(line, old));
  });
  if (outdated.length === 0) return [];
  return deleteSummaries(ctx, sql`select value from json_each(${JSON.stringify(outdated.map(({ id }) => id))})`);
}
