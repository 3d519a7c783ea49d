import { eq } from "drizzle-orm";
import type { Credential, Services } from "#context";
import { looksLikeKey, sha256 } from "#core/key";
import type { Permission } from "#core/permission";
import { keys } from "#db/schema/tenants";
import { keyColumns } from "./view.ts";

/** Why a credential is no good. The caller learns only that it is not; the log learns the reason. */
export type AuthenticationFailure = "limited" | "missing" | "malformed" | "unknown" | "expired" | "revoked";

export type Authentication = { ok: true; credential: Credential } | { ok: false; reason: AuthenticationFailure };

/**
 * Finds whose key it is. Known keys are cached for seconds, so a warm request makes no round trip, and a revocation
 * reaches other isolates within that time. Unknown keys are not cached: a key works in the moment after it is made.
 * Whoever shows no known key is admitted or not before anything is looked up, so that guessing cannot wear out the database.
 */
export async function authenticate(
  services: Pick<Services, "db" | "caches" | "now">,
  key: string | null,
  { isWithinLimit }: { isWithinLimit: () => Promise<boolean> },
): Promise<Authentication> {
  const hash = key !== null && looksLikeKey(key) ? await sha256(key) : null;
  const cached = hash === null ? undefined : services.caches.credentials.get(hash, services.now());
  if (cached === undefined && !(await isWithinLimit())) return { ok: false, reason: "limited" };
  if (hash === null) return { ok: false, reason: key === null ? "missing" : "malformed" };
  const credential = cached ?? (await findCredential(services, hash));
  if (credential === undefined) return { ok: false, reason: "unknown" };
  if (cached === undefined) services.caches.credentials.set(hash, credential, services.now());
  if (credential.revokedAt !== null) return { ok: false, reason: "revoked" };
  if (credential.expiresAt !== null && credential.expiresAt <= services.now()) return { ok: false, reason: "expired" };
  return { ok: true, credential };
}

async function findCredential(services: Pick<Services, "db">, hash: string): Promise<Credential | undefined> {
  const [row] = await services.db.select(keyColumns).from(keys).where(eq(keys.hash, hash));
  if (row === undefined) return undefined;
  const isBound = row.userId !== null;
  // Without its user, a bound key can act for nobody.
  if (isBound && row.userExternalId === null) return undefined;
  return {
    tenantId: row.tenantId,
    actor: {
      kind: "key",
      id: row.publicId,
      keyId: row.id,
      boundUser: row.userExternalId,
      permissions: row.permissions.filter(isPermission).filter((permission) => !isBound || permission !== "admin"),
    },
    expiresAt: row.expiresAt,
    revokedAt: row.revokedAt,
  };
}

function isPermission(value: string): value is Permission {
  return value === "read" || value === "write" || value === "admin";
}
