import { AppError } from "./errors.ts";

export type Permission = "read" | "write" | "admin";

type MayHavePermissions = { kind: string; permissions?: readonly Permission[]; boundUser?: string | null };

/** Jobs and the system need no permission; a key or a token does, and the error names the missing one. */
export function requirePermission(actor: MayHavePermissions, permission: Permission): void {
  if (actor.permissions === undefined || actor.permissions.includes(permission)) return;
  throw new AppError("forbidden", `This ${credentialOf(actor)} lacks the permission "${permission}".`);
}

/** Whether a client's key or token acts, not a job or the system. */
export function isClient(actor: MayHavePermissions): boolean {
  return actor.permissions !== undefined;
}

/** What the client authenticates with, for messages. */
export function credentialOf({ kind }: MayHavePermissions): "key" | "token" {
  return kind === "token" ? "token" : "key";
}

/** For data of the tenant as a whole: a caller that is bound to one user may not see or change it, whatever its permissions. */
export function requireTenantPermission(actor: MayHavePermissions, permission: Permission): void {
  requirePermission(actor, permission);
  if (actor.boundUser === undefined || actor.boundUser === null) return;
  throw new AppError(
    "forbidden",
    `This is the whole tenant's, and this ${credentialOf(actor)} is bound to one user. Use a server key.`,
  );
}

/** Whether the actor is a key with `admin`; jobs and the system are not. */
export function isAdmin(actor: MayHavePermissions): boolean {
  return actor.permissions?.includes("admin") === true;
}

/** Whether stored content may be shown to the actor. */
export function mayRead(actor: MayHavePermissions): boolean {
  return actor.permissions === undefined || actor.permissions.includes("read");
}
