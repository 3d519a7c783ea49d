import { sql } from "drizzle-orm";
import type { Ctx } from "#context";
import { analyse } from "#core/text/analyse";
import { STOP_WORDS } from "#core/text/stop-words";
import { type Query, statement } from "#db/client";
import { integer, row } from "#db/row";
import { CHUNKS_PER_SESSION } from "#db/schema/sessions";
import {
  type MemoryViewerRef,
  ownTokens,
  readerCte,
  seesEpisodesOf,
  seesMemory,
  type ViewerRef,
  viewerCte,
  visibleSpaces,
} from "#domain/visibility";
import { BUILT_IN_NOUNS } from "./built-in-topics.ts";

const PER_SESSION = sql.raw(String(CHUNKS_PER_SESSION));
const MAX_TERMS = 40;
const SPOKEN = row({ id: integer(sql`f.rowid`) });

/** The words by which talk about a topic is found: of a known topic its nouns, of another its own. */
export function termsOfTopic(topic: string): string[] {
  const nouns = BUILT_IN_NOUNS[topic] ?? [topic.replace(/^favorite_/, "").replaceAll("_", " ")];
  return termsOf(nouns.join(" "));
}

export function termsOf(text: string): string[] {
  return [...new Set(analyse(text))].filter((term) => !STOP_WORDS.has(term)).slice(0, MAX_TERMS);
}

export function speaksOf(text: string, terms: readonly string[]): boolean {
  const spoken = new Set(analyse(text));
  return terms.some((term) => spoken.has(term));
}

/** One memory, of those that the viewer may see, that has one of these words; no row if there is none. */
export function findKnown(ctx: Ctx<"now">, viewer: ViewerRef, terms: readonly string[]): Query<{ id: number }> {
  const reader: MemoryViewerRef = {
    ...viewer,
    workspaceId: null,
    scopeType: null,
    scopeId: null,
    ownProjectOnly: false,
    reach: "tenant",
    about: null,
    exceptOwner: null,
    asOf: null,
    now: ctx.now(),
  };
  const anyTerm = ` AND text : (${terms.map((term) => `"${term}"`).join(" OR ")})`;
  return statement(
    SPOKEN,
    sql`
    with ${readerCte(reader)}, own (expression) as materialized (select 'space : (' || ${ownTokens(reader)} || ')')
    select ${SPOKEN.columns} from memory_fts f cross join reader r cross join memories m on m.id = f.rowid
    where f.memory_fts match ((select expression from own) || ${anyTerm}) and ${seesMemory(reader, sql`m`)}
    limit 1`,
  );
}

/** One passage, of those that the viewer may see, that has one of these words; no row if there is none. */
export function findSpoken(ctx: Ctx, viewer: ViewerRef, terms: readonly string[]): Query<{ id: number }> {
  const anyTerm = `(${terms.map((term) => `"${term}"`).join(" OR ")})`;
  return statement(
    SPOKEN,
    sql`
    with ${viewerCte(viewer)},
    spaces_match as materialized (
      select 'space : (' || group_concat('"s' || space_id || '"', ' OR ') || ') AND text : ' as expression from ${visibleSpaces(viewer)})
    select ${SPOKEN.columns} from viewer v cross join message_fts f cross join sessions s on s.id = f.rowid / ${PER_SESSION}
    where f.message_fts match ((select expression from spaces_match) || ${anyTerm}) and ${seesEpisodesOf(ctx.tenantId, sql`s`)}
      and (select expression from spaces_match) is not null
    limit 1`,
  );
}
