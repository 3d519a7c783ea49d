import type { Ctx } from "#context";
import { notFound } from "#core/errors";
import { isPublicId } from "#core/ids";
import { decodeCursor, type Page, toPage } from "#core/page";
import { requireTenantPermission } from "#core/permission";
import { readRows } from "#db/client";
import type { ErasureListInput, ErasureSummary, ErasureView } from "./schemas.ts";
import { type ErasureRow, findErasure, listRows, toErasure, toSummary } from "./view.ts";

/**
 * The tenant's erasures, newest first.
 * @throws forbidden without the permission `admin`.
 */
export async function listErasures(ctx: Ctx<"db">, input: ErasureListInput): Promise<Page<ErasureSummary>> {
  requireTenantPermission(ctx.actor, "admin");
  const [before] = input.cursor === undefined ? [Number.MAX_SAFE_INTEGER] : decodeCursor("erasures", input.cursor, ["number"]);
  const rows = await readRows(ctx, listRows(ctx, Number(before), input.limit + 1));
  return toPage(rows, input.limit, { list: "erasures", item: toSummary, position: (row) => [row.id] });
}

/**
 * An erasure with its progress, and when it has ended with its receipt.
 * @throws forbidden for a key or token that is bound to one user.
 */
export async function getErasure(ctx: Ctx<"db">, erasureId: string): Promise<ErasureView> {
  return toErasure(await loadErasure(ctx, erasureId));
}

export async function loadErasure(ctx: Ctx<"db">, erasureId: string): Promise<ErasureRow> {
  requireTenantPermission(ctx.actor, "read");
  const [found] = isPublicId("erasure", erasureId) ? await readRows(ctx, findErasure(ctx, erasureId)) : [];
  if (found === undefined) throw notFound("erasure");
  return found;
}
