import { AppError, Unavailable, upstreamFailed } from "#core/errors";
import type { Upstream, UpstreamRequest } from "#ports/upstream";
import { createHostList, type HostOptions } from "./allowed-hosts.ts";
import { type BodyLimits, boundedBody } from "./bounded-body.ts";

/** As long as OpenAI's clients wait: a model may think for minutes before its first word, and between two. */
const SILENCE_MS = 600_000;
const TOTAL_MS = 1_800_000;
/** Of a stream, which is passed on piece by piece and never held. Spoken audio takes 4 MB a minute. */
export const MAX_UPSTREAM_BYTES = 64_000_000;

const LIMITS: BodyLimits = { maxBytes: MAX_UPSTREAM_BYTES, silenceMs: SILENCE_MS, totalMs: TOTAL_MS };

export type FetchUpstreamOptions = Pick<HostOptions, "hosts"> & { fetch: typeof fetch; limits?: BodyLimits };

/**
 * Calls listed hosts only, by their exact names, and follows no redirect, so that a tenant's setting gives no access to other networks. An
 * answer without end is cut off; the call also ends when the client disconnects.
 */
export function createFetchUpstream(options: FetchUpstreamOptions): Upstream {
  const allowed = createHostList({ hosts: options.hosts, variable: "UPSTREAM_HOSTS", wildcards: false });
  const refusal = (base: string) => refusalOf(base, allowed);
  return {
    refusal,
    async send(request) {
      const refused = refusal(request.base);
      if (refused !== null) throw new AppError("forbidden", refused);
      const limits = options.limits ?? LIMITS;
      const answer = await call(options.fetch, request, limits);
      if (answer.status >= 300 && answer.status < 400) {
        await answer.body?.cancel();
        throw upstreamFailed(
          "The model server answers with a redirect, which is not followed. Set upstream.url to where it leads.",
        );
      }
      if (answer.body === null) return answer;
      return new Response(boundedBody(answer.body, limits, exceeding), answer);
    },
  };
}

function exceeding(limit: keyof BodyLimits): Error {
  return limit === "maxBytes"
    ? upstreamFailed("The model server's answer is longer than is passed on.")
    : new Unavailable("The model server did not end its answer in time.", { kind: "timeout" });
}

async function call(
  fetch: FetchUpstreamOptions["fetch"],
  request: UpstreamRequest,
  { silenceMs }: BodyLimits,
): Promise<Response> {
  const { base, path, method, body, signal } = request;
  const waiting = new AbortController();
  const timer = setTimeout(() => waiting.abort(), silenceMs);
  try {
    return await fetch(`${base.replace(/(?<!\/)\/+$/, "")}${path}`, {
      method,
      headers: headersOf(request),
      ...(body === undefined ? {} : { body }),
      redirect: "manual",
      signal: AbortSignal.any([signal, waiting.signal]),
    });
  } catch (error) {
    // The client has disconnected, which is not a failure of the server.
    if (signal.aborted) throw error;
    if (waiting.signal.aborted) throw new Unavailable("The model server did not answer in time.", { kind: "timeout" });
    throw new Unavailable("The model server could not be reached.", { cause: error });
  } finally {
    clearTimeout(timer);
  }
}

/** The tenant's key is the only credential that is sent. */
function headersOf({ headers, body, apiKey }: UpstreamRequest): Headers {
  const sent = new Headers(headers);
  for (const name of ["authorization", "cookie"]) sent.delete(name);
  if (body !== undefined) sent.set("content-type", "application/json");
  if (apiKey !== null) sent.set("authorization", `Bearer ${apiKey}`);
  return sent;
}

function refusalOf(base: string, isAllowed: (url: URL) => boolean): string | null {
  if (!URL.canParse(base)) return "This is no URL.";
  const url = new URL(base);
  const { username, password, search, hash } = url;
  if (username !== "" || password !== "") return "A base may not hold a user or a password: set upstream.apiKey.";
  if (search !== "" || hash !== "") return "A base may not have a question mark or a hash.";
  return isAllowed(url) ? null : "This host may not be called. The service's operator lists the ones that may in UPSTREAM_HOSTS.";
}
