import { type SQL, sql } from "drizzle-orm";
import type { Ctx } from "#context";
import { notFound } from "#core/errors";
import { isPublicId } from "#core/ids";
import type { Statement, StatementResult } from "#db/client";
import { type UserRef, userIdOf } from "#domain/tenants";
import { isMember } from "#domain/visibility";
import { type EntityRow, entityColumns } from "./view.ts";

/** Whether the user belongs to the project of the entity row `en`, which is what it takes to change it. */
export function mayWrite(ctx: Ctx, user: UserRef): SQL {
  return sql`(+en.tenant_id = ${ctx.tenantId} and ${isMember(userIdOf(ctx.tenantId, user), sql`en.project_id`)})`;
}

/** The entity, if the user may change it; 404 else. */
export async function requireEntity(ctx: Ctx<"db">, asked: { entityId: string; user: UserRef }): Promise<EntityRow> {
  if (!isPublicId("entity", asked.entityId)) throw notFound("entity");
  const [row] = await ctx.db.all<EntityRow>(sql`
    select ${entityColumns} from entities en where en.public_id = ${asked.entityId} and ${mayWrite(ctx, asked.user)}`);
  if (row === undefined) throw notFound("entity");
  return row;
}

/** Whether an entity is there, as it was read, and still the user's to change. */
export function isUnchanged(ctx: Ctx, { id, version }: EntityRow, user: UserRef): SQL {
  return sql`exists (
    select 1 from entities en where en.id = ${sql.raw(String(id))} and en.version = ${version} and ${mayWrite(ctx, user)})`;
}

/** What a batch says of an entity after it has changed it. */
export function loadEntity(ctx: Ctx<"db">, publicId: string): Statement {
  return ctx.db.all(sql`
    select ${entityColumns} from entities en where en.public_id = ${publicId} and +en.tenant_id = ${ctx.tenantId}`);
}

/** The row of `loadEntity`. */
export function loadedEntity(result: StatementResult | undefined): EntityRow {
  const row = result?.rows[0] as EntityRow | undefined;
  if (row === undefined) throw notFound("entity");
  return row;
}
