import { type SQL, sql } from "drizzle-orm";
import type { Ctx } from "#context";
import { notFound } from "#core/errors";
import { requirePermission } from "#core/permission";
import type { Statement } from "#db/client";
import { failUnless, isLostRace } from "#db/guard";
import { commit } from "#domain/audit";
import { dispatch, enqueue } from "#domain/jobs";
import { actingUser, userIdOf } from "#domain/tenants";
import { mayWrite, requireEntity } from "./find-entity.ts";
import { removalOf } from "./index-entities.ts";
import type { WriterInput } from "./schemas.ts";
import { removeFromIndex } from "./store-entities.ts";

type ForgetCtx = Ctx<"db" | "now" | "newId" | "jobs" | "defer">;

/**
 * Deletes an entity with its mentions and its index text, and its vector by a job.
 * @throws not_found unless the user belongs to its project.
 */
export async function forgetEntity(ctx: ForgetCtx, entityId: string, input: WriterInput): Promise<void> {
  requirePermission(ctx.actor, "write");
  const user = actingUser(ctx, input.userId);
  const entity = await requireEntity(ctx, { entityId, user });
  const jobId = ctx.newId("job");
  const id = sql.raw(String(entity.id));
  try {
    await commit(ctx, {
      statements: [
        failUnless(ctx.db, sql`exists (select 1 from entities en where en.id = ${id} and ${mayWrite(ctx, user)})`),
        ...dropStatements(ctx, [entity], jobId),
      ],
      audit: [{ action: "entity.forgotten", objectId: entityId, userId: userIdOf(ctx.tenantId, user), detail: {} }],
    });
  } catch (error) {
    if (isLostRace(error)) throw notFound("entity");
    throw error;
  }
  dispatch(ctx, [jobId]);
}

/** Deletes entity rows and everything that refers to them. */
export function dropStatements(
  ctx: Ctx<"db" | "now">,
  entities: readonly { id: number; spaceId: number }[],
  jobId: string,
): Statement[] {
  const ids: SQL = sql.raw(entities.map(({ id }) => id).join(","));
  return [
    ...removeFromIndex(
      ctx,
      entities.map(({ id }) => id),
    ),
    ctx.db.run(sql`delete from entity_mentions where entity_id in (${ids})`),
    ctx.db.run(sql`delete from entities where id in (${ids}) and +tenant_id = ${ctx.tenantId}`),
    enqueue(ctx, { id: jobId, kind: "entities.remove", payload: removalOf(entities) }),
  ];
}
