import { type SQL, sql } from "drizzle-orm";
import type { Ctx } from "#context";
import type { Statement } from "#db/client";
import { failUnless } from "#db/guard";
import { rowsInParts, rowsOf } from "#db/rows";
import { enqueue } from "#domain/jobs";
import { type DecidedEntity, isChanged } from "./decide-entities.ts";
import { type Worded, wordsOf } from "./words.ts";

type StoreCtx = Ctx<"db" | "now">;

/**
 * Statements that store the decisions, a few for any number. They fail the batch if an entity has moved, or one whose notes are merged has
 * changed since it was read; an entity created concurrently breaks the unique index.
 */
export function storeStatements(ctx: StoreCtx, decided: readonly DecidedEntity[], jobId: string): Statement[] {
  const made = decided.filter(({ known }) => known === null);
  const changed = decided.filter(isChanged);
  return [
    ...guardKnown(ctx, decided),
    ...insertMade(ctx, made),
    ...changeNotes(ctx, changed),
    ...countMentions(ctx, decided),
    ...removeFromIndex(
      ctx,
      changed.flatMap(({ known }) => known?.id ?? []),
    ),
    ...addToIndex(ctx, [...made, ...changed]),
    ...enqueueIndexing(ctx, { jobId, publicIds: [...made, ...changed].map(({ publicId }) => publicId) }),
  ];
}

function guardKnown(ctx: StoreCtx, decided: readonly DecidedEntity[]): Statement[] {
  const read = decided.flatMap((entity) =>
    entity.known === null ? [] : [[entity.publicId, entity.projectId, isChanged(entity) ? entity.known.version : 0]],
  );
  if (read.length === 0) return [];
  return [
    failUnless(
      ctx.db,
      sql`(
        select count(*) from ${rowsOf(read)} j cross join entities en on en.public_id = j.c0
        where +en.tenant_id = ${ctx.tenantId} and en.project_id = j.c1 and (j.c2 = 0 or en.version = j.c2)) = ${read.length}`,
    ),
  ];
}

function insertMade(ctx: StoreCtx, made: readonly DecidedEntity[]): Statement[] {
  const now = ctx.now();
  const rows = made.map((entity) => [
    ...[entity.publicId, entity.projectId, entity.spaceId, entity.type, entity.name, entity.key, entity.notes ?? ""],
    ...[entity.firstAt, entity.lastAt],
  ]);
  return rowsInParts(rows).map((part) =>
    ctx.db.run(sql`
      insert into entities (public_id, tenant_id, project_id, space_id, type, name, name_key, notes, first_seen_at, last_seen_at, created_at, updated_at)
      select j.c0, ${ctx.tenantId}, j.c1, j.c2, j.c3, j.c4, j.c5, nullif(j.c6, ''), j.c7, j.c8, ${now}, ${now} from ${part} j`),
  );
}

function changeNotes(ctx: StoreCtx, changed: readonly DecidedEntity[]): Statement[] {
  return rowsInParts(changed.map(({ publicId, notes }) => [publicId, notes ?? ""])).map((part) =>
    ctx.db.run(sql`
      update entities set notes = nullif(j.c1, ''), version = version + 1, updated_at = ${ctx.now()}, vector_model = null
      from ${part} j where entities.public_id = j.c0 and +entities.tenant_id = ${ctx.tenantId}`),
  );
}

/** Counts the new mentions and then stores them, so that a repeated mention counts once. */
function countMentions(ctx: StoreCtx, decided: readonly DecidedEntity[]): Statement[] {
  const seen = decided.flatMap((entity) => (entity.known === null ? [] : [[entity.publicId, entity.firstAt, entity.lastAt]]));
  const mentions = decided.flatMap(({ publicId, mentions: named }) =>
    named.map(({ episodeId, at }) => [publicId, episodeId, at]),
  );
  return [
    ...rowsInParts(seen).map((part) =>
      ctx.db.run(sql`
        update entities set first_seen_at = min(first_seen_at, j.c1), last_seen_at = max(last_seen_at, j.c2)
        from ${part} j where entities.public_id = j.c0 and +entities.tenant_id = ${ctx.tenantId}
          and (first_seen_at > j.c1 or last_seen_at < j.c2)`),
    ),
    ...rowsInParts(mentions).flatMap((part) => [
      ctx.db.run(sql`
        update entities set mention_count = mention_count + n.count
        from (
          select en.id as id, count(*) as count from ${part} j cross join entities en on en.public_id = j.c0
          where not exists (select 1 from entity_mentions em where em.entity_id = en.id and em.episode_id = j.c1)
          group by en.id) n
        where entities.id = n.id and +entities.tenant_id = ${ctx.tenantId}`),
      ctx.db.run(sql`
        insert into entity_mentions (entity_id, episode_id, at)
        select en.id, j.c1, j.c2 from ${part} j cross join entities en on en.public_id = j.c0 where true on conflict do nothing`),
    ]),
  ];
}

/** `ids` are written as literals: D1 binds a number as a real. */
export function removeFromIndex(ctx: Ctx<"db">, ids: readonly number[]): Statement[] {
  return ids.length === 0 ? [] : [ctx.db.run(sql`delete from entity_fts where rowid in (${sql.raw(ids.join(","))})`)];
}

/** The rows of the text index, under the space that the entities have. */
export function addToIndex(ctx: Ctx<"db">, entities: readonly (Worded & { publicId: string })[]): Statement[] {
  return rowsInParts(entities.map((entity) => [entity.publicId, wordsOf(entity)])).map((part) =>
    ctx.db.run(sql`
      insert into entity_fts (rowid, space, text) select en.id, 's' || en.space_id, j.c1
      from ${part} j cross join entities en on en.public_id = j.c0`),
  );
}

/** The job that embeds entities. Its payload has internal ids, which are known only inside the batch. */
export function enqueueIndexing(ctx: StoreCtx, job: { jobId: string; publicIds: readonly string[] }): Statement[] {
  if (job.publicIds.length === 0) return [];
  const ids: SQL = sql`(
    select json_group_array(en.id) from ${rowsOf(job.publicIds.map((id) => [id]))} j cross join entities en on en.public_id = j.c0)`;
  return [enqueue(ctx, { id: job.jobId, kind: "entities.index", payload: sql`json_object('entities', json(${ids}))` })];
}
