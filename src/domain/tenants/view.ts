import { getTableColumns, sql } from "drizzle-orm";
import { toIso } from "#core/fields";
import { keys, type users } from "#db/schema/tenants";
import { KeyView, type UserView } from "./schemas.ts";

/** A key's row and, for a personal key, the app's id of its user. */
export const keyColumns = {
  ...getTableColumns(keys),
  userExternalId: sql<string | null>`(select ku.external_id from users ku where ku.id = ${keys.userId})`.as("user_external_id"),
};

export type KeyRow = typeof keys.$inferSelect & { userExternalId: string | null };

export function toKey(row: KeyRow): KeyView {
  return {
    id: row.publicId,
    name: row.name,
    prefix: row.prefix,
    userId: row.userExternalId,
    permissions: KeyView.shape.permissions.parse(row.permissions),
    expiresAt: row.expiresAt === null ? null : toIso(row.expiresAt),
    revokedAt: row.revokedAt === null ? null : toIso(row.revokedAt),
    createdAt: toIso(row.createdAt),
  };
}

export type UserRow = Pick<typeof users.$inferSelect, "externalId" | "name" | "createdAt">;

export function toUser(row: UserRow): UserView {
  return { id: row.externalId, name: row.name, createdAt: toIso(row.createdAt) };
}
