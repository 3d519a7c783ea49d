import type { Context } from "hono";
import type { Caller, Log, Services } from "#context";
import type { Costs } from "#core/costs";
import type { Permission } from "#core/permission";
import type { OAuthServer } from "#ports/oauth-server";

/** The services of one request, opened once the required consistency of its reads is known. */
export type Opened = { services: Services; costs: Costs; bookmark: () => string | null };

/** A policy of so many requests in so many seconds, from the configuration. */
export type RateLimitPolicy = { quota: number; windowSeconds: number };

export type Limiter = {
  limit: (options: { key: string }) => Promise<{ success: boolean }>;
  policy?: RateLimitPolicy | undefined;
};

/** The limit that a request was counted under: its key's, its token's user's, or its address's if neither is known. `isExceeded` if it was refused. */
export type AppliedLimit = { name: "key" | "user" | "address"; policy: RateLimitPolicy | undefined; isExceeded: boolean };

/**
 * Reads the sessions in which a request acts, by the app's ids, from the unvalidated request. Undefined or null where it names none; a
 * request that names several acts in all of them.
 */
export type SessionReader = (c: Context<RestEnv>) => Promise<readonly unknown[]>;

/**
 * `nowhere`: the request is about no session, so that a token for some sessions may not send it. `anywhere`: it concerns nothing of any
 * user's, such as the list of models.
 */
export type SessionPlace = SessionReader | "nowhere" | "anywhere";

/** What the middleware needs to know of the request's route. */
export type Traits = {
  /** The permission that a key or token needs; null for a route that is open to everybody. */
  permission: Permission | null;
  /** Whether user tokens are refused, whatever their permissions. */
  keysOnly: boolean;
  /** Whether the request changes something. */
  changes: boolean;
  /** How the request names its session, for tokens that are for some sessions only. */
  session: SessionPlace;
  /** The longest body that the route takes, in bytes. */
  bodyLimit: number;
  /** Whether the body is a file's bytes, which the handler reads as a stream. */
  rawBody: boolean;
  /** Whether the route may store names from the request, so that secrets in them are refused. */
  storesNames: boolean;
  /** Whether errors have the field `error` too, which OpenAI's clients read. */
  openAiErrors: boolean;
};

/** The route that a request is for. */
export type MatchedRoute = {
  /** The methods of its path, as in the header `allow`; empty if there is no such path. */
  allow: string;
  /** Null if the path does not take the method, and for pages such as /docs. */
  traits: Traits | null;
  /** Whether errors have OpenAI's form too, including those of a wrong method. */
  openAiErrors: boolean;
};

/** What the worker passes to the app instead of bindings, so that a handler cannot use a binding by accident. */
export type RestEnv = {
  Bindings: {
    open: (consistency?: string) => Opened;
    limiters: { key: Limiter; stranger: Limiter };
    /** The OAuth server of the service at an origin. */
    oauth: (origin: string) => OAuthServer;
    log: Log;
  };
  Variables: {
    requestId: string;
    startedAt: number;
    route: MatchedRoute;
    opened: Opened;
    rateLimit?: AppliedLimit;
    /** The credential behind an access token of OAuth, in place of the request's own. */
    credential?: string;
    /** Whether a page of the request's origin may read the answer, whatever its status. */
    isOriginAllowed?: boolean;
    ctx: Caller & Services;
  };
};
