import { sql } from "drizzle-orm";
import type { Ctx } from "#context";
import { describeError } from "#core/describe-error";
import type { QueryAnalysis, QueryTerm } from "#core/text/query";
import { type Query, read, statement } from "#db/client";
import { integer, integers, nullable, type RowOf, row, text } from "#db/row";
import { type ChannelFailure, NO_VECTORS, readingOf, startVectors } from "#domain/embedding";
import { entityProject, type Pool, type ViewerRef, viewerCte } from "#domain/visibility";
import { entityOf } from "./index-entities.ts";
import { spaceOfProject } from "./list-entities.ts";
import { type RankedEntity, rankByWords } from "./rank-entities.ts";

export type RetrieveCtx = Ctx<"db" | "now" | "embedder" | "vectors" | "caches" | "log">;

/** If more of a project's entities contain a term than this, only the newest are read. */
const MAX_ROWS_A_TERM = 5_000;
const MAX_CANDIDATES = 100;
const TOP_K = 50;

/** `types` null for all. */
export type EntityQuestion = {
  viewer: ViewerRef;
  query: string;
  question: QueryAnalysis;
  types: readonly string[] | null;
  limit: number;
  channelLimitMs: number | undefined;
};

export type EntityCandidates = {
  /** Null when the user is unknown. */
  pool: Pool | null;
  text: { ranked: RankedEntity[]; ideal: number };
  semantic: RankedEntity[];
  degraded: { channel: "text" | "semantic"; reason: ChannelFailure }[];
  queryEmbedding: "cached" | "computed" | "unused";
};

/** The candidates by words and by vectors: one round trip to D1, and the vector search in parallel. */
export async function retrieveEntities(ctx: RetrieveCtx, asked: EntityQuestion): Promise<EntityCandidates> {
  const { query, viewer, channelLimitMs: limitMs } = asked;
  const asksModel = readingOf(ctx, query).nature !== "lexical";
  const nearestTo = startVectors(ctx, { query, user: viewer.user, atOnce: asksModel, limitMs });
  const { place, postings, textFailed } = await retrieveFromDatabase(ctx, asked);
  const text = rankByWords(asked.question.terms, postings, MAX_CANDIDATES);
  const fillsUp = !asksModel && text.ranked.length < asked.limit;
  const space = place?.space ?? null;
  const { found, queryEmbedding, failure } =
    space === null || !(asksModel || fillsUp)
      ? NO_VECTORS
      : await nearestTo((vector) => nearestIn(ctx, asked, { vector, space }));
  return {
    ...{ pool: place?.pool ?? null, text, semantic: found, queryEmbedding },
    degraded: [
      ...(textFailed ? [{ channel: "text" as const, reason: "failed" as const }] : []),
      ...(failure === null ? [] : [{ channel: "semantic" as const, reason: failure }]),
    ],
  };
}

const PLACE = row({
  pool: text<Pool>(sql`v.pool`),
  space: nullable(integer(sql`(select p.space_id from projects p where p.id = ${entityProject})`)),
});

type Place = RowOf<typeof PLACE>;

/** The first round trip. If the text index fails, the batch fails with it: then only the viewer is looked up. */
async function retrieveFromDatabase(
  ctx: RetrieveCtx,
  { viewer, question, types }: EntityQuestion,
): Promise<{ place: Place | undefined; postings: number[][]; textFailed: boolean }> {
  const { terms } = question;
  try {
    const {
      place: [place],
      postings,
    } = await read(ctx, { place: findSpace(viewer), postings: findPostings(viewer, { terms, types }) });
    const byTerm = new Map(postings.map(({ term, ids }) => [term, ids]));
    return { place, postings: terms.map(({ term }) => byTerm.get(term) ?? []), textFailed: false };
  } catch (error) {
    ctx.log("search.degraded", { channel: "text", ...describeError(error) });
    const {
      place: [place],
    } = await read(ctx, { place: findSpace(viewer) });
    return { place, postings: terms.map(() => []), textFailed: true };
  }
}

function findSpace(viewer: ViewerRef): Query<Place> {
  return statement(PLACE, sql`with ${viewerCte(viewer)} select ${PLACE.columns} from viewer v`);
}

/**
 * For each term the ids of the project's entities that contain it. The MATCH names the project's space, so other projects' rows are not
 * read.
 */
function findPostings(
  viewer: ViewerRef,
  { terms, types }: { terms: readonly QueryTerm[]; types: readonly string[] | null },
): Query<{ term: string; ids: number[] }> {
  const ofType =
    types === null
      ? sql``
      : sql`cross join entities en on en.id = f.rowid and en.type in (select value from json_each(${JSON.stringify(types)}))`;
  const posting = row({
    term: text(sql`t.value`),
    ids: integers(sql`(
      select group_concat(id) from (
        select f.rowid as id from entity_fts f ${ofType}
        where f.entity_fts match ((select expression from place) || ' AND text : "' || t.value || '"')
        order by f.rowid desc limit ${MAX_ROWS_A_TERM}))`),
  });
  return statement(
    posting,
    sql`
    with ${viewerCte(viewer)}, place as materialized (select ${spaceOfProject} as expression where ${entityProject} is not null)
    select ${posting.columns}
    from json_each(${JSON.stringify(terms.map(({ term }) => term))}) t where exists (select 1 from place)`,
  );
}

async function nearestIn(
  ctx: RetrieveCtx,
  { types, query }: EntityQuestion,
  { vector, space }: { vector: Float32Array; space: number },
): Promise<RankedEntity[]> {
  const filter = { kind: "entity", model: ctx.embedder.model, ...(types === null ? {} : { type: { $in: types } }) };
  const matches = await ctx.vectors.query(ctx.tenantId, { vector, spaces: [space], filter, topK: TOP_K });
  const { cosines, estimateFloor: floor = cosines.floor } = readingOf(ctx, query);
  return matches.flatMap(({ id, score }) => {
    const entity = entityOf(id);
    return entity === null || score < floor ? [] : [{ kind: "entity", id: entity, score }];
  });
}
