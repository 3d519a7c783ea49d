import { env } from "cloudflare:workers";
import { SignJWT } from "jose";
import { createSecretBox } from "#core/secret-box";
import { asEnv, type Harness } from "#test/harness";
import { identityProvider } from "#test/identity-provider";

const AUDIENCE = "https://memory.example.com";
const encoder = new TextEncoder();

type Claims = Record<string, unknown>;
type Made = { token: string };

const partOf = (token: string, index: number): Claims =>
  JSON.parse(atob((token.split(".")[index] ?? "").replaceAll("-", "+").replaceAll("_", "/")));
const encoded = (value: unknown) => btoa(JSON.stringify(value)).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");

/** The secret with which the tenant's tokens are signed now, so that a forged token differs in nothing but what it is to differ in. */
async function secretOf({ tenantId }: Harness): Promise<string> {
  const stored = await env.DB.prepare("select sealed from token_secrets where tenant_id = ? order by number desc limit 1")
    .bind(tenantId)
    .first<{ sealed: string }>();
  const box = createSecretBox(String(asEnv(env).ENCRYPTION_KEY));
  return await box.open(stored?.sealed ?? "", `tenant ${tenantId} tokens`);
}

async function mint(h: Harness, body: Claims, key = h.key): Promise<string> {
  return (await h.fetch<Made>("POST", "/v1/tokens", { body, key, user: null })).json.token;
}

/** A valid token, and ways to sign its claims, or others, with its tenant's secret. */
async function forgeryOf(h: Harness, userId: string) {
  const valid = await mint(h, { userId });
  const [header, claims, secret] = [partOf(valid, 0), partOf(valid, 1), await secretOf(h)];
  const sign = async (change: Claims, head: Claims = {}, key: string = secret) =>
    await new SignJWT({ ...claims, ...change })
      .setProtectedHeader({ ...header, ...head, alg: "HS256" })
      .sign(encoder.encode(key));
  return { valid, header, claims, sign };
}

/** Longer than a suite takes on a busy machine, and before the tokens expire. */
const FUTURE_SECONDS = 500;

/** Tokens that a verifier must not accept for this user, by what is wrong with them. */
export async function forgedTokens(h: Harness, other: Harness, userId: string): Promise<Record<string, string>> {
  const provider = await identityProvider();
  const stranger = await identityProvider();
  const { issuer, jwksUrl } = provider;
  const settings = { identityProvider: { issuer, jwksUrl, audience: AUDIENCE, algorithms: ["RS256"] } };
  await h.fetch("PATCH", "/v1/settings", { body: settings });
  const { valid, header, claims, sign } = await forgeryOf(h, userId);
  const theirs = partOf(await mint(other, { userId }), 1);
  const now = Math.floor(Date.now() / 1000);
  const [signed] = [valid.split(".").slice(0, 2).join(".")];
  const foreign = { sub: userId, aud: AUDIENCE };
  const secret = provider.publicKey;
  return {
    "own, expired": await sign({ exp: now - 1 }),
    "own, issued in the future": await sign({ issuedMs: Date.now() + FUTURE_SECONDS * 1000, iat: now + FUTURE_SECONDS }),
    "own, with the signature of another key": await sign({}, {}, "a secret of somebody else's, of 32 bytes and more"),
    "own, with other claims under its signature": `${encoded(header)}.${encoded({ ...claims, sub: "ben" })}.${valid.split(".")[2]}`,
    "own, with alg none": `${encoded({ ...header, alg: "none" })}.${encoded(claims)}.${valid.split(".")[2]}`,
    "own, with alg none and no signature": `${encoded({ ...header, alg: "none" })}.${encoded(claims)}.`,
    "own, without a signature": signed,
    "own, signed with the provider's public key": await sign({}, {}, secret),
    "own, for another audience": await sign({ aud: "another" }),
    "own, of another issuer": await sign({ iss: "edgewise:ten_other" }),
    "own, of another tenant's name": await sign({ iss: theirs.iss }, { kid: `${String(theirs.iss).replace("edgewise:", "")}.1` }),
    "own, without a time of issue": await sign({ issuedMs: undefined }),
    "own, of no key": await sign({ key: "key_01a1f92c-720b-7527-9cd5-76463f8b4abc" }),
    ...(await endedTokens(h, other, userId)),
    "the provider's, expired": await provider.sign({ ...foreign, iat: now - 100, exp: now - 50 }),
    "the provider's, issued in the future": await provider.sign({ ...foreign, iat: now + FUTURE_SECONDS }),
    "the provider's, for another audience": await provider.sign({ ...foreign, aud: "another" }),
    "the provider's, of another issuer": await provider.sign({ ...foreign, iss: "https://another.example/" }),
    "the provider's, signed by a stranger": await stranger.sign({ ...foreign, iss: issuer }),
    "the provider's, HS256 with its public key": await new SignJWT({ ...foreign, iss: issuer, iat: now, exp: now + 600 })
      .setProtectedHeader({ alg: "HS256", kid: "k1" })
      .sign(encoder.encode(secret)),
    "the provider's, with alg none": `${encoded({ alg: "none", kid: "k1" })}.${encoded({ ...foreign, iss: issuer, iat: now, exp: now + 600 })}.AAAA`,
  };
}

/** Tokens that were valid. */
async function endedTokens(h: Harness, other: Harness, userId: string): Promise<Record<string, string>> {
  const gone = (await h.fetch<{ key: string; id: string }>("POST", "/v1/keys", { body: { name: "gone" } })).json;
  const ofGoneKey = await mint(h, { userId }, gone.key);
  await h.fetch("DELETE", `/v1/keys/${gone.id}`);
  const ofUser = await mint(h, { userId: "revoked-user" });
  await h.fetch("POST", "/v1/tokens/revoke", { body: { userId: "revoked-user" } });
  const rotatedOut = await mint(other, { userId });
  for (const _ of [1, 2]) await other.fetch("POST", "/v1/tokens/rotate");
  const ofTenant = await mint(other, { userId });
  await other.fetch("POST", "/v1/tokens/revoke", { body: { everybody: true }, user: null });
  return {
    "own, of a key that was revoked": ofGoneKey,
    "own, of a user whose tokens were revoked": ofUser,
    "own, of a tenant whose tokens were revoked": ofTenant,
    "own, of a secret that was rotated out": rotatedOut,
  };
}
