import { sql } from "drizzle-orm";
import { toIso } from "#core/fields";
import { nullable, type RowOf, row, text } from "#db/row";
import { KEY, USER } from "#db/schema/tenants";
import type { KeyView, UserView } from "./schemas.ts";

/** A key, from `keys k`, and, for a personal key, the app's id of its user. */
export const KEY_ROW = row({
  ...KEY.of(
    sql`k`,
    "id",
    "publicId",
    "tenantId",
    "name",
    "prefix",
    "permissions",
    "userId",
    "expiresAt",
    "revokedAt",
    "createdAt",
  ),
  userExternalId: nullable(text(sql`(select ku.external_id from users ku where ku.id = k.user_id)`)),
});

export function toKey(row: RowOf<typeof KEY_ROW>): KeyView {
  return {
    id: row.publicId,
    name: row.name,
    prefix: row.prefix,
    userId: row.userExternalId,
    permissions: row.permissions,
    expiresAt: row.expiresAt === null ? null : toIso(row.expiresAt),
    revokedAt: row.revokedAt === null ? null : toIso(row.revokedAt),
    createdAt: toIso(row.createdAt),
  };
}

/** The columns of a user's view, from `users u`. */
export const USER_COLUMNS = USER.of(sql`u`, "externalId", "name", "timeZone", "createdAt");

export function toUser(row: RowOf<typeof USER_COLUMNS>): UserView {
  return { id: row.externalId, name: row.name, timeZone: row.timeZone, createdAt: toIso(row.createdAt) };
}
