import { toIso } from "#core/fields";
import type { keys, users } from "#db/schema/tenants";
import { KeyView, type UserView } from "./schemas.ts";

export function toKey(row: typeof keys.$inferSelect): KeyView {
  return {
    id: row.publicId,
    name: row.name,
    prefix: row.prefix,
    permissions: KeyView.shape.permissions.parse(row.permissions),
    expiresAt: row.expiresAt === null ? null : toIso(row.expiresAt),
    revokedAt: row.revokedAt === null ? null : toIso(row.revokedAt),
    createdAt: toIso(row.createdAt),
  };
}

export type UserRow = Pick<typeof users.$inferSelect, "publicId" | "externalId" | "name" | "createdAt">;

export function toUser(row: UserRow): UserView {
  return { id: row.publicId, externalId: row.externalId, name: row.name, createdAt: toIso(row.createdAt) };
}
