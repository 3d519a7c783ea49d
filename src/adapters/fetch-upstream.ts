import type { Upstream } from "#ports/upstream";

export type FetchUpstreamOptions = {
  /** Hosts as in `api.openai.com` (https on any port 443), or with a scheme as in `http://127.0.0.1` (any port). */
  hosts: readonly string[];
  fetch: typeof fetch;
};

export function createFetchUpstream(_options: FetchUpstreamOptions): Upstream {
  return { refusal: () => "not written yet", send: () => Promise.reject(new Error("not written yet")) };
}
