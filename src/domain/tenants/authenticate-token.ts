import { sql } from "drizzle-orm";
import type { Credential, Services, VerifiedRefusal } from "#context";
import { AppError } from "#core/errors";
import { ExternalId } from "#core/fields";
import { sha256 } from "#core/ids";
import { secretInName } from "#core/safety/name-secrets";
import { readUnverified, type UnverifiedToken, verifyToken } from "#core/user-token";
import { readRows, select } from "#db/client";
import { flag, integer, nullable, row } from "#db/row";
import { KEY, TENANT, TOKEN_SECRET } from "#db/schema/tenants";
import { findIdentityProvider } from "#domain/settings";
import { latestOf, revokedAtOf, tokenPermissions } from "./create-token.ts";
import { boundTo } from "./token-secrets.ts";
import { userErasedAt } from "./tombstones.ts";

type Needs = Pick<Services, "db" | "now" | "secretBox" | "identity">;

type Outcome =
  | { ok: true; credential: Credential }
  | { ok: false; reason: "malformed" | "unknown" | "invalid" | "early" | VerifiedRefusal };

/** How far the clock of whoever issued a token may be ahead. */
const CLOCK_MS = 5_000;

/** How long a provider's token may live. The tenant's own live for an hour at most. */
const MAX_LIFETIME_MS = 86_400_000;

/** Characters of a hash by which the audit log names a provider's token, whose own id may hold anything. */
const ID_CHARACTERS = 32;

/**
 * The caller of a token of the service's own, or of a tenant's identity provider. What an unverified token says only finds the secret or the
 * keys that verify it.
 * @throws upstream_failed if the provider's keys cannot be loaded.
 */
export async function authenticateToken(services: Needs, token: string): Promise<Outcome> {
  const unverified = readUnverified(token);
  if (unverified === null) return { ok: false, reason: "malformed" };
  return unverified.kind === "own"
    ? await authenticateOwn(services, token, unverified)
    : await authenticateForeign(services, token, unverified);
}

/** Whether the user is not there, and anything of the tenant was ever erased. */
const MAY_BE_ERASED = sql`(exists (select 1 from tombstones e where e.tenant_id = t.id)
  and not exists (select 1 from users u where u.tenant_id = t.id and u.external_id = j.value))`;

const MADE_BY = row({
  ...TOKEN_SECRET.of(sql`ts`, "tenantId", "sealed", "validUntil"),
  permissions: KEY.of(sql`k`, "permissions").permissions,
  keyRevokedAt: KEY.of(sql`k`, "revokedAt").revokedAt,
  tenantRevokedAt: TENANT.of(sql`t`, "tokensRevokedAt").tokensRevokedAt,
  userRevokedAt: nullable(integer(revokedAtOf(sql`t.id`, sql`j.value`))),
  mayBeErased: flag(MAY_BE_ERASED),
});

/** One round trip for the secret, the key that made the token and its revocations: all by what the token says, then it is verified. */
async function authenticateOwn(
  services: Needs,
  token: string,
  named: Extract<UnverifiedToken, { kind: "own" }>,
): Promise<Outcome> {
  const [found] = await readRows(
    services,
    select(MADE_BY)`from json_each(${JSON.stringify([named.user])}) j cross join tenants t on t.public_id = ${named.tenant}
      cross join token_secrets ts on ts.tenant_id = t.id and ts.number = ${named.secretNumber}
      cross join keys k on k.tenant_id = t.id and k.public_id = ${named.key}`,
  );
  const now = services.now();
  if (found === undefined) return { ok: false, reason: "unknown" };
  const secret = await openSecret(services, found);
  if (secret === null) return { ok: false, reason: "unknown" };
  const verified = await verifyToken(token, { secret, tenant: named.tenant, now });
  if (!verified.ok) return verified;
  const { claims } = verified;
  if (claims.issuedAt > now + CLOCK_MS) return { ok: false, reason: "early" };
  // A key that was revoked takes its tokens with it.
  if (found.keyRevokedAt !== null || claims.issuedAt <= latestOf(found)) return { ok: false, reason: "revoked" };
  if (await wasErased(services, { ...found, ...claims })) return { ok: false, reason: "revoked" };
  const { id, user, sessions, readOnly } = claims;
  const expiresAt = Math.min(claims.expiresAt * 1000, found.validUntil ?? Number.POSITIVE_INFINITY);
  const permissions = tokenPermissions(found.permissions, { readOnly });
  const actor = { kind: "token" as const, id, boundUser: user, permissions, sessions };
  return { ok: true, credential: { tenantId: found.tenantId, actor, expiresAt, revokedAt: null } };
}

/** Null if the secret cannot be read with this service's ENCRYPTION_KEY: then its tokens cannot be verified. */
async function openSecret(
  { secretBox }: Pick<Services, "secretBox">,
  { sealed, tenantId }: { sealed: string; tenantId: number },
): Promise<string | null> {
  try {
    return secretBox === null ? null : await secretBox.open(sealed, boundTo(tenantId));
  } catch (error) {
    if (error instanceof AppError) return null;
    throw error;
  }
}

const REVOKED = row({
  tenantRevokedAt: TENANT.of(sql`t`, "tokensRevokedAt").tokensRevokedAt,
  userRevokedAt: nullable(integer(revokedAtOf(sql`t.id`, sql`j.value`))),
  mayBeErased: flag(MAY_BE_ERASED),
});

/** The tenant is the one that registered the issuer and audience, and only the keys of its provider decide whether the token is valid. */
async function authenticateForeign(
  services: Needs,
  token: string,
  named: Extract<UnverifiedToken, { kind: "foreign" }>,
): Promise<Outcome> {
  const registered = await findIdentityProvider(services, named);
  if (registered === null) return { ok: false, reason: "unknown" };
  const { tenantId, provider } = registered;
  const verified = await services.identity.verify(token, provider);
  if (!verified.ok) return verified;
  const { payload, issuedAt, expiresAt } = verified.claims;
  if (issuedAt > services.now() + CLOCK_MS) return { ok: false, reason: "early" };
  if (expiresAt - issuedAt > MAX_LIFETIME_MS) return { ok: false, reason: "long" };
  const user = ExternalId.safeParse(payload[provider.userClaim]);
  if (!user.success || secretInName(user.data) !== null) return { ok: false, reason: "invalid" };
  const [revoked] = await readRows(
    services,
    select(REVOKED)`from json_each(${JSON.stringify([user.data])}) j cross join tenants t on t.id = ${tenantId}`,
  );
  if (revoked === undefined || issuedAt <= latestOf(revoked)) return { ok: false, reason: "revoked" };
  if (await wasErased(services, { ...revoked, tenantId, user: user.data, issuedAt })) return { ok: false, reason: "revoked" };
  const id = `idp_${(await sha256(token)).slice(0, ID_CHARACTERS)}`;
  const actor = {
    kind: "token" as const,
    id,
    boundUser: user.data,
    permissions: ["read", "write"] as const,
    sessions: null,
  };
  return { ok: true, credential: { tenantId, actor, expiresAt, revokedAt: null } };
}

type Issued = { tenantId: number; user: string; issuedAt: number; mayBeErased: boolean };

/** A token from before its user was erased must not make them anew. */
async function wasErased(services: Needs, { tenantId, user, issuedAt, mayBeErased }: Issued): Promise<boolean> {
  if (!mayBeErased) return false;
  const erasedAt = await userErasedAt({ ...services, tenantId }, user);
  return erasedAt !== null && issuedAt <= erasedAt;
}
