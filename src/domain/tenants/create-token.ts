import { type SQL, sql } from "drizzle-orm";
import type { Actor, Ctx } from "#context";
import { AppError, breaksRule } from "#core/errors";
import { toIso } from "#core/fields";
import { type Permission, requirePermission } from "#core/permission";
import { refuseSecretName } from "#core/safety/name-secrets";
import { MAX_TOKEN_CHARACTERS, signToken } from "#core/user-token";
import { readRows, select } from "#db/client";
import { integer, nullable, type RowOf, row, text } from "#db/row";
import { KEY, TENANT } from "#db/schema/tenants";
import { actingUser, type NamedUser } from "./acting-user.ts";
import { revokedMeanwhile } from "./issue-key.ts";
import type { TokenInput, TokenView } from "./schemas.ts";
import { boundTo, makeFirstSecret, requireSecretBox } from "./token-secrets.ts";

type Key = Extract<Actor, { kind: "key" }>;

/**
 * Makes a token for one user. It may do no more than the key and lasts no longer; it never has `admin`. The user need not exist: the first
 * request that stores something makes it. Nothing is stored, except the tenant's first secret.
 * @throws forbidden for another user than the one to whom a personal key is bound, a permission that the key lacks, or a caller that is no key.
 * @throws unprocessable without an ENCRYPTION_KEY, for a name that holds a secret, and for more sessions than a header can hold.
 */
export async function createToken(ctx: Ctx<"db" | "now" | "newId" | "secretBox">, input: TokenInput): Promise<TokenView> {
  const key = requireKey(ctx.actor);
  requirePermission(key, "write");
  if (input.readOnly) requirePermission(key, "read");
  const user = actingUser(ctx, input.userId);
  const sessions = input.sessions === undefined ? null : [...new Set(input.sessions)];
  for (const name of [user.externalId, ...(sessions ?? [])])
    refuseSecretName(name === user.externalId ? "userId" : "sessions", name);
  const { secret, number, ...maker } = await loadMaker(ctx, key, user);
  const issuedAt = Math.max(ctx.now(), maker.revokedAt + 1);
  const wanted = issuedAt + input.expiresInSeconds * 1000;
  const expiresAt = Math.floor(Math.min(wanted, maker.keyExpiresAt ?? wanted) / 1000);
  const id = ctx.newId("token");
  const claims = { id, tenant: maker.tenant, user: user.externalId, key: key.id, issuedAt, expiresAt, sessions };
  const token = await signToken({ ...claims, readOnly: input.readOnly }, { secret, number });
  if (token.length > MAX_TOKEN_CHARACTERS)
    throw breaksRule("sessions", "These names make the token longer than a header should be. Name fewer sessions.");
  const permissions = tokenPermissions(key.permissions, { readOnly: input.readOnly });
  return { id, token, userId: user.externalId, permissions, sessions, expiresAt: toIso(expiresAt * 1000) };
}

/** What a token of a key may do. */
export function tokenPermissions(
  ofKey: readonly Permission[],
  { readOnly }: { readOnly: boolean },
): Exclude<Permission, "admin">[] {
  return (readOnly ? (["read"] as const) : (["read", "write"] as const)).filter((permission) => ofKey.includes(permission));
}

/** @throws forbidden for a token: a token makes and revokes none, so that a stolen one ends when it expires. */
export function requireKey(actor: Actor): Key {
  if (actor.kind === "key") return actor;
  throw new AppError("forbidden", "Only an API key may do this. Do it on your server, not in the page that holds the token.");
}

const MAKER = row({
  tenant: text(sql`t.public_id`),
  number: nullable(integer(sql`ts.number`)),
  sealed: nullable(text(sql`ts.sealed`)),
  keyExpiresAt: KEY.of(sql`k`, "expiresAt").expiresAt,
  keyRevokedAt: KEY.of(sql`k`, "revokedAt").revokedAt,
  tenantRevokedAt: TENANT.of(sql`t`, "tokensRevokedAt").tokensRevokedAt,
  userRevokedAt: nullable(integer(revokedAtOf(sql`t.id`, sql`j.value`))),
});

/** When the user's tokens were revoked; null if never, or if there is no such user. */
export function revokedAtOf(tenantId: SQL, externalId: SQL): SQL {
  return sql`(select ru.tokens_revoked_at from users ru where ru.tenant_id = ${tenantId} and ru.external_id = ${externalId})`;
}

type Maker = { tenant: string; secret: string; number: number; keyExpiresAt: number | null; revokedAt: number };

/** Read for each token, not cached: a revoked key makes none, and a token is always newer than a revocation before it. */
async function loadMaker(ctx: Ctx<"db" | "now" | "newId" | "secretBox">, key: Key, user: NamedUser): Promise<Maker> {
  const box = requireSecretBox(ctx);
  const find = select(MAKER)`from json_each(${JSON.stringify([user.externalId])}) j
    cross join tenants t on t.id = ${ctx.tenantId} cross join keys k on k.tenant_id = t.id and k.id = ${key.keyId}
    left join token_secrets ts on ts.tenant_id = t.id order by ts.number desc limit 1`;
  let [found] = await readRows(ctx, find);
  if (found?.sealed === null) {
    await makeFirstSecret(ctx);
    [found] = await readRows(ctx, find);
  }
  if (found === undefined || found.keyRevokedAt !== null) throw revokedMeanwhile();
  const { tenant, number, sealed, keyExpiresAt } = found;
  if (number === null || sealed === null) throw new AppError("internal", "The tenant's secret was not stored.");
  const revokedAt = latestOf(found);
  return { tenant, number, keyExpiresAt, revokedAt, secret: await openForSigning(ctx, box, sealed) };
}

/** The later of the tenant's revocation and the user's; 0 for none. */
export function latestOf(found: Pick<RowOf<typeof MAKER>, "tenantRevokedAt" | "userRevokedAt">): number {
  return Math.max(found.tenantRevokedAt ?? 0, found.userRevokedAt ?? 0);
}

async function openForSigning(ctx: Ctx, box: NonNullable<Ctx<"secretBox">["secretBox"]>, sealed: string): Promise<string> {
  try {
    return await box.open(sealed, boundTo(ctx.tenantId));
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    throw new AppError(
      "unprocessable",
      "The secret of this tenant's tokens cannot be read with this service's ENCRYPTION_KEY. POST /v1/tokens/rotate makes a new one.",
    );
  }
}
