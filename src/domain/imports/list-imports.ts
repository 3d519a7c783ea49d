import { sql } from "drizzle-orm";
import type { Ctx } from "#context";
import { decodeCursor, type Page, toPage } from "#core/page";
import { requirePermission } from "#core/permission";
import { readRows, select } from "#db/client";
import { actingUser, userIdOf } from "#domain/tenants";
import { findOwned } from "./find-import.ts";
import type { ImportListInput, ImportView } from "./schemas.ts";
import { IMPORT_ROW, toImport } from "./view.ts";

/** The user's imports, newest first. */
export async function listImports(ctx: Ctx<"db">, input: ImportListInput): Promise<Page<ImportView>> {
  requirePermission(ctx.actor, "read");
  const user = actingUser(ctx, input.userId);
  const [before] = input.cursor === undefined ? [] : decodeCursor("imports", input.cursor, ["string"]);
  const rows = await readRows(
    ctx,
    select(IMPORT_ROW)`from imports i
      where i.tenant_id = ${ctx.tenantId} and i.user_id = ${userIdOf(ctx.tenantId, user)}
        and ${before === undefined ? sql`true` : sql`i.public_id < ${String(before)}`}
      order by i.public_id desc limit ${input.limit + 1}`,
  );
  return toPage(rows, input.limit, { list: "imports", item: (row) => toImport(row), position: ({ publicId }) => [publicId] });
}

/** @throws not_found */
export async function getImport(ctx: Ctx<"db">, id: string, input: { userId?: string | undefined }): Promise<ImportView> {
  requirePermission(ctx.actor, "read");
  return toImport((await findOwned(ctx, { id, userId: input.userId })).found);
}
