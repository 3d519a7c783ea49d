import type { Ctx } from "#context";
import { notFound } from "#core/errors";
import { isPublicId } from "#core/ids";
import { requirePermission } from "#core/permission";
import { readRows } from "#db/client";
import { actingUser } from "#domain/tenants";
import { loadChunk, visibleChunks } from "./find-chunks.ts";
import type { HitView } from "./schemas.ts";
import { toDocument } from "./view.ts";

/** A passage of a document, as a hit names it. */
export type ChunkView = Pick<HitView, "id" | "content" | "passage"> & { document: NonNullable<HitView["document"]> };

/**
 * One passage of a document.
 * @throws not_found if it is not visible to the viewer there.
 */
export async function getChunk(
  ctx: Ctx<"db" | "log">,
  chunkId: string,
  place: { userId?: string | undefined; sessionId?: string | undefined; projectId?: string | undefined },
): Promise<ChunkView> {
  requirePermission(ctx.actor, "read");
  if (!isPublicId("chunk", chunkId)) throw notFound("passage");
  const viewer = {
    tenantId: ctx.tenantId,
    user: actingUser(ctx, place.userId),
    sessionExternalId: place.sessionId ?? null,
    projectExternalId: place.projectId ?? null,
    includeGroups: false,
    sessionMayBeNew: true,
    userMayBeNew: true,
  };
  const [chunk] = visibleChunks(ctx, await readRows(ctx, loadChunk(ctx, viewer, chunkId)));
  if (chunk === undefined) throw notFound("passage");
  const { publicId: id, text: content, startAt: start, endAt: end } = chunk;
  return { id, content, passage: { start, end }, document: toDocument(chunk) };
}
