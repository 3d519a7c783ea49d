import { type SQL, sql } from "drizzle-orm";
import { type Query, statement } from "#db/client";
import { flag, integer, row, text } from "#db/row";
import { type SeenRow, seenShape } from "#domain/memories";
import { seesMemory } from "#domain/visibility";
import { type MemoryQuestion, passesFilter, withReader } from "./find-memories.ts";

/** Replaced statements that are looked up for one search, and how often what replaced one was replaced in turn. */
const MAX_REPLACED = 200;
const MAX_CHAIN = 8;

/**
 * `ends (episode, content, id)`: the statements learned in the episodes of these chunks that have been replaced since, and the memory that is
 * current now. The statement is a superseded memory, or an earlier version of one that was changed in place.
 */
function endsCte(question: MemoryQuestion, chunkIds: readonly number[]): SQL {
  const sawIt = seesMemory({ ...question.viewer, asOf: "ever" }, sql`m`);
  return sql`
    near (id) as materialized (
      select distinct (select max(x.id) from episodes x where x.id <= c.value) from json_each(${JSON.stringify(chunkIds)}) c),
    replaced (episode_id, content, next) as materialized (
      select m.episode_id, m.content, m.superseded_by from near n cross join memories m on m.episode_id = n.id cross join reader r
      where m.deleted_at is null and m.superseded_by is not null and ${sawIt}
      union all
      select n.id, ve.data ->> 'content', m.id from near n cross join memory_versions ve on ve.data ->> 'episodeId' = n.id
      cross join memories m on m.id = ve.memory_id cross join reader r
      where ve.data ->> 'content' <> m.content and ${sawIt} limit ${MAX_REPLACED}),
    chain (episode_id, content, id, depth) as (
      select episode_id, content, next, 0 from replaced
      union all
      select ch.episode_id, ch.content, cm.superseded_by, ch.depth + 1 from chain ch cross join memories cm on cm.id = ch.id
      where cm.superseded_by is not null and ch.depth < ${MAX_CHAIN}),
    ends (episode_id, content, id, is_gone) as materialized (
      select ch.episode_id, ch.content, ce.id, ce.deleted_at is not null from chain ch cross join memories ce on ce.id = ch.id
      where ce.superseded_by is null)`;
}

const REPLACED = row({
  episodeId: text(sql`ep.public_id`),
  content: text(sql`ends.content`),
  currentId: integer(sql`ends.id`),
  /** Whether the current value was forgotten: then nothing stands in the place of the old one. */
  isGone: flag(sql`ends.is_gone`),
});

/** A statement of an episode that no longer holds, and the memory that replaced it, by its internal id. */
export type Replaced = { episodeId: string; content: string; currentId: number; isGone: boolean };

/** Read in the round trip that loads the passages of these chunks. Only of statements that the viewer could see while they held. */
export function findReplaced(question: MemoryQuestion, chunkIds: readonly number[]): Query<Replaced> {
  return statement(
    REPLACED,
    sql`
    ${withReader(question)}, ${endsCte(question, chunkIds)}
    select ${REPLACED.columns} from ends cross join episodes ep on ep.id = ends.episode_id`,
  );
}

/** The memories that replaced those statements, of which the viewer may see them. The statement decides visibility. */
export function loadCurrent(question: MemoryQuestion, chunkIds: readonly number[]): Query<SeenRow> {
  const shape = seenShape(question.viewer);
  return statement(
    shape,
    sql`
    ${withReader(question)}, ${endsCte(question, chunkIds)}
    select ${shape.columns} from reader r cross join (select distinct id from ends) en cross join memories m on m.id = en.id
    where ${seesMemory(question.viewer, sql`m`)} and ${passesFilter(question.filter)}`,
  );
}
