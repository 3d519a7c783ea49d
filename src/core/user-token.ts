import { decodeJwt, decodeProtectedHeader, errors, jwtVerify, SignJWT } from "jose";

/** The algorithm of the service's own tokens: who makes them verifies them, so a shared secret is enough. */
const ALGORITHM = "HS256";
const AUDIENCE = "edgewise";
const ISSUER_PREFIX = "edgewise:";
const SECRET_BYTES = 32;
/** A server takes 8 KB of headers at least, of which the token is one. */
export const MAX_TOKEN_CHARACTERS = 6_000;

/** What an identity provider may sign with: asymmetric ones only, for with a shared secret whoever verifies a token could make one. */
export const SIGNING_ALGORITHMS = [
  "RS256",
  "RS384",
  "RS512",
  "PS256",
  "PS384",
  "PS512",
  "ES256",
  "ES384",
  "ES512",
  "EdDSA",
] as const;

export type SigningAlgorithm = (typeof SIGNING_ALGORITHMS)[number];

/** What a token of the service's own says. Rights that can change are not in it: they are read when it is used. */
export type OwnClaims = {
  id: string;
  /** The tenant's public id. */
  tenant: string;
  /** The user, by the app's id. */
  user: string;
  /** The public id of the key that made it. */
  key: string;
  /** Unix milliseconds. `iat` has seconds only, too few to tell a token from a revocation just before it. */
  issuedAt: number;
  /** Unix seconds. */
  expiresAt: number;
  /** The only sessions in which it may act; null for any. */
  sessions: readonly string[] | null;
  readOnly: boolean;
};

/** The secret that signs or verifies, in the text form in which it is stored. */
type Secret = { secret: string; number: number };

export function newTokenSecret(): string {
  return [...crypto.getRandomValues(new Uint8Array(SECRET_BYTES))].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}

export async function signToken(claims: OwnClaims, { secret, number }: Secret): Promise<string> {
  const { id, tenant, user, key, issuedAt, expiresAt, sessions, readOnly } = claims;
  const own = { key, issuedMs: issuedAt, ...(sessions === null ? {} : { sessions }), ...(readOnly ? { readOnly } : {}) };
  return await new SignJWT(own)
    .setProtectedHeader({ alg: ALGORITHM, typ: "JWT", kid: `${tenant}.${number}` })
    .setIssuer(issuerOf(tenant))
    .setAudience(AUDIENCE)
    .setSubject(user)
    .setIssuedAt(Math.floor(issuedAt / 1000))
    .setExpirationTime(expiresAt)
    .setJti(id)
    .sign(new TextEncoder().encode(secret));
}

/** What an unverified token says of itself: enough to find what verifies it, and to be trusted with nothing else. */
export type UnverifiedToken =
  | { kind: "own"; tenant: string; secretNumber: number; user: string; key: string }
  | { kind: "foreign"; issuer: string; audiences: readonly string[] };

const MAX_AUDIENCES = 10;

/** Whether the credential has the form of a signed JWT (RFC 7515's compact form); no API key has. */
export function looksLikeToken(credential: string): boolean {
  return credential.length <= MAX_TOKEN_CHARACTERS && /^[\w-]+\.[\w-]+\.[\w-]+$/.test(credential);
}

/** Null for a token that has not what the service's own or a provider's token has. */
export function readUnverified(token: string): UnverifiedToken | null {
  try {
    const [header, claims] = [decodeProtectedHeader(token), decodeJwt(token)];
    const { iss, aud, sub, key } = claims;
    if (iss === undefined || typeof iss !== "string") return null;
    if (!iss.startsWith(ISSUER_PREFIX)) {
      const audiences = [aud].flat().filter((one) => typeof one === "string");
      return audiences.length === 0 || audiences.length > MAX_AUDIENCES ? null : { kind: "foreign", issuer: iss, audiences };
    }
    const tenant = iss.slice(ISSUER_PREFIX.length);
    const [named, number] = String(header.kid).split(".");
    if (named !== tenant || !/^\d{1,9}$/.test(number ?? "") || typeof sub !== "string" || typeof key !== "string") return null;
    return { kind: "own", tenant, secretNumber: Number(number), user: sub, key };
  } catch {
    return null;
  }
}

/** `invalid` stands for every fault of the signature and the claims: which one it was helps only who forges. */
export type Verified<T> = { ok: true; claims: T } | { ok: false; reason: "invalid" | "expired" };

/** Verifies a token of the service's own. `expired` is said only of one that was valid. */
export async function verifyToken(
  token: string,
  { secret, tenant, now }: { secret: string; tenant: string; now: number },
): Promise<Verified<OwnClaims>> {
  try {
    const { payload } = await jwtVerify(token, new TextEncoder().encode(secret), {
      algorithms: [ALGORITHM],
      issuer: issuerOf(tenant),
      audience: AUDIENCE,
      requiredClaims: ["sub", "exp", "iat", "jti"],
      currentDate: new Date(now),
    });
    const claims = claimsOf(payload, tenant);
    return claims === null ? { ok: false, reason: "invalid" } : { ok: true, claims };
  } catch (error) {
    return { ok: false, reason: faultOf(error) };
  }
}

/** @throws any error that is not about the token. */
function faultOf(error: unknown): "invalid" | "expired" {
  if (error instanceof errors.JWTExpired) return "expired";
  if (error instanceof errors.JOSEError) return "invalid";
  throw error;
}

function claimsOf(payload: Record<string, unknown>, tenant: string): OwnClaims | null {
  const { jti: id, sub: user, key, issuedMs: issuedAt, exp: expiresAt, sessions = null, readOnly = false } = payload;
  if (typeof id !== "string" || typeof user !== "string" || typeof key !== "string") return null;
  if (typeof issuedAt !== "number" || typeof expiresAt !== "number" || typeof readOnly !== "boolean") return null;
  if (sessions !== null && !isListOfStrings(sessions)) return null;
  return { id, tenant, user, key, issuedAt, expiresAt, sessions, readOnly };
}

function isListOfStrings(value: unknown): value is string[] {
  return Array.isArray(value) && value.every((one) => typeof one === "string");
}

function issuerOf(tenant: string): string {
  return `${ISSUER_PREFIX}${tenant}`;
}
