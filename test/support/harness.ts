import { createExecutionContext } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { compose, limitersOf, oauthOf } from "#compose";
import type { Services } from "#context";
import type { Permission } from "#core/permission";
import { work } from "#domain/lifecycle";
import { bootstrapTenant } from "#domain/tenants";
import type { Env } from "#env";
import type { JobRef } from "#ports/jobs";
import { app } from "#surfaces/rest/app";
import { named } from "./named.ts";

export type Answer<T> = { status: number; json: T; text: string; headers: Headers };

export type Request = {
  /** An object is sent as JSON, a string or bytes as they are. */
  body?: unknown;
  /** Another key than the tenant's admin key; null for none. */
  key?: string | null;
  headers?: Record<string, string>;
  /** The user of a request that needs one and names none itself, as an app's client would add; null for nobody. "me" when absent. */
  user?: string | null;
  /** Aborted when the client disconnects. */
  signal?: AbortSignal;
};

export type Harness = {
  tenantId: number;
  /** A key with every permission. */
  key: string;
  /** One request to the whole app. `T` is the shape of JSON that the test expects; without a body, the answer's is null. */
  fetch: <T = Record<string, unknown>>(method: string, path: string, request?: Request) => Promise<Answer<T>>;
  /** A new key of the tenant with exactly these permissions. */
  as: (permissions: readonly Permission[]) => Promise<string>;
  /** Composed services, as a verb gets them; `settle` awaits what they defer. */
  services: () => Services;
  /** Awaits what requests have deferred, such as counts of usage. */
  deferred: () => Promise<void>;
  /** Runs the tenant's jobs until none is left; throws if one fails. */
  settle: () => Promise<void>;
};

/** A round of jobs may make more jobs, such as the next step of a long one. */
const MAX_ROUNDS = 200;

export type HarnessOptions = {
  queue?: "held" | "real";
  /** Services that replace the composed ones, created again for each request and each run of jobs. */
  replace?: (composed: Services) => Partial<Services>;
  limiters?: Partial<ReturnType<typeof limitersOf>>;
  /** Bindings of OAuth in place of the real ones. */
  bindings?: Partial<Pick<Env, "OAUTH_KV">>;
  /** Called with the consistency that each request asks the database for. */
  onOpen?: (consistency: string | undefined) => void;
};

/**
 * A fresh tenant in the real D1. Queue messages are held back, so that background work runs only when the test runs it; `queue: "real"`
 * delivers them.
 */
export async function createHarness(options: HarnessOptions = {}): Promise<Harness> {
  const bindings = asEnv(env);
  const bootstrap = await bootstrapTenant({ tenantName: "test", keyName: "test", now: Date.now() });
  const [made] = await env.DB.batch(bootstrap.sql.split("\n").map((statement) => env.DB.prepare(statement)));
  if (made === undefined) throw new Error("The tenant was not made.");
  const tenantId = made.meta.last_row_id;
  const deferred: Promise<unknown>[] = [];
  const execution = {
    waitUntil: (promise: Promise<unknown>) => void deferred.push(promise),
    passThroughOnException: () => undefined,
    props: {},
  };
  const open = (bookmark?: string) => {
    options.onOpen?.(bookmark);
    const opened = compose(bindings, execution, bookmark);
    // There is one isolate, which forgets what it trusted at once.
    const held = { trustMs: 0, ...(options.queue === "real" ? {} : { jobs: { send: async () => undefined } }) };
    return { ...opened, services: { ...opened.services, ...held, ...options.replace?.(opened.services) } };
  };
  const services = () => open().services;

  const fetch = async <T>(method: string, asked: string, request: Request = {}): Promise<Answer<T>> => {
    const { key = bootstrap.key } = request;
    const { path, body, headers = {} } = named(method, asked, request);
    const response = await app.fetch(
      new globalThis.Request(`https://edgewise.test${path}`, {
        method,
        headers: {
          ...(key === null ? {} : { authorization: `Bearer ${key}` }),
          ...(body === undefined ? {} : { "content-type": "application/json" }),
          ...headers,
        },
        ...(body === undefined
          ? {}
          : { body: typeof body === "string" || body instanceof Uint8Array ? body : JSON.stringify(body) }),
        ...(request.signal === undefined ? {} : { signal: request.signal }),
      }),
      {
        open,
        limiters: { ...limitersOf(bindings), ...options.limiters },
        oauth: oauthOf({ ...bindings, ...options.bindings }, createExecutionContext()),
        log: services().log,
      },
      execution,
    );
    const text = await response.text();
    return { status: response.status, json: parsedAs<T>(text), text, headers: response.headers };
  };

  const unfinished = async (): Promise<JobRef[]> => {
    const { results } = await env.DB.prepare(
      "select tenant_id as tenantId, id as jobId, status, error from jobs where tenant_id = ? and status <> 'done'",
    )
      .bind(tenantId)
      .all<JobRef & { status: string; error: string | null }>();
    const failed = results.find((job) => job.error !== null);
    if (failed !== undefined) throw new Error(`Job ${failed.jobId} is ${failed.status}: ${failed.error}`);
    return results;
  };

  return {
    tenantId,
    key: bootstrap.key,
    fetch,
    services,
    as: async (permissions) => {
      const { json } = await fetch<{ key: string }>("POST", "/v1/keys", { body: { name: "test", permissions } });
      return json.key;
    },
    deferred: async () => void (await Promise.all(deferred.splice(0))),
    settle: async () => {
      for (let round = 0; round < MAX_ROUNDS; round += 1) {
        await Promise.all(deferred.splice(0));
        const jobs = await unfinished();
        if (jobs.length === 0) return;
        const outcomes = await work(services(), jobs);
        // Another consumer may hold the lease of what is left.
        if (outcomes.length === 0) await new Promise((resolve) => setTimeout(resolve, 20));
      }
      throw new Error("The jobs never came to an end.");
    },
  };
}

/** The test configuration has the bindings of wrangler.toml, as `Env` declares. */
export function asEnv(bindings: Cloudflare.Env): Env {
  return bindings as unknown as Env;
}

/** The caller names the documented shape; a test with a wrong shape fails when it reads the value. */
function parsedAs<T>(text: string): T {
  try {
    return JSON.parse(text) as T;
  } catch {
    return null as T;
  }
}
