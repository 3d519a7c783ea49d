import { AppError } from "./errors.ts";

export type Permission = "read" | "write" | "admin";

type MayHavePermissions = { kind: string; permissions?: readonly Permission[]; boundUser?: string | null };

/** Jobs and the system act as themselves; a key needs the permission, which is named when it is missing. */
export function requirePermission(actor: MayHavePermissions, permission: Permission): void {
  if (actor.permissions === undefined || actor.permissions.includes(permission)) return;
  throw new AppError("forbidden", `This key lacks the permission "${permission}".`);
}

/** For what belongs to the tenant as a whole: whoever is bound to one user may not see or change it, whatever their permissions. */
export function requireTenantPermission(actor: MayHavePermissions, permission: Permission): void {
  requirePermission(actor, permission);
  if (actor.boundUser === undefined || actor.boundUser === null) return;
  throw new AppError("forbidden", "This is the whole tenant's, and this key is bound to one user. Use a server key.");
}

/** Whether the actor may do what only a key with `admin` may; jobs and the system have no such wish. */
export function isAdmin(actor: MayHavePermissions): boolean {
  return actor.permissions?.includes("admin") === true;
}

/** Whether stored content may be shown to the actor. */
export function mayRead(actor: MayHavePermissions): boolean {
  return actor.permissions === undefined || actor.permissions.includes("read");
}
