export type UpstreamRequest = {
  /** The tenant whose server it is. */
  tenantId: number;
  /** The tenant's base, up to and including the version, such as `https://api.openai.com/v1`. */
  base: string;
  apiKey: string | null;
  /** Relative to the base, such as `/chat/completions`; ids in it are percent-encoded. */
  path: string;
  method: "GET" | "POST" | "DELETE";
  body?: string;
  headers?: Record<string, string>;
  /** Aborts the upstream's work when the client has disconnected. */
  signal: AbortSignal;
};

/** The model server of a tenant, called directly: no retry, no redirect, the body as a stream. */
export interface Upstream {
  /** Why this base may not be called, in a sentence for the developer; null if it may. */
  refusal(base: string): string | null;
  /**
   * The upstream's own answer, whatever its status.
   * @throws upstream_failed if it cannot be reached.
   * @throws forbidden for a base that is refused.
   */
  send(request: UpstreamRequest): Promise<Response>;
}
