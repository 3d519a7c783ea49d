import { AppError } from "./errors.ts";

export type Permission = "read" | "write" | "admin";

type MayHavePermissions = { kind: string; permissions?: readonly Permission[] };

/** Jobs and the system act as themselves; a key needs the permission, which is named when it is missing. */
export function requirePermission(actor: MayHavePermissions, permission: Permission): void {
  if (actor.permissions === undefined || actor.permissions.includes(permission)) return;
  throw new AppError("forbidden", `This key lacks the permission "${permission}".`);
}
