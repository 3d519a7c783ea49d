import { and, desc, eq, lt } from "drizzle-orm";
import type { Ctx } from "#context";
import { decodeCursor, type Page, toPage } from "#core/page";
import { requirePermission } from "#core/permission";
import { keys } from "#db/schema/tenants";
import type { KeyView } from "./schemas.ts";
import { keyColumns, toKey } from "./view.ts";

/** The tenant's keys, newest first, revoked ones included. */
export async function listKeys(ctx: Ctx<"db">, input: { cursor?: string | undefined; limit: number }): Promise<Page<KeyView>> {
  requirePermission(ctx.actor, "admin");
  const [before] = input.cursor === undefined ? [] : decodeCursor("keys", input.cursor, ["string"]);
  const rows = await ctx.db
    .select(keyColumns)
    .from(keys)
    .where(and(eq(keys.tenantId, ctx.tenantId), before === undefined ? undefined : lt(keys.publicId, String(before))))
    .orderBy(desc(keys.publicId))
    .limit(input.limit + 1);
  return toPage(rows, input.limit, { list: "keys", item: toKey, position: (row) => [row.publicId] });
}
