import type { Credential, Services, VerifiedRefusal } from "#context";
import { looksLikeKey, sha256 } from "#core/ids";
import type { StrangerLimit } from "#core/strangers";
import { looksLikeToken } from "#core/user-token";
import { readRows, select } from "#db/client";
import { authenticateToken } from "./authenticate-token.ts";
import { KEY_ROW } from "./view.ts";

/**
 * Why a credential was refused; the log has the reason. The caller learns only that it was, and of a token that was valid, that it has
 * expired, was revoked or lives too long. `invalid` is a wrong signature, issuer, audience or claim, `early` a time of issue that has not
 * come.
 */
export type AuthenticationFailure = "limited" | "missing" | "malformed" | "unknown" | "invalid" | "early" | VerifiedRefusal;

export type Authentication = { ok: true; credential: Credential } | { ok: false; reason: AuthenticationFailure; isToken?: true };

type Needs = Pick<Services, "db" | "caches" | "now" | "secretBox" | "identity">;

/**
 * Finds the caller of a key or a user token. Known ones are cached for seconds: a warm request makes no round trip, and a revocation
 * reaches other isolates within that time. Unknown ones are not cached, so that a new one works at once. A request without a known key is
 * counted against the limit before any lookup, so that guessing costs the database nothing; a token as `Strangers` says.
 * @throws upstream_failed if the keys of the token's identity provider cannot be loaded.
 */
export async function authenticate(services: Needs, credential: string | null, limit: StrangerLimit): Promise<Authentication> {
  const form = formOf(credential);
  const hash = credential === null || form === null ? null : await sha256(credential);
  const cached = hash === null ? undefined : services.caches.credentials.get(hash, services.now());
  if (cached !== undefined) return inForce(cached, services.now());
  if (form === "token" && credential !== null && hash !== null) {
    const refused = services.caches.refusals.get(hash, services.now());
    if (refused !== undefined) return { ok: false, reason: refused, isToken: true };
    return remembered(services, hash, await verifiedToken(services, credential, limit));
  }
  if (!(await limit.isWithinLimit())) return { ok: false, reason: "limited" };
  if (credential === null || hash === null) return { ok: false, reason: credential === null ? "missing" : "malformed" };
  return remembered(services, hash, await authenticateKey(services, hash));
}

/** A valid token is not counted, and neither is one that was valid: many users may share an address. */
async function verifiedToken(services: Needs, token: string, limit: StrangerLimit): Promise<Authentication> {
  const found = await services.caches.strangers.meet(limit, {
    now: services.now(),
    verify: async () => await authenticateToken(services, token),
    isStranger: (outcome) => !outcome.ok && !isVerifiedRefusal(outcome.reason),
  });
  if (found === "limited") return { ok: false, reason: "limited" };
  return found.ok ? found : { ...found, isToken: true };
}

function remembered(services: Needs, hash: string, found: Authentication): Authentication {
  const now = services.now();
  if (found.ok) {
    services.caches.credentials.set(hash, found.credential, now);
    return inForce(found.credential, now);
  }
  // None of these ends, so that the same token need not be verified again.
  if (found.isToken && isVerifiedRefusal(found.reason)) services.caches.refusals.set(hash, found.reason, now);
  return found;
}

function isVerifiedRefusal(reason: AuthenticationFailure): reason is VerifiedRefusal {
  return reason === "expired" || reason === "revoked" || reason === "long";
}

function formOf(credential: string | null): "key" | "token" | null {
  if (credential === null) return null;
  if (looksLikeKey(credential)) return "key";
  return looksLikeToken(credential) ? "token" : null;
}

function inForce(credential: Credential, now: number): Authentication {
  const isToken = credential.actor.kind === "token" ? ({ isToken: true } as const) : {};
  if (credential.revokedAt !== null) return { ok: false, reason: "revoked", ...isToken };
  if (credential.expiresAt !== null && credential.expiresAt <= now) return { ok: false, reason: "expired", ...isToken };
  return { ok: true, credential };
}

async function authenticateKey(services: Pick<Services, "db">, hash: string): Promise<Authentication> {
  const credential = await findCredential(services, hash);
  return credential === undefined ? { ok: false, reason: "unknown" } : { ok: true, credential };
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
