import type { Ctx } from "#context";
import { notFound } from "#core/errors";
import { isPublicId } from "#core/ids";
import { requirePermission } from "#core/permission";
import { read } from "#db/client";
import type { MemoryViewerRef } from "#domain/visibility";
import { memoryViewer, type NewSession } from "./access.ts";
import { earlierOf, findEarlier } from "./earlier.ts";
import { decided, findSeen, type SeenMemory } from "./rows.ts";
import type { HistoryView, MemoryPlaceInput, MemoryView } from "./schemas.ts";
import { toMemory } from "./view.ts";

type ReadCtx = Ctx<"db" | "now" | "embedder" | "log">;

/**
 * One memory, whichever part of the rule makes it visible to the viewer.
 * @throws not_found if it is not visible to the viewer there.
 */
export async function getMemory(ctx: ReadCtx, memoryId: string, place: MemoryPlaceInput & NewSession): Promise<MemoryView> {
  requirePermission(ctx.actor, "read");
  const viewer = memoryViewer(ctx, place, { about: "anyone" });
  if (!isPublicId("memory", memoryId)) throw notFound("memory");
  const { seen } = await read(ctx, { seen: findSeen(ctx, viewer, [memoryId]) });
  const [memory] = decided(ctx, viewer, seen);
  if (memory === undefined) throw notFound("memory");
  return viewOf(ctx, memory);
}

function viewOf(ctx: ReadCtx, memory: SeenMemory): MemoryView {
  return toMemory(memory, { model: ctx.embedder.model, visibilityReason: memory.visibilityReason });
}

/**
 * A memory with its earlier versions and the memories it replaced. Each version is checked against the rule with its own values: whoever
 * may see the current words may not have been allowed to see the old ones.
 * @throws not_found if the memory is not visible to the viewer there.
 */
export async function memoryHistory(ctx: ReadCtx, memoryId: string, place: MemoryPlaceInput): Promise<HistoryView> {
  requirePermission(ctx.actor, "read");
  const viewer: MemoryViewerRef = { ...memoryViewer(ctx, place, { about: "anyone" }), asOf: "ever" };
  if (!isPublicId("memory", memoryId)) throw notFound("memory");
  const found = await read(ctx, { seen: findSeen(ctx, viewer, [memoryId]), ...findEarlier(viewer, [memoryId]) });
  const [memory] = decided(ctx, viewer, found.seen);
  if (memory === undefined) throw notFound("memory");
  const { versions, older } = earlierOf(ctx, viewer, { ...found, memory });
  return { memory: viewOf(ctx, memory), versions, supersedes: older.map((each) => viewOf(ctx, each)) };
}
