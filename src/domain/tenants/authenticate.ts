import type { Credential, Services } from "#context";
import { looksLikeKey, sha256 } from "#core/ids";
import { readRows, select } from "#db/client";
import { KEY_ROW } from "./view.ts";

/** Why a credential was refused. The caller learns only that it was; the log has the reason. */
export type AuthenticationFailure = "limited" | "missing" | "malformed" | "unknown" | "expired" | "revoked";

export type Authentication = { ok: true; credential: Credential } | { ok: false; reason: AuthenticationFailure };

/**
 * Finds the caller of a key. Known keys are cached for seconds: a warm request makes no round trip, and a revocation reaches other isolates
 * within that time. Unknown keys are not cached, so that a new key works at once. A request without a known key is counted against the
 * limit before any lookup, so that guessing costs the database nothing.
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
  const found = select(KEY_ROW)`from keys k where k.hash = ${hash}`;
  const [row] = await readRows(services, found);
  if (row === undefined) return undefined;
  const isBound = row.userId !== null;
  // A bound key whose user is missing is refused: there is nobody it may act for.
  if (isBound && row.userExternalId === null) return undefined;
  return {
    tenantId: row.tenantId,
    actor: {
      kind: "key",
      id: row.publicId,
      keyId: row.id,
      boundUser: row.userExternalId,
      permissions: row.permissions.filter((permission) => !isBound || permission !== "admin"),
    },
    expiresAt: row.expiresAt,
    revokedAt: row.revokedAt,
  };
}
