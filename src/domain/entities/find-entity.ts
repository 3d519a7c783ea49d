import { type SQL, sql } from "drizzle-orm";
import type { Ctx } from "#context";
import { notFound } from "#core/errors";
import { isPublicId } from "#core/ids";
import { requirePermission } from "#core/permission";
import { type Query, read, statement } from "#db/client";
import { type UserRef, userIdOf } from "#domain/tenants";
import { isMember, seesEntity, viewerCte } from "#domain/visibility";
import { entityViewer } from "./place.ts";
import type { EntityPlaceInput, EntityView } from "./schemas.ts";
import { ENTITY_ROW, type EntityRow, toEntity } from "./view.ts";

/** Whether the user belongs to the project of the entity row `en`, and so may change it. */
export function mayWrite(ctx: Ctx, user: UserRef): SQL {
  return sql`(+en.tenant_id = ${ctx.tenantId} and ${isMember(userIdOf(ctx.tenantId, user), sql`en.project_id`)})`;
}

/**
 * The entity, if the user may change it.
 * @throws not_found otherwise.
 */
export async function requireEntity(ctx: Ctx<"db">, asked: { entityId: string; user: UserRef }): Promise<EntityRow> {
  if (!isPublicId("entity", asked.entityId)) throw notFound("entity");
  return await readOne(
    ctx,
    sql`select ${ENTITY_ROW.columns} from entities en where en.public_id = ${asked.entityId} and ${mayWrite(ctx, asked.user)}`,
  );
}

/** Whether an entity still exists as it was read, and the user may still change it. */
export function isUnchanged(ctx: Ctx, { id, version }: EntityRow, user: UserRef): SQL {
  return sql`exists (
    select 1 from entities en where en.id = ${sql.raw(String(id))} and en.version = ${version} and ${mayWrite(ctx, user)})`;
}

/**
 * An entity of the viewer's current project.
 * @throws not_found for any other.
 */
export async function getEntity(ctx: Ctx<"db" | "embedder">, entityId: string, place: EntityPlaceInput): Promise<EntityView> {
  requirePermission(ctx.actor, "read");
  const viewer = entityViewer(ctx, place);
  if (!isPublicId("entity", entityId)) throw notFound("entity");
  const found = await readOne(
    ctx,
    sql`
    with ${viewerCte(viewer)}
    select ${ENTITY_ROW.columns} from entities en where en.public_id = ${entityId} and ${seesEntity(ctx.tenantId, sql`en`)}`,
  );
  return toEntity(found, ctx.embedder.model);
}

async function readOne(ctx: Ctx<"db">, query: SQL): Promise<EntityRow> {
  const {
    found: [entity],
  } = await read(ctx, { found: statement(ENTITY_ROW, query) });
  return required(entity);
}

/** The entity, read at the end of a batch that changed it. */
export function loadEntity(ctx: Ctx, publicId: string): Query<EntityRow> {
  return statement(
    ENTITY_ROW,
    sql`select ${ENTITY_ROW.columns} from entities en where en.public_id = ${publicId} and +en.tenant_id = ${ctx.tenantId}`,
  );
}

/** @throws not_found if there is no row. */
export function required(entity: EntityRow | undefined): EntityRow {
  if (entity === undefined) throw notFound("entity");
  return entity;
}
