import { createRemoteJWKSet, customFetch, errors, type JWTPayload, jwtVerify } from "jose";
import { BoundedCache } from "#core/bounded-cache";
import { Unavailable } from "#core/errors";
import { isRecord } from "#core/is-record";
import type { Identity, TrustedIssuer } from "#ports/identity";
import { createHostList, type HostOptions } from "./allowed-hosts.ts";

export type JwksOptions = Pick<HostOptions, "hosts"> & { fetch: typeof fetch; now: () => number };

const TIMEOUT_MS = 3_000;
/** How long published keys are used before they are loaded again. */
const MAX_AGE_MS = 600_000;
/** Between two loads of the same address: for a token with an unknown key, and after a failure. */
const COOLDOWN_MS = 30_000;
const MAX_BYTES = 65_536;
const MAX_KEYS = 20;
const MAX_ADDRESSES = 500;
const DAY_MS = 86_400_000;
/** How far the provider's clock may differ. */
const CLOCK_SECONDS = 5;

type KeySet = ReturnType<typeof createRemoteJWKSet>;

/**
 * Loads providers' keys from listed hosts only, by https (plain http where the list says so), follows no redirect, and reads 64 KB and 20
 * keys at most. An address that failed is not asked again for 30 seconds; jose itself waits so long after a success only. No request awaits
 * another's load, which Workers do not allow, so an isolate without keys may load them several times at once.
 */
export function createJwksIdentity(options: JwksOptions): Identity {
  const isAllowed = createHostList({ hosts: options.hosts, variable: "IDENTITY_HOSTS", wildcards: true });
  const sets = new BoundedCache<KeySet>({ limit: MAX_ADDRESSES, ttlMs: DAY_MS });
  const refusal = (jwksUrl: string) => refusalOf(jwksUrl, isAllowed);
  const keysAt = (jwksUrl: string): KeySet => {
    const known = sets.get(jwksUrl, options.now()) ?? createKeySet(options, jwksUrl);
    sets.set(jwksUrl, known, options.now());
    return known;
  };
  return {
    refusal,
    async verify(token, trusted) {
      // The operator may have shortened the list since the address was stored.
      if (refusal(trusted.jwksUrl) !== null) return { ok: false, reason: "invalid" };
      try {
        const { payload } = await jwtVerify(token, keysAt(trusted.jwksUrl), checksOf(trusted, options.now()));
        return withTimes(payload);
      } catch (error) {
        if (error instanceof Unavailable) throw error;
        // A published key that cannot be used, such as a short one, raises errors that are none of jose's.
        return { ok: false, reason: error instanceof errors.JWTExpired ? "expired" : "invalid" };
      }
    },
  };
}

function checksOf({ issuer, audience, algorithms }: TrustedIssuer, now: number) {
  return {
    issuer,
    audience,
    algorithms: [...algorithms],
    clockTolerance: CLOCK_SECONDS,
    currentDate: new Date(now),
  };
}

function withTimes(payload: JWTPayload): Awaited<ReturnType<Identity["verify"]>> {
  const { iat, exp } = payload;
  if (iat === undefined || exp === undefined) return { ok: false, reason: "invalid" };
  return { ok: true, claims: { payload, issuedAt: iat * 1000, expiresAt: exp * 1000 } };
}

function createKeySet({ fetch, now }: JwksOptions, jwksUrl: string): KeySet {
  let failedAt: number | null = null;
  return createRemoteJWKSet(new URL(jwksUrl), {
    timeoutDuration: TIMEOUT_MS,
    cooldownDuration: COOLDOWN_MS,
    cacheMaxAge: MAX_AGE_MS,
    [customFetch]: async (url, init) => {
      if (failedAt !== null && now() < failedAt + COOLDOWN_MS) throw unavailable();
      try {
        const response = await fetch(url, init);
        const keys = await readKeys(response);
        failedAt = null;
        return keys;
      } catch (error) {
        failedAt = now();
        throw error instanceof Unavailable ? error : unavailable(error);
      }
    },
  });
}

/** The answer with its body read, within the limits. */
async function readKeys(response: Response): Promise<Response> {
  if (response.status !== 200) {
    await response.body?.cancel();
    throw unavailable();
  }
  const text = await readText(response);
  const set: unknown = JSON.parse(text);
  if (!isRecord(set) || !Array.isArray(set.keys) || set.keys.length > MAX_KEYS || !set.keys.every(isRecord)) throw unavailable();
  return new Response(text);
}

/** A body that is longer is not read to its end. */
async function readText(response: Response): Promise<string> {
  const decoder = new TextDecoder();
  let [text, bytes] = ["", 0];
  for await (const chunk of response.body ?? []) {
    bytes += chunk.byteLength;
    if (bytes > MAX_BYTES) throw unavailable();
    text += decoder.decode(chunk, { stream: true });
  }
  return text + decoder.decode();
}

function unavailable(cause?: unknown): Unavailable {
  return new Unavailable("The keys of the identity provider could not be loaded. Send the request again later.", {
    retryAfterSeconds: COOLDOWN_MS / 1000,
    ...(cause === undefined ? {} : { cause }),
  });
}

function refusalOf(jwksUrl: string, isAllowed: (url: URL) => boolean): string | null {
  if (!URL.canParse(jwksUrl)) return "This is no URL.";
  const url = new URL(jwksUrl);
  if (url.username !== "" || url.password !== "" || url.hash !== "") return "It may not hold a user, a password or a hash.";
  return isAllowed(url)
    ? null
    : "Keys may not be loaded from this host. The service's operator lists the ones that may in IDENTITY_HOSTS.";
}
