import { AppError, misconfigured, Unavailable, upstreamFailed } from "#core/errors";
import { readWhole } from "#core/read-whole";
import { Passing } from "./calls.ts";

/** A server that speaks a part of OpenAI's API. */
export type OpenAiServer = {
  /** The subject of error messages: `The embeddings server`. */
  who: string;
  /** Up to and including the version, such as `http://localhost:11434/v1`. */
  url: string;
  apiKey: string | undefined;
  fetch: typeof fetch;
  /** For one attempt, including its body; an attempt that times out is not repeated. */
  timeoutMs: number;
  /** The variables that a developer sets. */
  variables: { url: string; key: string; model: string };
};

/** The server's answer, whatever its status. */
export async function post(server: OpenAiServer, path: string, body: unknown): Promise<Response> {
  const headers: Record<string, string> = { "content-type": "application/json", accept: "application/json" };
  if (server.apiKey !== undefined) headers.authorization = `Bearer ${server.apiKey}`;
  const call = server.fetch;
  try {
    return await call(`${server.url.replace(/(?<!\/)\/+$/, "")}${path}`, {
      method: "POST",
      headers,
      body: JSON.stringify(body),
      signal: AbortSignal.timeout(server.timeoutMs),
    });
  } catch (error) {
    throw unreachable(server, error);
  }
}

/** A batch of a hundred vectors of 4,096 numbers has 10 MB. */
const MAX_JSON_BYTES = 32_000_000;

export async function readJson(server: OpenAiServer, response: Response): Promise<unknown> {
  try {
    const bytes = await readWhole(response.body, MAX_JSON_BYTES);
    if (bytes === null) throw upstreamFailed(`${server.who} answered more than is read.`);
    return JSON.parse(new TextDecoder().decode(bytes));
  } catch (error) {
    if (error instanceof AppError) throw error;
    if (error instanceof SyntaxError) throw upstreamFailed(`${server.who} answered something that is no JSON.`);
    throw unreachable(server, error);
  }
}

const KINDS: Readonly<Record<number, Unavailable["kind"]>> = { 408: "timeout", 429: "busy" };

/** Why it failed, in our words: the server's own may repeat what was sent. */
export function refusal(server: OpenAiServer, response: Response): Error {
  const { who, variables } = server;
  const { status } = response;
  if (status === 401 || status === 403) return misconfigured(`${who} refused the key (${status}). Set ${variables.key}.`);
  if (status === 404)
    return misconfigured(`${who} knows no such model or path (404). Check ${variables.url} and ${variables.model}.`);
  const sentence = `${who} answered ${status}.`;
  if (status !== 408 && status !== 429 && status < 500) return upstreamFailed(sentence);
  const afterMs = retryAfterMs(response);
  const retryAfterSeconds = afterMs === undefined ? undefined : Math.ceil(afterMs / 1000);
  return new Passing(new Unavailable(sentence, { retryAfterSeconds, kind: KINDS[status] ?? "unreachable" }), afterMs);
}

/** Only the form in seconds: a date would need a clock, and model servers do not send one. */
function retryAfterMs(response: Response): number | undefined {
  const header = response.headers.get("retry-after");
  return header !== null && /^\d+$/.test(header) ? Number(header) * 1000 : undefined;
}

/** Only the name of a fetch error is used: its message may hold the address, and with it a password. */
function unreachable({ who }: OpenAiServer, error: unknown): Error {
  const name = error instanceof Error ? error.name : "error";
  if (name === "TimeoutError") return new Unavailable(`${who} did not answer in time.`, { kind: "timeout" });
  return new Passing(new Unavailable(`${who} could not be reached (${name}).`));
}
