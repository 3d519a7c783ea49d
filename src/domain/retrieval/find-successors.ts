import { type SQL, sql } from "drizzle-orm";
import { type Query, statement } from "#db/client";
import { flag, integer, row, text } from "#db/row";
import { isSummary } from "#db/schema/memories";
import { type SeenRow, STATES, seenColumns } from "#domain/memories";
import { seesMemory } from "#domain/visibility";
import { type MemoryQuestion, passesFilter, withReader } from "./find-memories.ts";

/** Replaced statements that are looked up for one search, and how often what replaced one was replaced in turn. */
const MAX_REPLACED = 200;
const MAX_CHAIN = 8;

/** Passages of episodes, and memories, by their internal ids; of the memories, summaries stand for the episodes that they cite. */
export type Sources = { passages: readonly number[]; memories: readonly number[] };

/**
 * `ends (episode, memory, content, id, is_gone, is_part)`: the statements learned in the episodes of these sources that have been replaced since, and the
 * memory that is current now. The statement is a superseded memory, or an earlier version of one that was changed in place. What replaced it
 * may have been forgotten, have expired or be deleted for good: then `is_gone`, and in the last case `id` is the replaced memory's own. Of a
 * memory that says more than the value of a key (`STATES`) only a part was replaced by what has the key now: `is_part`.
 */
function endsCte(question: MemoryQuestion, { passages, memories }: Sources): SQL {
  const sawIt = seesMemory({ ...question.viewer, asOf: "ever" }, sql`m`);
  return sql`
    near (id) as materialized (
      select (select max(x.id) from episodes x where x.id <= c.value) from json_each(${JSON.stringify(passages)}) c
      union
      select ce.id from json_each(${JSON.stringify(memories)}) s cross join memories sm on sm.id = s.value and ${isSummary(sql`sm`)}
      cross join json_each(sm.metadata, '$.episodes') cc cross join episodes ce on ce.public_id = cc.value
      where sm.tenant_id = ${question.viewer.tenantId} and ce.tenant_id = sm.tenant_id),
    replaced (episode_id, content, next, old) as materialized (
      select m.episode_id, m.content, m.superseded_by, m.id from near n cross join memories m on m.episode_id = n.id cross join reader r
      where m.deleted_at is null and m.superseded_by is not null and ${sawIt}
      union all
      select n.id, ve.data ->> 'content', m.id, m.id from near n cross join memory_versions ve on ve.data ->> 'episodeId' = n.id
      cross join memories m on m.id = ve.memory_id cross join reader r
      where ve.data ->> 'content' <> m.content and ${sawIt} limit ${MAX_REPLACED}),
    stating (id) as materialized (
      select m.id from near n cross join memories m on m.episode_id = n.id where m.deleted_at is null and m.superseded_by is null
      union
      select value from json_each(${JSON.stringify(memories)})),
    parts (episode_id, memory_id, content, id) as materialized (
      select m.episode_id, m.id, m.content, k.id from stating s cross join memories m on m.id = s.id cross join reader r
      cross join json_each(m.metadata, '$.${sql.raw(STATES)}') st
      cross join memories k on k.space_id = m.space_id and k.key = st.value and k.key <> '' and k.deleted_at is null and k.superseded_by is null
        and k.valid_from > m.valid_from and k.workspace_id is m.workspace_id
      where m.tenant_id = ${question.viewer.tenantId} and m.key = '' and ${sawIt} limit ${MAX_REPLACED}),
    chain (episode_id, content, id, old, depth) as (
      select episode_id, content, next, old, 0 from replaced
      union all
      select ch.episode_id, ch.content, cm.superseded_by, ch.old, ch.depth + 1 from chain ch cross join memories cm on cm.id = ch.id
      where cm.superseded_by is not null and ch.depth < ${MAX_CHAIN}),
    ends (episode_id, memory_id, content, id, is_gone, is_part) as materialized (
      select ch.episode_id, ch.old, ch.content, coalesce(ce.id, ch.old),
        ce.id is null or ce.deleted_at is not null or coalesce(ce.expires_at <= ${question.viewer.now}, 0), 0
      from chain ch left join memories ce on ce.id = ch.id
      where ce.superseded_by is null
      union all
      select episode_id, memory_id, content, id, 0, 1 from parts)`;
}

/** A statement that no longer holds, or of which a part no longer does. */
export type Replaced = {
  /** The public id of the episode in which it was learned; empty for none. */
  episodeId: string;
  /** The internal id of the memory that states it. */
  memoryId: number;
  /** Whether it says something else, which holds. */
  isPart: boolean;
  content: string;
  /** The internal id of the memory with the current value. */
  currentId: number;
  /** Whether that was forgotten or has expired: then nothing stands in the place of the old one. */
  isGone: boolean;
};

/** A replaced statement in `ofEpisode`, `replacedContent` and `isGone`, and the columns of the memory that is current now. */
export type SuccessorRow = SeenRow & {
  ofEpisode: string;
  ofMemory: number;
  replacedContent: string;
  isGone: boolean;
  isPart: boolean;
};

/**
 * What was replaced, and by what, if the viewer may see that; read in the round trip that loads the passages of these sources. Only of
 * statements that the viewer could see while they held.
 */
export function findSuccessors(question: MemoryQuestion, sources: Sources): Query<SuccessorRow> {
  const shape = row({
    ...seenColumns(question.viewer),
    ofEpisode: text(sql`coalesce(ep.public_id, '')`),
    ofMemory: integer(sql`en.memory_id`),
    replacedContent: text(sql`en.content`),
    isGone: flag(sql`en.is_gone`),
    isPart: flag(sql`en.is_part`),
  });
  return statement(
    shape,
    sql`
    ${withReader(question)}, ${endsCte(question, sources)}
    select ${shape.columns} from reader r cross join ends en left join episodes ep on ep.id = en.episode_id
    cross join memories m on m.id = en.id
    where en.is_gone or (${seesMemory(question.viewer, sql`m`)} and ${passesFilter(question.filter)})`,
  );
}

export function toReplaced({ ofEpisode, ofMemory, replacedContent, id, isGone, isPart }: SuccessorRow): Replaced {
  return { episodeId: ofEpisode, memoryId: ofMemory, content: replacedContent, currentId: id, isGone, isPart };
}
