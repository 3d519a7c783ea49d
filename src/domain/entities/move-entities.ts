import { type SQL, sql } from "drizzle-orm";
import type { Ctx } from "#context";
import { type Statement, statement } from "#db/client";
import { failUnless, isLostRace, isUniqueViolation } from "#db/guard";
import { rowsInParts, rowsOf } from "#db/rows";
import { commit } from "#domain/audit";
import { dispatch } from "#domain/jobs";
import { type UserRef, userIdOf } from "#domain/tenants";
import { isMember } from "#domain/visibility";
import { mergeSafely } from "./decide-entities.ts";
import { dropStatements } from "./forget-entity.ts";
import { addToIndex, enqueueIndexing, removeFromIndex } from "./store-entities.ts";
import { ENTITY_ROW, type EntityRow } from "./view.ts";

/** An entity that moves, and the existing one with the same type and name at the target, if any. */
export type Move = {
  entity: EntityRow;
  target: { id: number; publicId: string; version: number; name: string; notes: string | null } | null;
};

export type Moving = {
  user: UserRef;
  from: { id: number; externalId: string };
  to: { id: number; spaceId: number; externalId: string };
  moves: readonly Move[];
};

/** A move to be carried out: `into` is the public id by which the batch finds the target row. */
type DecidedMove = Move & { into: string; notes: string | null };

type MoveCtx = Ctx<"db" | "now" | "newId" | "jobs" | "defer">;

/** Suffix of a new row's public id until the old row, which has the same id, is deleted. */
const ARRIVING = "~";

/**
 * Moves entities in one batch. A row's space never changes, so a moved entity becomes a new row with its old public id; an entity that
 * exists at the target takes over the mentions and notes. `lost`: something has changed since it was read, and nothing was written.
 */
export async function moveEntities(ctx: MoveCtx, moving: Moving): Promise<{ rows: EntityRow[] } | "lost"> {
  const decided = moving.moves.map(decideMove);
  const [removal, indexing] = [ctx.newId("job"), ctx.newId("job")];
  const arriving = decided.filter(({ target }) => target === null).map(({ entity }) => entity.publicId);
  const reindexed = decided.filter(({ target, notes }) => target === null || target.notes !== notes);
  const ends = decided.map(({ entity, target }) => target?.publicId ?? entity.publicId);
  const moved = statement(
    ENTITY_ROW,
    sql`
    select ${ENTITY_ROW.columns} from ${rowsOf(ends.map((id) => [id]))} j cross join entities en on en.public_id = j.c0
    where +en.tenant_id = ${ctx.tenantId}`,
  );
  const statements = [
    ...guards(ctx, moving),
    ...arrive(ctx, moving, decided),
    ...unite(ctx, decided),
    ...dropStatements(
      ctx,
      decided.map(({ entity }) => entity),
      removal,
    ),
    ...rename(ctx, arriving),
    ...removeFromIndex(
      ctx,
      reindexed.flatMap(({ target }) => target?.id ?? []),
    ),
    ...addToIndex(
      ctx,
      reindexed.map(({ entity, target, notes }) => ({
        type: entity.type,
        name: target?.name ?? entity.name,
        notes,
        publicId: target?.publicId ?? entity.publicId,
      })),
    ),
    ...enqueueIndexing(ctx, {
      jobId: indexing,
      publicIds: reindexed.map(({ entity, target }) => target?.publicId ?? entity.publicId),
    }),
    moved,
  ];
  try {
    const results = await commit(ctx, { statements, audit: auditOf(ctx, moving, decided) });
    dispatch(ctx, reindexed.length === 0 ? [removal] : [removal, indexing]);
    return { rows: results.rows(moved) };
  } catch (error) {
    if (isLostRace(error) || isUniqueViolation(error)) return "lost";
    throw error;
  }
}

function decideMove(move: Move): DecidedMove {
  const { entity, target } = move;
  return target === null
    ? { ...move, into: entity.publicId + ARRIVING, notes: entity.notes }
    : { ...move, into: target.publicId, notes: mergeSafely(target.notes, entity.notes) };
}

/** Checked again at the time of the write: the user belongs to both projects, and every row is unchanged. */
function guards(ctx: MoveCtx, { user, from, to, moves }: Moving): Statement[] {
  const userId = userIdOf(ctx.tenantId, user);
  const read = moves.flatMap(({ entity, target }) => [
    [entity.id, entity.version, from.id],
    ...(target === null ? [] : [[target.id, target.version, to.id]]),
  ]);
  return [
    failUnless(ctx.db, sql`${isMember(userId, idOf(from))} and ${isMember(userId, idOf(to))}`),
    failUnless(
      ctx.db,
      sql`(
        select count(*) from ${rowsOf(read)} j cross join entities en on en.id = j.c0
        where en.version = j.c1 and en.project_id = j.c2 and +en.tenant_id = ${ctx.tenantId}) = ${read.length}`,
    ),
  ];
}

function idOf({ id }: { id: number }): SQL {
  return sql.raw(String(id));
}

/** The new rows, with the counts of the old ones. */
function arrive(ctx: MoveCtx, { to }: Moving, decided: readonly DecidedMove[]): Statement[] {
  const rows = decided.flatMap(({ entity, target, into }) => (target === null ? [[entity.id, into]] : []));
  return rowsInParts(rows).map((part) =>
    ctx.db.run(sql`
      insert into entities (public_id, tenant_id, project_id, space_id, type, name, name_key, notes, mention_count, first_seen_at,
        last_seen_at, version, created_at, updated_at)
      select j.c1, en.tenant_id, ${idOf(to)}, ${sql.raw(String(to.spaceId))}, en.type, en.name, en.name_key, en.notes, 0,
        en.first_seen_at, en.last_seen_at, en.version + 1, en.created_at, ${ctx.now()}
      from ${part} j cross join entities en on en.id = j.c0 where +en.tenant_id = ${ctx.tenantId}`),
  );
}

/** Moves the mentions of the old rows to the new ones: each mention once, counted when it is inserted. */
function unite(ctx: MoveCtx, decided: readonly DecidedMove[]): Statement[] {
  const pairs = decided.map(({ entity, into }) => [entity.id, into]);
  const notes = decided.flatMap(({ target, into, notes: merged }) =>
    target === null || target.notes === merged ? [] : [[into, merged ?? ""]],
  );
  return [
    ...rowsInParts(pairs).flatMap((part) => [
      ctx.db.run(sql`
        update entities set mention_count = mention_count + o.count, first_seen_at = min(first_seen_at, o.first),
          last_seen_at = max(last_seen_at, o.last)
        from (
          select ne.id as id, oe.first_seen_at as first, oe.last_seen_at as last, (
            select count(*) from entity_mentions om where om.entity_id = oe.id and not exists (
              select 1 from entity_mentions nm where nm.entity_id = ne.id and nm.episode_id = om.episode_id)) as count
          from ${part} j cross join entities oe on oe.id = j.c0 cross join entities ne on ne.public_id = j.c1) o
        where entities.id = o.id and +entities.tenant_id = ${ctx.tenantId}`),
      ctx.db.run(sql`
        insert into entity_mentions (entity_id, episode_id, at)
        select ne.id, om.episode_id, om.at from ${part} j cross join entities ne on ne.public_id = j.c1
        cross join entity_mentions om on om.entity_id = j.c0 where true on conflict do nothing`),
    ]),
    ...rowsInParts(notes).map((part) =>
      ctx.db.run(sql`
        update entities set notes = nullif(j.c1, ''), version = version + 1, updated_at = ${ctx.now()}, vector_model = null
        from ${part} j where entities.public_id = j.c0 and +entities.tenant_id = ${ctx.tenantId}`),
    ),
  ];
}

function rename(ctx: MoveCtx, arriving: readonly string[]): Statement[] {
  return rowsInParts(arriving.map((publicId) => [publicId])).map((part) =>
    ctx.db.run(sql`
      update entities set public_id = j.c0 from ${part} j
      where entities.public_id = j.c0 || ${ARRIVING} and +entities.tenant_id = ${ctx.tenantId}`),
  );
}

function auditOf(ctx: MoveCtx, { user, from, to }: Moving, decided: readonly DecidedMove[]) {
  return decided.map(({ entity, target }) => ({
    action: "entity.retagged",
    objectId: entity.publicId,
    userId: userIdOf(ctx.tenantId, user),
    detail: {
      from: from.externalId,
      to: to.externalId,
      ...(target === null ? {} : { mergedInto: target.publicId }),
    },
  }));
}
