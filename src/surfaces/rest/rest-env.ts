import type { Caller, Log, Services } from "#context";
import type { Costs } from "#core/costs";
import type { Permission } from "#core/permission";

/** Services of one request, opened when it is known how fresh its reads must be. */
export type Opened = { services: Services; costs: Costs; bookmark: () => string | null };

/** So many requests in so many seconds, as the configuration says of a limiter. */
export type RateLimitPolicy = { quota: number; windowSeconds: number };

export type Limiter = {
  limit: (options: { key: string }) => Promise<{ success: boolean }>;
  policy?: RateLimitPolicy | undefined;
};

/**
 * The limit that a request was counted under: its key's, or its address's where no key is known. `isExceeded` if it was refused for it.
 */
export type AppliedLimit = { name: "key" | "address"; policy: RateLimitPolicy | undefined; isExceeded: boolean };

/** What the middleware reads of the route that a request is for. */
export type Traits = {
  /** The permission that a key needs; null for a route that is open to everybody. */
  permission: Permission | null;
  /** The longest body that the route takes, in bytes. */
  bodyLimit: number;
  /** Whether the route may store names from the request, so that secrets in them are refused. */
  storesNames: boolean;
  /** Whether errors have the field `error` too, which OpenAI's clients read. */
  openAiErrors: boolean;
};

/** The route that a request is for. */
export type MatchedRoute = {
  /** The methods that its path takes, in the form of the header; empty where there is no such path. */
  allow: string;
  /** Null where the path does not take the method, and for pages such as /docs. */
  traits: Traits | null;
  /** Whether errors have OpenAI's form too, those of a wrong method included. */
  openAiErrors: boolean;
};

/** What the worker hands to the app instead of bindings, so that a handler cannot reach one by accident. */
export type RestEnv = {
  Bindings: { open: (consistency?: string) => Opened; limiters: { key: Limiter; stranger: Limiter }; log: Log };
  Variables: {
    requestId: string;
    startedAt: number;
    route: MatchedRoute;
    opened: Opened;
    rateLimit?: AppliedLimit;
    ctx: Caller & Services;
  };
};
