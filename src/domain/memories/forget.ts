import { type SQL, sql } from "drizzle-orm";
import type { Ctx } from "#context";
import { type AppError, conflict, contended, notFound } from "#core/errors";
import { isPublicId } from "#core/ids";
import { requirePermission } from "#core/permission";
import type { Statement } from "#db/client";
import { failUnless, isLostRace, isUniqueViolation } from "#db/guard";
import { commit, runBatch } from "#domain/audit";
import { dispatch, enqueue } from "#domain/jobs";
import { userIdOf } from "#domain/tenants";
import { mayChange, mayRestore, notFoundFor, type Writer, writerOf } from "./authority.ts";
import { enqueueIndexing, insertWords, supersedeStatements } from "./change.ts";
import { decided, loadSeen, type SeenRow } from "./columns.ts";
import { makeRoom } from "./known-to-writer.ts";
import { writerView } from "./place.ts";
import { asStored, findChangeable, mayNotChange } from "./revise.ts";
import type { WriterPlaceInput } from "./schemas.ts";
import { type StoredMemory, storedColumns } from "./stored.ts";

type ForgetCtx = Ctx<"db" | "now" | "newId" | "jobs" | "defer" | "log">;

/**
 * Forgets a memory: no read shows it from now on, its words leave the text index at once and its vector by a job. It can be restored
 * until it is purged. Its owner may, and who takes part in its group, whether or not they may hear it: others get 403 if they
 * may hear it, else 404.
 */
export async function forget(ctx: ForgetCtx, memoryId: string, place: WriterPlaceInput): Promise<void> {
  requirePermission(ctx.actor, "write");
  if (!isPublicId("memory", memoryId)) throw notFound("memory");
  const writer = writerOf(ctx, place.userId);
  const viewer = writerView(ctx, writer, place);
  const [found, seenRows] = await runBatch(ctx, [findChangeable(ctx, writer, memoryId), loadSeen(ctx, viewer, [memoryId])]);
  const memory = asStored(found);
  if (memory === undefined) {
    const seen = decided(ctx, viewer, (seenRows?.rows ?? []) as SeenRow[]);
    throw seen.length > 0 ? mayNotChange() : notFoundFor(writer);
  }
  const jobId = ctx.newId("job");
  const user = userIdOf(ctx.tenantId, writer.user);
  try {
    await commit(ctx, {
      statements: forgetStatements(ctx, [memory], { because: "forgotten", jobId, authority: mayChange(ctx, writer, sql`m`) }),
      audit: [
        { action: "memory.forgotten", objectId: memoryId, userId: user, workspaceId: memory.workspaceId || null, detail: {} },
      ],
    });
  } catch (error) {
    if (isLostRace(error)) throw notFound("memory");
    throw error;
  }
  dispatch(ctx, [jobId]);
}

export type Because = "forgotten" | "expired" | "retention" | "cap";

/**
 * Takes memories out of every read and out of the text index, and their vectors by a job. It fails the batch if one is gone already, or
 * its row `m` no longer such as `authority` asks.
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

/** Of two memories with the same words, one of which has no key, one would be the other. The index that keeps words apart knows keys only. */
const areWordsThere = sql`m.superseded_by is null and exists (
  select 1 from memories o where o.space_id = m.space_id and o.hash = m.hash and o.deleted_at is null and o.superseded_by is null
    and (o.key = '' or m.key = ''))`;

function wordsAreThere(): AppError {
  return conflict("The same words, or the same key, are there again.");
}

/**
 * Brings a forgotten memory back, as long as it was not purged and has not expired. 409 if its words or its key are there again; 404 for
 * who may not change it, or took no part in its group when it was forgotten.
 */
export async function restore(ctx: ForgetCtx, memoryId: string, place: WriterPlaceInput): Promise<void> {
  requirePermission(ctx.actor, "write");
  if (!isPublicId("memory", memoryId)) throw notFound("memory");
  const writer = writerOf(ctx, place.userId);
  const [found] = await runBatch(ctx, [
    ctx.db.all(sql`
      select ${storedColumns}, ${areWordsThere} as areWordsThere,
        (select gs.external_id from sessions gs where gs.id = m.session_id) as sessionExternalId
      from memories m
      where m.public_id = ${memoryId} and m.tenant_id = ${ctx.tenantId} and m.deleted_at is not null and ${mayRestore(ctx, writer, sql`m`)}`),
  ]);
  const memory = asStored(found);
  if (memory === undefined) throw notFoundFor(writer);
  if (memory.expiresAt !== null && memory.expiresAt <= ctx.now())
    throw conflict("This memory has expired. Remember it anew, with a later expiresAt.");
  const restoring = { writer, memory, jobId: ctx.newId("job") };
  const sessionExternalId = asText(found?.rows[0]?.sessionExternalId);
  let outcome: Outcome =
    found?.rows[0]?.areWordsThere === 1 ? "taken" : await bringBack(ctx, restoring, { hash: memory.hash, holder: null });
  if (outcome === "taken") {
    const { hash, key, workspaceId } = memory;
    const room = await makeRoom(ctx, { writer, memory, sessionExternalId, hash, key, workspaceId });
    if (room.kind === "known") throw wordsAreThere();
    outcome = await bringBack(ctx, restoring, room.kind === "hidden" ? room : { hash, holder: null });
  }
  if (outcome === "taken") throw contended("The same words, or the same key, are being stored at the same moment. Try again.");
  if (outcome === "lost") throw notFound("memory");
  dispatch(ctx, [restoring.jobId]);
}

/** A column that is a text or null. */
function asText(value: unknown): string | null {
  return typeof value === "string" ? value : null;
}

type Outcome = "stored" | "taken" | "lost";

/** `taken`, and nothing written, where another has the words or the key; `holder` is one that gives the key up. */
async function bringBack(
  ctx: ForgetCtx,
  { writer, memory, jobId }: { writer: Writer; memory: StoredMemory; jobId: string },
  { hash, holder }: { hash: string; holder: StoredMemory | null },
): Promise<Outcome> {
  const { publicId } = memory;
  const id = sql.raw(String(memory.id));
  const common = { userId: userIdOf(ctx.tenantId, writer.user), workspaceId: memory.workspaceId || null };
  const replaced =
    holder === null ? null : supersedeStatements(ctx, holder, { publicId, validFrom: memory.validFrom, authority: sql`true` });
  try {
    await commit(ctx, {
      statements: [
        failUnless(
          ctx.db,
          sql`exists (
            select 1 from memories m where m.id = ${id} and m.tenant_id = ${ctx.tenantId} and m.deleted_at is not null
              and ${mayRestore(ctx, writer, sql`m`)})`,
        ),
        ...(replaced?.before ?? []),
        ctx.db.run(sql`
          update memories set deleted_at = null, deleted_because = null, hash = ${hash}, version = version + 1, updated_at = ${ctx.now()}
          where id = ${id} and tenant_id = ${ctx.tenantId}`),
        ...(replaced === null ? [] : [replaced.after]),
        insertWords(ctx, { id, content: memory.content }),
        enqueueIndexing(ctx, { jobId, ids: sql`json_array(${id})` }),
      ],
      audit: [
        { ...common, action: "memory.restored", objectId: publicId, detail: {} },
        ...(holder === null
          ? []
          : [{ ...common, action: "memory.superseded", objectId: holder.publicId, detail: { by: publicId } }]),
      ],
    });
    return "stored";
  } catch (error) {
    if (isUniqueViolation(error)) return "taken";
    if (isLostRace(error)) return "lost";
    throw error;
  }
}
