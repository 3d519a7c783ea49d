import { sql } from "drizzle-orm";
import type { Ctx } from "#context";
import { AppError, conflict } from "#core/errors";
import { requirePermission } from "#core/permission";
import { retryLostRace } from "#core/retry-lost-race";
import { failUnless, isLostRace, isUniqueViolation } from "#db/guard";
import { ENTITY } from "#db/schema/entities";
import { commit } from "#domain/audit";
import { dispatch } from "#domain/jobs";
import { actingUser, type UserRef, userIdOf } from "#domain/tenants";
import { isUnchanged, loadEntity, required, requireEntity } from "./find-entity.ts";
import type { EntityDraft } from "./names.ts";
import { requireEntityInput } from "./save-entity.ts";
import type { EntityChange, EntityView } from "./schemas.ts";
import { addToIndex, enqueueIndexing, removeFromIndex } from "./store-entities.ts";
import { type EntityRow, toEntity } from "./view.ts";

type ChangeCtx = Ctx<"db" | "now" | "newId" | "jobs" | "defer" | "embedder" | "wait" | "random">;

/**
 * Changes the fields that the input names, for a user who belongs to its project. `ifVersions`: the versions that the client has, null for
 * any.
 * @throws conflict if the project has an entity with that type and name.
 * @throws precondition_failed if it has another version.
 */
export async function changeEntity(
  ctx: ChangeCtx,
  named: { entityId: string; ifVersions: readonly number[] | null },
  input: EntityChange,
): Promise<EntityView> {
  requirePermission(ctx.actor, "write");
  return await retryLostRace(ctx, "This entity is being changed by others at the same moment. Try again.", () =>
    tryChange(ctx, named, input),
  );
}

async function tryChange(
  ctx: ChangeCtx,
  named: { entityId: string; ifVersions: readonly number[] | null },
  input: EntityChange,
): Promise<EntityView | "lost"> {
  const user = actingUser(ctx, input.userId);
  const entity = await requireEntity(ctx, { entityId: named.entityId, user });
  if (named.ifVersions !== null && !named.ifVersions.includes(entity.version)) throw changedSince();
  const merged = input.notes === undefined ? entity.notes : null;
  const draft = requireEntityInput({ type: input.type ?? entity.type, name: input.name ?? entity.name, notes: input.notes });
  const next = { ...draft, notes: merged ?? draft.notes };
  if (next.type === entity.type && next.name === entity.name && next.notes === entity.notes)
    return toEntity(entity, ctx.embedder.model);
  const stored = await storeEntityChange(ctx, { user, entity, next });
  if (stored !== "lost") return toEntity(stored, ctx.embedder.model);
  if (named.ifVersions !== null) throw changedSince();
  return "lost";
}

async function storeEntityChange(
  ctx: ChangeCtx,
  { user, entity, next }: { user: UserRef; entity: EntityRow; next: EntityDraft },
): Promise<EntityRow | "lost"> {
  const jobId = ctx.newId("job");
  const { publicId } = entity;
  const changed = loadEntity(ctx, publicId);
  const fields = (["type", "name", "notes"] as const).filter((field) => next[field] !== entity[field]);
  try {
    const results = await commit(ctx, {
      statements: [
        failUnless(ctx.db, isUnchanged(ctx, entity, user)),
        ctx.db.run(sql`
          update entities set ${ENTITY.set({ type: next.type, name: next.name, nameKey: next.key, notes: next.notes, updatedAt: ctx.now() })},
            version = version + 1, vector_model = null
          where public_id = ${publicId} and +tenant_id = ${ctx.tenantId}`),
        ...removeFromIndex(ctx, [entity.id]),
        ...addToIndex(ctx, [{ ...next, publicId }]),
        ...enqueueIndexing(ctx, { jobId, publicIds: [publicId] }),
        changed,
      ],
      audit: [{ action: "entity.changed", objectId: publicId, userId: userIdOf(ctx.tenantId, user), detail: { fields } }],
    });
    dispatch(ctx, [jobId]);
    return required(results.rows(changed)[0]);
  } catch (error) {
    if (isUniqueViolation(error)) throw conflict("The project has another entity of this type and name.");
    if (isLostRace(error)) return "lost";
    throw error;
  }
}

function changedSince(): AppError {
  return new AppError("precondition_failed", "This entity has another version than If-Match names. Read it again.");
}
