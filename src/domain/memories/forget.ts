import { type SQL, sql } from "drizzle-orm";
import type { Ctx } from "#context";
import { conflict, contended, notFound } from "#core/errors";
import { isPublicId } from "#core/ids";
import { requirePermission } from "#core/permission";
import { type Query, read, type Statement, statement } from "#db/client";
import { failUnless } from "#db/guard";
import { flag, nullable, row, text } from "#db/row";
import { dispatch, enqueue } from "#domain/jobs";
import { userIdOf } from "#domain/tenants";
import {
  mayChange,
  mayRestore,
  type NewSession,
  notFoundFor,
  resolveClash,
  type Writer,
  writerOf,
  writerView,
} from "./access.ts";
import { enqueueIndexing, insertWords, replacing, tryCommit } from "./change.ts";
import { findChangeable, mayNotChange } from "./revise.ts";
import { decided, findSeen, STORED, type StoredMemory, storedColumns } from "./rows.ts";
import type { WriterPlaceInput } from "./schemas.ts";

type ForgetCtx = Ctx<"db" | "now" | "newId" | "jobs" | "defer" | "log">;

/**
 * A memory that the writer may forget: its owner, or a current participant of its group, even if they may not see it.
 * @throws forbidden for a user who may see it but not forget it.
 * @throws not_found for anybody else.
 */
export async function loadForgettable(
  ctx: Ctx<"db" | "now" | "log">,
  memoryId: string,
  place: WriterPlaceInput & NewSession,
): Promise<{ writer: Writer; memory: StoredMemory }> {
  requirePermission(ctx.actor, "write");
  if (!isPublicId("memory", memoryId)) throw notFound("memory");
  const writer = writerOf(ctx, place.userId);
  const viewer = writerView(ctx, writer, place);
  const found = await read(ctx, { memory: findChangeable(ctx, writer, memoryId), seen: findSeen(ctx, viewer, [memoryId]) });
  const [memory] = found.memory;
  if (memory === undefined) throw decided(ctx, viewer, found.seen).length > 0 ? mayNotChange() : notFoundFor(writer);
  return { writer, memory };
}

/** Memories that the writer may forget: learned from these episodes, or, if the app stored them, with these public ids; superseded ones too. */
export function findForgettable(
  ctx: Ctx,
  writer: Writer,
  { episodes, ids }: { episodes: readonly number[]; ids: readonly string[] },
): Query<StoredMemory> {
  return statement(
    STORED,
    sql`
    select ${STORED.columns} from (
      select lm.id from json_each(${JSON.stringify(episodes)}) j
        cross join memories lm on lm.episode_id = j.value and lm.episode_id is not null and lm.deleted_at is null
      union select pm.id from json_each(${JSON.stringify(ids)}) k cross join memories pm on pm.public_id = k.value and pm.learned_in is null) w
    cross join memories m on m.id = w.id
    where m.tenant_id = ${ctx.tenantId} and m.deleted_at is null and ${mayChange(ctx, writer, sql`m`)}`,
  );
}

/** Whether the writer may forget the memory row `m`. */
export function forgettableBy(ctx: Ctx, writer: Writer): SQL {
  return mayChange(ctx, writer, sql`m`);
}

export type Because = "forgotten" | "expired" | "retention" | "cap";

/**
 * Hides memories from every read and removes their text from the index; their vectors are deleted by a job. It fails the batch if one is
 * gone already, or its row `m` no longer satisfies `authority`.
 */
export function forgetStatements(
  ctx: Ctx<"db" | "now">,
  memories: readonly { id: number; spaceId: number }[],
  how: { because: Because; jobId: string; authority?: SQL },
): Statement[] {
  const ids: SQL = sql.raw(memories.map(({ id }) => id).join(","));
  const refs = memories.map(({ id, spaceId }) => ({ id, space: spaceId }));
  return [
    failUnless(
      ctx.db,
      sql`(
        select count(*) from memories m where m.id in (${ids}) and m.tenant_id = ${ctx.tenantId} and m.deleted_at is null
          and ${how.authority ?? sql`true`}) = ${memories.length}`,
    ),
    ctx.db.run(sql`delete from memory_fts where rowid in (${ids})`),
    ctx.db.run(sql`
      update memories set deleted_at = ${ctx.now()}, deleted_because = ${how.because}, vector_model = null, version = version + 1
      where id in (${ids}) and tenant_id = ${ctx.tenantId}`),
    enqueue(ctx, { id: how.jobId, kind: "memories.remove", payload: JSON.stringify({ memories: refs }) }),
  ];
}

type Superseding = Pick<StoredMemory, "id" | "supersedes">;

/**
 * Makes what these memories replaced current again, after they were forgotten in the same batch. Left as history is what was forgotten or has
 * expired, what something else replaced, what was replaced by a memory that had been replaced itself, what the writer may not change, and what has the words or the key of another memory.
 */
export function bringBackStatements(
  ctx: Ctx<"db" | "now">,
  memories: readonly Superseding[],
  { writer, jobId }: { writer: Writer; jobId: string },
): Statement[] {
  const pairs = memories.flatMap(({ id, supersedes }) => (supersedes === null ? [] : [[supersedes, id]]));
  if (pairs.length === 0) return [];
  const now = ctx.now();
  const json = JSON.stringify(pairs);
  const replaced = sql`select j.value ->> 0 from json_each(${json}) j`;
  return [
    ctx.db.run(sql`
      update or ignore memories as m set superseded_by = null, valid_to = null, version = version + 1, updated_at = ${now}
      where m.id in (${replaced}) and m.tenant_id = ${ctx.tenantId} and m.deleted_at is null
        and m.superseded_by in (select j.value ->> 1 from json_each(${json}) j where j.value ->> 0 = m.id)
        and exists (select 1 from memories b where b.id = m.superseded_by and b.superseded_by is null)
        and (m.expires_at is null or m.expires_at > ${now}) and ${mayChange(ctx, writer, sql`m`)}`),
    enqueueIndexing(ctx, {
      jobId,
      ids: sql`(select json_group_array(m.id) from memories m where m.id in (${replaced}) and m.deleted_at is null and m.superseded_by is null)`,
    }),
  ];
}

/** A restored memory replaces again what was brought back when it was forgotten, unless that has a newer value since. */
function replaceAgain(ctx: ForgetCtx, writer: Writer, { id, supersedes, status, validFrom }: StoredMemory): Statement[] {
  if (supersedes === null || status !== "approved") return [];
  const isCurrent = sql`m.id = ${sql.raw(String(supersedes))} and m.tenant_id = ${ctx.tenantId} and m.deleted_at is null
    and m.superseded_by is null and m.valid_from <= ${validFrom} and ${mayChange(ctx, writer, sql`m`)}`;
  return [
    enqueue(ctx, {
      id: ctx.newId("job"),
      kind: "memories.remove",
      payload: sql`json_object('memories', json_array(json_object('id', m.id, 'space', m.space_id)))`,
      from: sql`memories m where ${isCurrent}`,
    }),
    ctx.db.run(sql`
      update memories as m set superseded_by = ${sql.raw(String(id))}, valid_to = max(m.valid_from, ${validFrom}), version = version + 1,
        updated_at = ${ctx.now()}, vector_model = null
      where ${isCurrent}`),
  ];
}

/**
 * `areWordsThere`: another memory has the same words and one of the two has no key, which makes them duplicates. No UNIQUE index covers
 * this.
 */
const FORGOTTEN = row({
  ...storedColumns,
  areWordsThere: flag(sql`m.superseded_by is null and exists (
    select 1 from memories o where o.space_id = m.space_id and o.hash = m.hash and o.deleted_at is null and o.superseded_by is null
      and (o.key = '' or m.key = ''))`),
  sessionExternalId: nullable(text(sql`(select gs.external_id from sessions gs where gs.id = m.session_id)`)),
});

/**
 * Restores a forgotten memory that was not purged and has not expired. It replaces again what it had replaced, unless that has a newer value since.
 * @throws conflict if another memory has its words or its key, or it has expired.
 * @throws not_found for a user who may not change it, or did not take part in its group when it was forgotten.
 */
export async function restore(ctx: ForgetCtx, memoryId: string, place: WriterPlaceInput): Promise<void> {
  requirePermission(ctx.actor, "write");
  if (!isPublicId("memory", memoryId)) throw notFound("memory");
  const writer = writerOf(ctx, place.userId);
  const {
    found: [memory],
  } = await read(ctx, {
    found: statement(
      FORGOTTEN,
      sql`
      select ${FORGOTTEN.columns} from memories m
      where m.public_id = ${memoryId} and m.tenant_id = ${ctx.tenantId} and m.deleted_at is not null and ${mayRestore(ctx, writer, sql`m`)}`,
    ),
  });
  if (memory === undefined) throw notFoundFor(writer);
  if (memory.expiresAt !== null && memory.expiresAt <= ctx.now())
    throw conflict("This memory has expired. Remember it anew, with a later expiresAt.");
  const { hash, key, workspaceId, sessionExternalId } = memory;
  const restoring = { writer, memory, jobId: ctx.newId("job") };
  const asItWas = { hash, holder: null };
  let outcome = memory.areWordsThere ? "taken" : await tryRestore(ctx, restoring, asItWas);
  if (outcome === "taken") {
    const clash = await resolveClash(ctx, { writer, memory, sessionExternalId, hash, key, workspaceId });
    if (clash.kind === "known") throw conflict("The same words, or the same key, are there again.");
    outcome = await tryRestore(ctx, restoring, clash.kind === "hidden" ? clash : asItWas);
  }
  if (outcome === "taken") throw contended("The same words, or the same key, are being stored at the same moment. Try again.");
  if (outcome === "lost") throw notFound("memory");
  dispatch(ctx, [restoring.jobId]);
}

/** `holder` releases its key. */
async function tryRestore(
  ctx: ForgetCtx,
  { writer, memory, jobId }: { writer: Writer; memory: StoredMemory; jobId: string },
  { hash, holder }: { hash: string; holder: StoredMemory | null },
): Promise<"stored" | "taken" | "lost"> {
  const { publicId, workspaceId } = memory;
  const id = sql.raw(String(memory.id));
  const isForgotten = sql`exists (
    select 1 from memories m where m.id = ${id} and m.tenant_id = ${ctx.tenantId} and m.deleted_at is not null
      and ${mayRestore(ctx, writer, sql`m`)})`;
  const mutation = {
    statements: [
      failUnless(ctx.db, isForgotten),
      ...replaceAgain(ctx, writer, memory),
      ctx.db.run(sql`
        update memories set deleted_at = null, deleted_because = null, hash = ${hash}, version = version + 1, updated_at = ${ctx.now()}
        where id = ${id} and tenant_id = ${ctx.tenantId}`),
      insertWords(ctx, { ...memory, id }),
      enqueueIndexing(ctx, { jobId, ids: sql`json_array(${id})` }),
    ],
    audit: [
      { action: "memory.restored", objectId: publicId, userId: userIdOf(ctx.tenantId, writer.user), workspaceId, detail: {} },
    ],
  };
  return await tryCommit(ctx, replacing(ctx, holder, { by: memory, mutation }));
}
