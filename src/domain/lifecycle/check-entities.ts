import { sql } from "drizzle-orm";
import { entityKey, entityType, entityVectorId } from "#domain/entities";
import { SETTLED_MS } from "./check-memories.ts";
import type { CheckResult, Finding, Invariant, Repair } from "./findings.ts";
import type { Step, UpkeepCtx } from "./step.ts";
import { unfinishedJobs } from "./unfinished.ts";
import {
  entitiesWith,
  type InProject,
  type ProjectWalk,
  projectOfCursor,
  takeProjectHits,
  walkProjects,
} from "./walk-projects.ts";

const A_STEP = { projects: 200, rows: 200 };
/** Mentions of one entity that are counted; of more, only whether there are as many. */
const MENTIONS_AN_ENTITY = 500;

type Row = {
  publicId: string;
  type: string;
  name: string;
  key: string;
  isOwn: number;
  fitsSpace: number;
  hasWords: number;
  isStale: number;
  isStamped: number;
  isMiscounted: number;
};

async function walkEntities(ctx: UpkeepCtx, cursor: string): Promise<ProjectWalk<Row>> {
  const from = projectOfCursor(cursor);
  const some = sql`(select em.episode_id from entity_mentions em where em.entity_id = en.id limit ${MENTIONS_AN_ENTITY})`;
  const columns = sql`
    en.public_id as publicId, en.type as type, en.name as name, en.name_key as key, en.tenant_id = ${ctx.tenantId} as isOwn,
    en.space_id = w.space_id as fitsSpace, exists (select 1 from entity_fts_docsize d where d.id = en.id) as hasWords,
    en.vector_model is not ${ctx.embedder.model} and en.updated_at < ${ctx.now() - SETTLED_MS} as isStale,
    en.vector_model is ${ctx.embedder.model} as isStamped,
    (select count(*) from ${some}) <> min(en.mention_count, ${MENTIONS_AN_ENTITY}) or exists (
      select 1 from ${some} m left join episodes e on e.id = m.episode_id where e.tenant_id is not en.tenant_id) as isMiscounted`;
  return await walkProjects<Row>(ctx, from, { bounds: A_STEP, path: entitiesWith(from, columns) });
}

/** Whether the entities of the next projects are indexed. */
export async function checkEntityIndexes(ctx: UpkeepCtx, { cursor, limit }: Step): Promise<CheckResult> {
  const walk = await walkEntities(ctx, cursor);
  const { hits, next } = takeProjectHits(walk, limit, (row) => row.isOwn === 1 && (row.hasWords === 0 || row.isStale === 1));
  const looked = walk.rows.length;
  return { checked: { "entity.words": looked, "entity.vectors": looked }, findings: await indexFindings(ctx, hits), next };
}

/** Everything that holds of entities, of those of the next projects. */
export async function checkEntities(ctx: UpkeepCtx, { cursor, limit }: Step): Promise<CheckResult> {
  const walk = await walkEntities(ctx, cursor);
  const missing = await notStored(ctx, walk.rows);
  const isSound = (row: InProject<Row>) =>
    [row.isOwn, row.fitsSpace, row.hasWords].every((flag) => flag === 1) &&
    [row.isStale, row.isMiscounted].every((flag) => flag === 0) &&
    isNamedRight(row) &&
    !missing.has(row.id);
  const { hits, next } = takeProjectHits(walk, limit, (row) => !isSound(row));
  const looked = walk.rows.length;
  return {
    checked: {
      ...{ "entity.home": looked, "entity.name": looked, "entity.mentions": looked },
      ...{ "entity.words": looked, "entity.vectors": looked, "entity.stored": looked },
    },
    findings: [...(await indexFindings(ctx, hits)), ...hits.flatMap((row) => wholeFindings(row, missing))],
    next,
  };
}

function isNamedRight({ type, name, key }: Row): boolean {
  return entityType(type) === type && entityKey(name) === key;
}

function wholeFindings(row: InProject<Row>, missing: ReadonlySet<number>): Finding[] {
  const own = row.isOwn === 1;
  return [
    ...(own && row.fitsSpace === 1 ? [] : [finding("entity.home", row, null)]),
    ...(own && !isNamedRight(row) ? [finding("entity.name", row, null)] : []),
    ...(own && row.isMiscounted === 1 ? [finding("entity.mentions", row, { kind: "entity.recount", id: row.id })] : []),
    ...(missing.has(row.id) ? [finding("entity.stored", row, { kind: "entity.embed", id: row.id })] : []),
  ];
}

async function indexFindings(ctx: UpkeepCtx, rows: readonly InProject<Row>[]): Promise<Finding[]> {
  const own = rows.filter(({ isOwn }) => isOwn === 1);
  const stale = own.filter(({ isStale }) => isStale === 1);
  const unfinished = stale.length === 0 ? null : await unfinishedJobs(ctx);
  const lost = stale.filter(({ id }) => unfinished?.embedsEntity(id) === false);
  return [
    ...own
      .filter(({ hasWords }) => hasWords === 0)
      .map((row) => finding("entity.words", row, { kind: "entity.reindex", id: row.id })),
    ...lost.map((row) => finding("entity.vectors", row, { kind: "entity.embed", id: row.id })),
  ];
}

/** Another tenant's entity is counted and not named. */
function finding(invariant: Invariant, { publicId, isOwn }: Row, repair: Repair | null): Finding {
  return { invariant, example: isOwn === 1 ? publicId : null, repair };
}

/** Entities that are stamped and whose vectors the index does not have. */
async function notStored(ctx: UpkeepCtx, rows: readonly InProject<Row>[]): Promise<Set<number>> {
  const stamped = rows.filter(({ isOwn, fitsSpace, isStamped }) => isOwn === 1 && fitsSpace === 1 && isStamped === 1);
  const refs = stamped.map(({ id, space }) => ({ id: entityVectorId(id), space }));
  const stored = new Set(refs.length === 0 ? [] : await ctx.vectors.stored(ctx.tenantId, refs));
  return new Set(stamped.flatMap(({ id }) => (stored.has(entityVectorId(id)) ? [] : [id])));
}

type Words = { publicId: string | null; isOwn: number; isHere: number; isThere: number };

const WORDS_A_STEP = { projects: 50, rows: 500 };

/** Words under the spaces of the tenant's projects that no entity of the space has. */
export async function checkEntityWords(ctx: UpkeepCtx, { cursor, limit }: Step): Promise<CheckResult> {
  const from = projectOfCursor(cursor);
  const walk = await walkProjects<Words>(ctx, from, {
    bounds: WORDS_A_STEP,
    path: {
      join: sql`entity_fts f on f.entity_fts match 'space : "s' || w.space_id || '"' and f.rowid > iif(w.id = ${from.project}, ${from.after}, 0)
        left join entities en on en.id = f.rowid`,
      id: sql`f.rowid`,
      columns: sql`
        iif(en.tenant_id = ${ctx.tenantId}, en.public_id, null) as publicId, coalesce(en.tenant_id, ${ctx.tenantId}) = ${ctx.tenantId} as isOwn,
        en.id is not null as isThere, coalesce(en.space_id = w.space_id, 0) as isHere`,
    },
  });
  const { hits, next } = takeProjectHits(walk, limit, ({ isHere }) => isHere === 0);
  return {
    checked: { "words.entity": walk.rows.length },
    findings: hits.map(({ id, publicId, isOwn, isThere }) => ({
      invariant: isThere === 1 ? "entity.words" : "words.entity",
      example: publicId,
      repair: isOwn === 0 ? null : { kind: isThere === 1 ? "entity.reindex" : "entity.removeFromIndex", id },
    })),
    next,
  };
}
