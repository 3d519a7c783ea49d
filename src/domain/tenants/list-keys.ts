import { sql } from "drizzle-orm";
import type { Ctx } from "#context";
import { decodeCursor, type Page, toPage } from "#core/page";
import { requirePermission } from "#core/permission";
import { readRows, select } from "#db/client";
import type { KeyView } from "./schemas.ts";
import { KEY_ROW, toKey } from "./view.ts";

/** The tenant's keys, newest first, revoked ones included. */
export async function listKeys(ctx: Ctx<"db">, input: { cursor?: string | undefined; limit: number }): Promise<Page<KeyView>> {
  requirePermission(ctx.actor, "admin");
  const [before] = input.cursor === undefined ? [] : decodeCursor("keys", input.cursor, ["string"]);
  const older = before === undefined ? sql`true` : sql`k.public_id < ${String(before)}`;
  const rows = await readRows(
    ctx,
    select(KEY_ROW)`from keys k where k.tenant_id = ${ctx.tenantId} and ${older}
      order by k.public_id desc limit ${input.limit + 1}`,
  );
  return toPage(rows, input.limit, { list: "keys", item: toKey, position: (row) => [row.publicId] });
}
