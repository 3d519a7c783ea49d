import { AppError, misconfigured, Unavailable, upstreamFailed } from "#core/errors";
import type { Upstream, UpstreamRequest } from "#ports/upstream";

export type FetchUpstreamOptions = {
  /** Hosts as in `api.openai.com` (https on port 443) and `gw:8443` (https), or with a scheme as in `http://127.0.0.1` (any port) and `http://127.0.0.1:11434`. */
  hosts: readonly string[];
  fetch: typeof fetch;
};

/**
 * Calls listed hosts only, by their exact names, and follows no redirect, so that a tenant's setting gives no access to other networks. It
 * has no time limit: a model may need minutes, and the call ends when the client disconnects.
 */
export function createFetchUpstream(options: FetchUpstreamOptions): Upstream {
  const allowed = options.hosts.map(toRule);
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

/** As `URL` writes them: a scheme's default port is empty. A port of null means any. */
type Rule = { protocol: string; host: string; port: string | null };

/** A scheme, a host and a port, of which only the host is required; no path, no user, no pattern. */
const ENTRY = /^(?:(https?):\/\/)?([^\s/?#@\\*]+?)(?::(\d+))?\/?$/iu;

function toRule(entry: string, index: number): Rule {
  const [, scheme, host = "", port] = ENTRY.exec(entry) ?? [];
  const url = `${scheme ?? "https"}://${host}${port === undefined ? "" : `:${port}`}`;
  if (!URL.canParse(url))
    throw misconfigured(`UPSTREAM_HOSTS: its entry ${index + 1} is no host. See "Configuration" in the README.`);
  const read = new URL(url);
  return { protocol: read.protocol, host: read.hostname, port: scheme !== undefined && port === undefined ? null : read.port };
}

function refusalOf(base: string, allowed: readonly Rule[]): string | null {
  if (!URL.canParse(base)) return "This is no URL.";
  const { protocol, hostname, port, username, password, search, hash } = new URL(base);
  if (username !== "" || password !== "") return "A base may not hold a user or a password: set upstream.apiKey.";
  if (search !== "" || hash !== "") return "A base may not have a question mark or a hash.";
  const isAllowed = allowed.some(
    (rule) => rule.protocol === protocol && rule.host === hostname && (rule.port === null || rule.port === port),
  );
  return isAllowed ? null : "This host may not be called. The service's operator lists the ones that may in UPSTREAM_HOSTS.";
}
