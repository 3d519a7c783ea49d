import { type SQL, sql } from "drizzle-orm";
import { memoryVectorId } from "#domain/memories";
import { CHUNKS_PER_SESSION } from "#domain/sessions";
import { tenantSpaceId } from "#domain/visibility";
import type { CheckResult, Finding, Invariant, Repair } from "./findings.ts";
import type { Step, UpkeepCtx } from "./step.ts";
import { unfinishedJobs } from "./unfinished.ts";
import { memoriesWith, placeOf, takeHits, toCursor, type Walked, walkSpaces } from "./walk-spaces.ts";

const A_STEP = { places: 200, rows: 300 };

/** What is not indexed for longer than this was forgotten by its job. */
export const SETTLED_MS = 3_600_000;

type Indexed = { publicId: string; isOwn: number; hasWords: number; isStale: number; isStamped: number };

function indexColumns(ctx: UpkeepCtx): SQL {
  return sql`
    m.public_id as publicId, m.tenant_id = ${ctx.tenantId} as isOwn,
    exists (select 1 from memory_fts_docsize d where d.id = m.id) as hasWords,
    m.vector_model is not ${ctx.embedder.model} and m.updated_at < ${ctx.now() - SETTLED_MS} as isStale,
    m.vector_model is ${ctx.embedder.model} as isStamped`;
}

/** Whether the memories of the next spaces are indexed. */
export async function checkMemoryIndexes(ctx: UpkeepCtx, { cursor, limit }: Step): Promise<CheckResult> {
  const walk = await walkSpaces<Indexed>(ctx, placeOf(cursor), { bounds: A_STEP, path: memoriesWith(indexColumns(ctx)) });
  const { hits, next } = takeHits(walk, limit, (row) => row.isOwn === 1 && (row.hasWords === 0 || row.isStale === 1));
  const looked = walk.rows.length;
  return {
    checked: { "memory.words": looked, "memory.vectors": looked },
    findings: await indexFindings(ctx, hits),
    next: toCursor(next),
  };
}

async function indexFindings(ctx: UpkeepCtx, rows: readonly Walked<Indexed>[]): Promise<Finding[]> {
  const wordless = rows.filter(({ hasWords }) => hasWords === 0);
  const stale = rows.filter(({ isStale }) => isStale === 1);
  const unfinished = stale.length === 0 ? null : await unfinishedJobs(ctx);
  const lost = stale.filter(({ id }) => unfinished?.embedsMemory(id) === false);
  return [
    ...wordless.map((row) => finding("memory.words", row, { kind: "memory.reindex", id: row.id })),
    ...lost.map((row) => finding("memory.vectors", row, { kind: "memory.embed", id: row.id })),
  ];
}

function finding(invariant: Invariant, { publicId }: { publicId: string }, repair: Repair | null): Finding {
  return { invariant, example: publicId, repair };
}

type Whole = Indexed & {
  fitsSpace: number;
  isDuplicate: number;
  history: "fits" | "endless" | "lost";
  subjects: "fit" | "merged" | "strange";
  sources: "fit" | "strange";
};

const PER_SESSION = sql.raw(String(CHUNKS_PER_SESSION));

function wholeColumns(ctx: UpkeepCtx): SQL {
  const ofTenant = (row: SQL) => sql`${row}.tenant_id = m.tenant_id`;
  const person = (id: SQL) => sql`select 1 from persons pe where pe.id = ${id} and ${ofTenant(sql`pe`)}`;
  const badSubjects = (condition: SQL) => sql`exists (
    select 1 from memory_subjects ss left join persons pe on pe.id = ss.person_id where ss.memory_id = m.id and ${condition})`;
  // An episode that was forgotten is known by its id: it is one of the session's, and the session has been there already.
  const fitsEpisode = sql`(
    m.episode_id is null or (m.episode_id / ${PER_SESSION} = m.learned_in and (
      exists (select 1 from episodes le where le.id = m.episode_id and ${ofTenant(sql`le`)})
      or m.episode_id % ${PER_SESSION} < (select ls.next_seq from sessions ls where ls.id = m.learned_in)
        and not exists (select 1 from episodes le where le.id = m.episode_id))))`;
  return sql`${indexColumns(ctx)},
    coalesce(case m.ownership
      when 'personal' then m.session_id is null and exists (
        select 1 from users ou where ou.id = m.owner_id and ${ofTenant(sql`ou`)} and ou.space_id = m.space_id)
      when 'group' then m.owner_id is null and exists (
        select 1 from sessions os where os.id = m.session_id and ${ofTenant(sql`os`)} and os.kind = 'group' and os.space_id = m.space_id)
      when 'shared' then m.owner_id is null and m.session_id is null and exists (
        select 1 from spaces os where os.id = m.space_id and os.public_id = ${tenantSpaceId(ctx.tenantId)})
    end, 0) as fitsSpace,
    m.superseded_by is null and (
      exists (
        select 1 from memories o where o.space_id = m.space_id and o.hash = m.hash and o.key = m.key and o.id <> m.id
          and o.deleted_at is null and o.superseded_by is null)
      or m.key <> '' and exists (
        select 1 from memories o where o.space_id = m.space_id and o.key = m.key and o.workspace_id = m.workspace_id and o.id <> m.id
          and o.key <> '' and o.deleted_at is null and o.superseded_by is null)) as isDuplicate,
    case
      when m.superseded_by is null then 'fits'
      when m.superseded_by <= 0 or m.superseded_by = m.id
        or m.superseded_by > (select q.seq from sqlite_sequence q where q.name = 'memories')
        or exists (select 1 from memories o where o.id = m.superseded_by and not ${ofTenant(sql`o`)}) then 'lost'
      when m.valid_to is null then 'endless'
      else 'fits'
    end as history,
    case
      when ${badSubjects(sql`(pe.id is null or not ${ofTenant(sql`pe`)})`)} then 'strange'
      when ${badSubjects(sql`pe.merged_into is not null`)} then 'merged'
      else 'fit'
    end as subjects,
    case
      when m.stated_by is not null and not exists (${person(sql`m.stated_by`)}) then 'strange'
      when m.learned_in is not null and not exists (
        select 1 from sessions ls where ls.id = m.learned_in and ${ofTenant(sql`ls`)}) then 'strange'
      when not coalesce(${fitsEpisode}, 0) then 'strange'
      else 'fit'
    end as sources`;
}

/** Everything that holds of memories, of those of the next spaces. */
export async function checkMemories(ctx: UpkeepCtx, { cursor, limit }: Step): Promise<CheckResult> {
  const walk = await walkSpaces<Whole>(ctx, placeOf(cursor), { bounds: A_STEP, path: memoriesWith(wholeColumns(ctx)) });
  const missing = await notStored(ctx, walk.rows);
  const isSound = (row: Walked<Whole>) =>
    [row.hasWords, row.fitsSpace].every((flag) => flag === 1) &&
    [row.isStale, row.isDuplicate].every((flag) => flag === 0) &&
    [row.history, row.subjects, row.sources].every((state) => state === "fits" || state === "fit") &&
    !missing.has(row.id);
  const { hits, next } = takeHits(walk, limit, (row) => row.isOwn === 1 && !isSound(row));
  const looked = walk.rows.length;
  return {
    checked: {
      ...{ "memory.home": looked, "memory.unique": looked, "memory.superseded": looked, "memory.subjects": looked },
      ...{ "memory.sources": looked, "memory.words": looked, "memory.vectors": looked, "memory.stored": looked },
    },
    findings: [...(await indexFindings(ctx, hits)), ...hits.flatMap((row) => wholeFindings(row, missing))],
    next: toCursor(next),
  };
}

function wholeFindings(row: Walked<Whole>, missing: ReadonlySet<number>): Finding[] {
  const { id, history, subjects, sources } = row;
  const repaired = (is: boolean, kind: "memory.end" | "memory.subjects"): Repair | null => (is ? { kind, id } : null);
  return [
    ...(row.fitsSpace === 1 ? [] : [finding("memory.home", row, null)]),
    ...(row.isDuplicate === 0 ? [] : [finding("memory.unique", row, null)]),
    ...(history === "fits" ? [] : [finding("memory.superseded", row, repaired(history === "endless", "memory.end"))]),
    ...(subjects === "fit" ? [] : [finding("memory.subjects", row, repaired(subjects === "merged", "memory.subjects"))]),
    ...(sources === "fit" ? [] : [finding("memory.sources", row, null)]),
    ...(missing.has(id) ? [finding("memory.stored", row, { kind: "memory.embed" as const, id })] : []),
  ];
}

/** Memories that are stamped and whose vectors the index does not have, unless it may not show them yet. */
async function notStored(ctx: UpkeepCtx, rows: readonly Walked<Indexed & { isStamped: number }>[]): Promise<Set<number>> {
  const stamped = rows.filter(({ isOwn, isStamped }) => isOwn === 1 && isStamped === 1);
  const refs = stamped.map(({ id, space }) => ({ id: memoryVectorId(id), space }));
  const stored = new Set(refs.length === 0 ? [] : await ctx.vectors.stored(ctx.tenantId, refs));
  return new Set(stamped.flatMap(({ id }) => (stored.has(memoryVectorId(id)) ? [] : [id])));
}

/** What has expired and is not forgotten yet, counted up to the limit. */
export async function checkExpired(ctx: UpkeepCtx, { limit }: Step): Promise<CheckResult> {
  const rows = await ctx.db.all<{ publicId: string }>(sql`
    select m.public_id as publicId from memories m indexed by memories_expiring
    where m.tenant_id = ${ctx.tenantId} and m.expires_at is not null and m.expires_at <= ${ctx.now()} and m.deleted_at is null
    order by m.expires_at limit ${limit}`);
  return {
    checked: { "memory.expired": rows.length },
    findings: rows.map((row) => finding("memory.expired", row, null)),
    next: null,
  };
}
