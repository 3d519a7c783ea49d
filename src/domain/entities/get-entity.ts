import { sql } from "drizzle-orm";
import type { Ctx } from "#context";
import { notFound } from "#core/errors";
import { isPublicId } from "#core/ids";
import { requirePermission } from "#core/permission";
import { seesEntity, viewerCte } from "#domain/visibility";
import { entityViewer } from "./place.ts";
import type { EntityPlaceInput, EntityView } from "./schemas.ts";
import { type EntityRow, entityColumns, toEntity } from "./view.ts";

/** An entity of the viewer's current project; 404 for any other. */
export async function getEntity(ctx: Ctx<"db" | "embedder">, entityId: string, place: EntityPlaceInput): Promise<EntityView> {
  requirePermission(ctx.actor, "read");
  const viewer = entityViewer(ctx, place);
  if (!isPublicId("entity", entityId)) throw notFound("entity");
  const [row] = await ctx.db.all<EntityRow>(sql`
    with ${viewerCte(viewer)}
    select ${entityColumns} from entities en where en.public_id = ${entityId} and ${seesEntity(ctx.tenantId, sql`en`)}`);
  if (row === undefined) throw notFound("entity");
  return toEntity(row, ctx.embedder.model);
}
