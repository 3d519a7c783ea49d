import { type SQL, sql } from "drizzle-orm";
import type { Ctx } from "#context";
import type { QueryTerm } from "#core/text/query";
import type { Statement, StatementResult } from "#db/client";
import { CHUNKS_PER_SESSION } from "#domain/sessions";
import { seesEpisodesOf, type ViewerRef, viewerCte, visibleSpaces } from "#domain/visibility";

/** Of a term that a viewer's own rows hold more often than this, the newest are looked at; it tells nothing apart anyway. */
const MAX_ROWS_A_TERM = 50_000;

const PER_SESSION = sql.raw(String(CHUNKS_PER_SESSION));

export type Span = { from: number | null; to: number | null };

/**
 * For each term the ids of the visible chunks that hold it, in one statement. Every MATCH names the spaces it may look into, so
 * other people's rows change neither the cost nor, as terms are weighed by these rows alone, the ranking.
 */
export function findPostings(ctx: Ctx<"db">, viewer: ViewerRef, search: { terms: readonly QueryTerm[]; span: Span }): Statement {
  return ctx.db.all(sql`
    with ${viewerCte(viewer)},
    spaces_match as materialized (
      select 'space : (' || group_concat('"s' || space_id || '"', ' OR ') || ') AND text : ' as expression from ${visibleSpaces(viewer)})
    select t.value as term, (
      select group_concat(id) from (
        select f.rowid as id from viewer v cross join message_fts f
        cross join sessions s on s.id = f.rowid / ${PER_SESSION}
        where f.message_fts match ((select expression from spaces_match) || '"' || t.value || '"')
          and ${seesEpisodesOf(ctx.tenantId, sql`s`)} and ${saidWithin(search.span, sql`f.rowid`)}
        order by f.rowid desc limit ${MAX_ROWS_A_TERM})) as ids
    from json_each(${JSON.stringify(search.terms.map(({ term }) => term))}) t
    where (select expression from spaces_match) is not null`);
}

/** Whether the message of this chunk was said in the span; looked up only when a span is asked for. */
export function saidWithin(span: Span, chunkId: SQL): SQL {
  if (span.from === null && span.to === null) return sql`true`;
  return sql`(
    select json_extract(se.messages, '$[' || json_extract(se.chunks, '$[' || (${chunkId} - se.id) || '].m') || '].occurredAt')
    from episodes se where se.id = (select max(sx.id) from episodes sx where sx.id <= ${chunkId})
  ) between ${span.from ?? Number.MIN_SAFE_INTEGER} and ${(span.to ?? Number.MAX_SAFE_INTEGER) - 1}`;
}

/** What the statement found: the ids of each term's chunks, in the order of the terms, and at least how many chunks were searched. */
export type FoundChunks = { postings: number[][]; total: number };

/** `terms` are those that the statement was asked for. */
export function readPostings(result: StatementResult | undefined, terms: readonly QueryTerm[]): FoundChunks {
  const rows = (result?.rows ?? []) as { term: string; ids: string | null }[];
  const byTerm = new Map(rows.map(({ term, ids }) => [term, ids === null ? [] : ids.split(",").map(Number)]));
  const postings = terms.map(({ term }) => byTerm.get(term) ?? []);
  return { postings, total: chunksSeen(postings) };
}

/** At least how many chunks the sessions hold in which something matched: their highest seqs say so without another read. */
function chunksSeen(postings: readonly (readonly number[])[]): number {
  const highest = new Map<number, number>();
  for (const ids of postings) {
    for (const id of ids) {
      const session = Math.floor(id / CHUNKS_PER_SESSION);
      const count = (id % CHUNKS_PER_SESSION) + 1;
      if (count > (highest.get(session) ?? 0)) highest.set(session, count);
    }
  }
  return [...highest.values()].reduce((sum, count) => sum + count, 0);
}
