export type UpstreamRequest = {
  /** Whose server it is. */
  tenantId: number;
  /** The tenant's base, up to and including the version, such as `https://api.openai.com/v1`. */
  base: string;
  apiKey: string | null;
  /** Below the base, such as `/chat/completions`. */
  path: string;
  method: "GET" | "POST";
  body?: string;
  headers?: Record<string, string>;
  /** Ends the upstream's work when the client has disconnected. */
  signal: AbortSignal;
};

/** The model server of a tenant, reached as it is: no retry, no redirect, the body as a stream. */
export interface Upstream {
  /** Why this base may not be called, in a sentence for the developer; null if it may. */
  refusal(base: string): string | null;
  /** The upstream's own answer, whatever its status. Throws `upstream_failed` if it cannot be reached, `forbidden` for a base that is refused. */
  send(request: UpstreamRequest): Promise<Response>;
}
