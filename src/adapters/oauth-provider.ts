import {
  AuthorizationError,
  type AuthRequest,
  authorizationErrorRedirect,
  CimdFetchError,
  OAuthAuthorizationServer,
  OAuthError,
  type OAuthHelpers,
  type TokenExchangeCallbackOptions,
} from "@cloudflare/workers-oauth-provider";
import { z } from "zod";
import { AppError, Unavailable } from "#core/errors";
import { OAUTH_PATHS, OAUTH_SCOPE, oauthAddresses } from "#core/oauth-addresses";
import { hasPublicHost } from "#core/public-host";
import type { AskedConsent, Consent, Holder, OAuthServer, ReturnedConsent } from "#ports/oauth-server";

const HOUR_SECONDS = 3_600;
const DAY_SECONDS = 24 * HOUR_SECONDS;
const DOCUMENT_TIMEOUT_MS = 10_000;

export type OAuthProviderOptions = {
  /** Of the request, such as `https://memory.example.com`. */
  origin: string;
  kv: KVNamespace;
  execution: ExecutionContext;
  fetch: typeof fetch;
  /** Whether a credential may still be used; asked whenever tokens are issued. */
  isInForce: (credential: string) => Promise<boolean>;
  /** Called for every refusal, with the provider's own words for it. */
  onRefusal: (facts: { status: number; code: string; category: string; reason: string }) => void;
};

/** What the provider gets as its environment, new for each request. */
type ProviderEnv = { OAUTH_KV: KVNamespace } & Pick<OAuthProviderOptions, "isInForce" | "onRefusal">;

/** What a grant holds, encrypted. */
const Props = z.object({ credential: z.string() });

/**
 * An authorization server on KV.
 * @throws unprocessable for plain http, except on this machine.
 */
export function createOAuthProvider(options: OAuthProviderOptions): OAuthServer {
  const { origin, execution, kv, isInForce, onRefusal } = options;
  const env: ProviderEnv = { OAUTH_KV: kv, isInForce, onRefusal };
  const provider = providerAt(origin, env);
  const api = provider.getOAuthApi(env);
  return {
    answer: (request) => withStore(async () => await provider.fetch(request, env, execution)),
    ask: (request) => withStore(async () => await ask(api, request, options)),
    takeBack: (request, handle) => withStore(async () => await takeBack(api, request, handle)),
    credentialOf: (token) =>
      withStore(async () => {
        const valid = await provider.validateToken<unknown>(oauthAddresses(origin).resource, token, env);
        if (valid === null || !(await hasGrant(kv, token))) return null;
        return Props.parse(valid.props).credential;
      }),
  };
}

/**
 * Whether the grant of an access token is there. The provider ends a grant, as when its code is used twice, with the tokens that KV lists,
 * and KV lists a new one only after up to a minute.
 */
async function hasGrant(kv: KVNamespace, token: string): Promise<boolean> {
  const [userId, grantId] = token.split(":");
  return (await kv.get(`grant:${userId}:${grantId}`)) !== null;
}

function providerAt(origin: string, { onRefusal }: ProviderEnv): OAuthAuthorizationServer<ProviderEnv> {
  const { issuer, resource } = oauthAddresses(origin);
  const isPublic = origin.startsWith("https://");
  if (!isPublic && !isThisMachine(origin))
    throw new AppError(
      "unprocessable",
      "OAuth needs https. Use the service's https address, or http://127.0.0.1 on its machine.",
    );
  return new OAuthAuthorizationServer<ProviderEnv>({
    issuer,
    resources: [resource],
    authorizeEndpoint: OAUTH_PATHS.authorize,
    tokenEndpoint: OAUTH_PATHS.token,
    clientRegistrationEndpoint: OAUTH_PATHS.register,
    scopesSupported: [OAUTH_SCOPE],
    // On a laptop, fetching an address that a stranger names could reach the laptop's own network, and no public client can reach it.
    clientIdMetadataDocumentEnabled: isPublic,
    accessTokenTTL: HOUR_SECONDS,
    refreshTokenTTL: 30 * DAY_SECONDS,
    refreshTokenIdleTTL: 30 * DAY_SECONDS,
    clientRegistrationTTL: 90 * DAY_SECONDS,
    tokenExchangeCallback: requireCredential,
    onError: ({ status, code, internal: { category, reason } }) => onRefusal({ status, code, category, reason }),
  });
}

function isThisMachine(origin: string): boolean {
  return /^(?:localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(new URL(origin).hostname);
}

/** `invalid_grant` also makes the provider revoke the grant, and the client ask its user again. */
async function requireCredential({ props, env }: TokenExchangeCallbackOptions<ProviderEnv>): Promise<void> {
  if (await env.isInForce(Props.parse(props).credential)) return;
  throw new OAuthError("invalid_grant", {
    description: "The key behind this grant was revoked or has expired. Authorize again.",
  });
}

async function ask(api: OAuthHelpers, request: Request, { fetch }: OAuthProviderOptions): Promise<AskedConsent> {
  const refused = await refusedDocument(new URL(request.url).searchParams.get("client_id") ?? "", fetch);
  if (refused !== null) return { kind: "refused", reason: refused };
  try {
    const asked = await api.parseAuthRequest(request);
    // The provider requires PKCE of public clients only.
    if (asked.codeChallenge === undefined)
      return { kind: "redirect", location: authorizationErrorRedirect(asked, "invalid_request", "PKCE is required, with S256.") };
    return { kind: "consent", consent: await beginConsent(api, asked) };
  } catch (error) {
    if (error instanceof AuthorizationError && error.redirectTo !== undefined)
      return { kind: "redirect", location: error.redirectTo };
    return { kind: "refused", reason: reasonOf(error) };
  }
}

async function takeBack(api: OAuthHelpers, request: Request, handle: string): Promise<ReturnedConsent> {
  try {
    const { request: asked, headers } = await api.approveConsent(request, handle);
    return {
      kind: "returned",
      client: await clientOf(api, asked),
      headers,
      approve: (holder) => withStore(async () => await approve(api, asked, holder)),
      deny: () => authorizationErrorRedirect(asked, "access_denied"),
      askAgain: () => withStore(async () => await beginConsent(api, asked)),
    };
  } catch (error) {
    return { kind: "refused", reason: reasonOf(error) };
  }
}

async function approve(api: OAuthHelpers, request: AuthRequest, { id, credential }: Holder): Promise<string> {
  const { redirectTo } = await api.completeAuthorization({
    request,
    // Stored in plain text, as is the metadata: neither may be secret.
    userId: id,
    metadata: {},
    scope: [OAUTH_SCOPE],
    props: { credential } satisfies z.infer<typeof Props>,
  });
  return redirectTo;
}

async function beginConsent(api: OAuthHelpers, request: AuthRequest): Promise<Consent> {
  const client = await clientOf(api, request);
  const { handle, headers } = await api.beginConsent(request);
  return { client, handle, headers };
}

async function clientOf(api: OAuthHelpers, request: AuthRequest): Promise<Consent["client"]> {
  const { clientName, clientDomain, redirectHost, redirectIsLoopback } = await api.describeConsent(request);
  return { name: clientName, domain: clientDomain ?? null, redirectHost, isLocal: redirectIsLoopback };
}

/**
 * Why a client's metadata document may not be used; null for a client that names none. The provider follows redirects. Here a redirect is
 * refused, because an open one on somebody's domain would let anybody appear as published by that domain.
 */
async function refusedDocument(clientId: string, fetch: OAuthProviderOptions["fetch"]): Promise<string | null> {
  if (!/^[a-z][a-z\d+.-]*:/i.test(clientId)) return null;
  if (!hasPublicHost(clientId)) return "The app's client_id is an address that is not https on a public host.";
  try {
    const signal = AbortSignal.timeout(DOCUMENT_TIMEOUT_MS);
    const answer = await fetch(clientId, { redirect: "manual", signal, headers: { accept: "application/json" } });
    await answer.body?.cancel();
    return answer.ok ? null : "The app's metadata document is not at the address that its client_id names.";
  } catch {
    return UNREADABLE;
  }
}

const UNREADABLE = "The app's metadata document could not be read. The app's makers must repair it.";

/** @throws error if it is no refusal of the request. */
function reasonOf(error: unknown): string {
  if (error instanceof CimdFetchError) return UNREADABLE;
  if (error instanceof AuthorizationError) return error.description;
  throw error;
}

/** Every failure that is no answer of the provider's is one of KV, on which it depends. */
async function withStore<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof AppError) throw error;
    throw new Unavailable("The store of OAuth grants did not answer. Send the request again.", { cause: error });
  }
}
