import { AppError, Unavailable, upstreamFailed } from "#core/errors";
import type { Upstream, UpstreamRequest } from "#ports/upstream";
import { createHostList, type HostOptions } from "./allowed-hosts.ts";

export type FetchUpstreamOptions = Pick<HostOptions, "hosts"> & { fetch: typeof fetch };

/**
 * Calls listed hosts only, by their exact names, and follows no redirect, so that a tenant's setting gives no access to other networks. It
 * has no time limit: a model may need minutes, and the call ends when the client disconnects.
 */
export function createFetchUpstream(options: FetchUpstreamOptions): Upstream {
  const allowed = createHostList({ hosts: options.hosts, variable: "UPSTREAM_HOSTS", wildcards: false });
  const refusal = (base: string) => refusalOf(base, allowed);
  return {
    refusal,
    async send(request) {
      const refused = refusal(request.base);
      if (refused !== null) throw new AppError("forbidden", refused);
      const answer = await call(options.fetch, request);
      if (answer.status >= 300 && answer.status < 400) {
        await answer.body?.cancel();
        throw upstreamFailed(
          "The model server answers with a redirect, which is not followed. Set upstream.url to where it leads.",
        );
      }
      return answer;
    },
  };
}

async function call(fetch: FetchUpstreamOptions["fetch"], request: UpstreamRequest): Promise<Response> {
  const { base, path, method, body, signal } = request;
  try {
    return await fetch(`${base.replace(/(?<!\/)\/+$/, "")}${path}`, {
      method,
      headers: headersOf(request),
      ...(body === undefined ? {} : { body }),
      redirect: "manual",
      signal,
    });
  } catch (error) {
    // The client has disconnected, which is not a failure of the server.
    if (signal.aborted) throw error;
    throw new Unavailable("The model server could not be reached.", { cause: error });
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
