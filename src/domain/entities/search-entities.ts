import { sql } from "drizzle-orm";
import type { Ctx } from "#context";
import { requirePermission } from "#core/permission";
import { fuseWordsAndVectors, ownScale } from "#core/rank/ranking";
import { queryTerms } from "#core/text/query";
import { read, statement } from "#db/client";
import { flag, integer, nullable, type RowOf, row, text } from "#db/row";
import { readingOf } from "#domain/embedding";
import type { UserRef } from "#domain/tenants";
import { decideEntityInPool, entityProject, type Pool, requirePlace, seesEntity, viewerCte } from "#domain/visibility";
import { entityType } from "./names.ts";
import { placedUser } from "./place.ts";
import { boostNamed, isNamed } from "./rank-entities.ts";
import { type EntityCandidates, type EntityQuestion, type RetrieveCtx, retrieveEntities } from "./retrieve-entities.ts";
import type { EntityHitView, EntitySearchInput, EntitySearchView } from "./schemas.ts";
import { ENTITY_COLUMNS, type EntityRow, toEntity } from "./view.ts";

export type EntitySearch = {
  query: string;
  user: UserRef;
  /** By the app's ids. */
  sessionId: string | null;
  projectId: string | null;
  types?: readonly string[] | undefined;
  limit: number;
  explain?: boolean | undefined;
  /** The time limit of the vectors channel; the default when absent. */
  channelLimitMs?: number | undefined;
  /** Whether a place that the user has no access to is an error. */
  requiresPlace?: boolean | undefined;
};

/**
 * The search of a request.
 * @throws not_found for a place that the user has no access to.
 */
export async function findEntities(ctx: RetrieveCtx, input: EntitySearchInput): Promise<EntitySearchView> {
  const user = placedUser(ctx, input);
  const { userId: _, sessionId = null, projectId = null, ...rest } = input;
  return await searchEntities(ctx, { ...rest, user, sessionId, projectId, requiresPlace: true });
}

/**
 * Entities of the viewer's current project that match the question, best first. Words and vectors find candidates; D1 decides visibility
 * when it loads the rows. Two sequential round trips; no result without a session or project.
 * @throws not_found if `requiresPlace`.
 */
export async function searchEntities(ctx: RetrieveCtx, search: EntitySearch): Promise<EntitySearchView> {
  requirePermission(ctx.actor, "read");
  const { query, limit } = search;
  if (search.sessionId === null && search.projectId === null) return { hits: [], degraded: [], queryEmbedding: "unused" };
  const asked: EntityQuestion = {
    viewer: {
      tenantId: ctx.tenantId,
      user: search.user,
      sessionExternalId: search.sessionId,
      projectExternalId: search.projectId,
      includeGroups: false,
      sessionMayBeNew: true,
    },
    query,
    question: queryTerms(query),
    types: search.types === undefined ? null : search.types.map(entityType),
    limit,
    channelLimitMs: search.channelLimitMs,
  };
  const isEmpty = asked.question.terms.length === 0;
  const candidates = isEmpty ? null : await retrieveEntities(ctx, asked);
  const ids = [...new Set([...(candidates?.text.ranked ?? []), ...(candidates?.semantic ?? [])].map(({ id }) => id))];
  const { degraded = [], queryEmbedding = "unused" as const } = candidates ?? {};
  const loaded =
    candidates !== null && ids.length === 0
      ? { pool: candidates.pool, rows: [] }
      : await load(ctx, asked, candidates === null ? null : ids);
  const seesNothing = loaded.pool === null || loaded.pool === "none";
  if (search.requiresPlace && seesNothing) await requirePlace(ctx, asked.viewer);
  const ranked = candidates === null ? byTime(loaded.rows) : rank(ctx, { asked, candidates, rows: loaded.rows });
  const hits = ranked.slice(0, limit).map((hit) => toHit(ctx, hit, { asked, explains: search.explain === true }));
  return { hits, degraded, queryEmbedding };
}

type Ranked = { row: EntityRow; score: number; channels: Record<string, { rank: number; score: number }> };

/** The viewer's place, with an entity or, if none was found, without. */
const PLACED = row({
  pool: text<Pool>(sql`v.pool`),
  viewerProject: nullable(integer(sql`v.project_id`)),
  isFound: flag(sql`en.id is not null`),
  ...ENTITY_COLUMNS,
});

/** The rows that the rule makes visible to the viewer: of these candidates or, with `ids` null, the last mentioned ones. */
async function load(
  ctx: Ctx<"db" | "log">,
  { viewer, types, limit }: EntityQuestion,
  ids: readonly number[] | null,
): Promise<{ rows: EntityRow[]; pool: Pool | null }> {
  const ofType = types === null ? sql`true` : sql`en.type in (select value from json_each(${JSON.stringify(types)}))`;
  const source =
    ids === null
      ? sql`(
          select en.id as id from entities en indexed by entities_project
          where en.project_id = ${entityProject} and ${ofType} order by en.last_seen_at desc limit ${limit})`
      : sql`(select value as id from json_each(${JSON.stringify(ids)}))`;
  const { rows } = await read(ctx, {
    rows: statement(
      PLACED,
      sql`
      with ${viewerCte(viewer)}
      select ${PLACED.columns} from viewer v left join (
        ${source} j cross join entities en on en.id = j.id and ${seesEntity(ctx.tenantId, sql`en`)} and ${ofType})
      order by en.last_seen_at desc`,
    ),
  });
  return { pool: rows[0]?.pool ?? null, rows: rows.filter((one) => one.isFound && isVisible(ctx, viewer.tenantId, one)) };
}

/** SQL has decided already; the pure rule checks again. If they ever differ, nothing is shown and the log reports it. */
function isVisible(ctx: Ctx<"log">, tenantId: number, one: RowOf<typeof PLACED>): boolean {
  const { visible, rule } = decideEntityInPool({ tenantId, projectId: one.viewerProject, pool: one.pool }, one);
  if (!visible) ctx.log("visibility.disagreement", { kind: "entity", rule });
  return visible;
}

function byTime(rows: readonly EntityRow[]): Ranked[] {
  return rows.map((row, i) => ({ row, score: 1 / (i + 1), channels: { recent: { rank: i + 1, score: 1 / (i + 1) } } }));
}

function rank(
  ctx: Ctx<"embedder">,
  { asked, candidates, rows }: { asked: EntityQuestion; candidates: EntityCandidates; rows: readonly EntityRow[] },
): Ranked[] {
  const byId = new Map(rows.map((row) => [row.id, row]));
  const there = candidates.text.ranked.filter(({ id }) => byId.has(id));
  const worded = boostNamed(asked.question, { ...candidates.text, ranked: there }, (id) => byId.get(id)?.name ?? "");
  const semantic = candidates.semantic.filter(({ id }) => byId.has(id));
  return fuseWordsAndVectors({
    words: { ranked: worded, ideal: candidates.text.ideal },
    vectors: { ranked: semantic, scale: ownScale(candidates.semantic) },
    nature: readingOf(ctx, asked.query).nature,
    limit: asked.limit,
  }).flatMap(({ id, score, channels: ranks }) => {
    const row = byId.get(id);
    return row === undefined ? [] : [{ row, score, channels: ranks }];
  });
}

function toHit(
  ctx: Ctx<"embedder">,
  { row, score, channels }: Ranked,
  { asked, explains }: { asked: EntityQuestion; explains: boolean },
): EntityHitView {
  const hit = { ...toEntity(row, ctx.embedder.model), score };
  if (!explains) return hit;
  return { ...hit, explain: { channels, namesIt: isNamed(asked.question, row.name), visibleBy: "same_project" } };
}
