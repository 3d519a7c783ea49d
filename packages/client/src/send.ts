import { toError } from "./answer.ts";
import { EdgewiseConnectionError, type EdgewiseError, EdgewiseTimeoutError } from "./errors.ts";
import type { CallOptions } from "./method.ts";
import { type Fields, type Operation, toRequest } from "./operation.ts";
import { backoffMs, isWorthRetrying } from "./retry.ts";
import { readEvents, readLines } from "./stream.ts";
import { authorizationOf, createTokenSource, type Token } from "./token.ts";

export type EdgewiseOptions = {
  /** The address of the service, without `/v1`. */
  baseUrl: string;
  /** An API key or a user token, or a function that gets one. The function is called again when the service refuses what it gave. */
  token: Token;
  /** Used instead of the global fetch. */
  fetch?: typeof globalThis.fetch | undefined;
  /** How often a call is repeated when that may help; 2 when absent. */
  maxRetries?: number | undefined;
  /** How long one attempt may take; when absent, 30,000, and 600,000 for `chat.complete` and `responses.create`. */
  timeoutMs?: number | undefined;
  /** Headers of every request. */
  headers?: Readonly<Record<string, string>> | undefined;
};

/** What a test replaces: the clock, chance and waiting. */
export type Platform = {
  now(): number;
  /** From 0 to 1. */
  random(): number;
  newKey(): string;
  /** Ends early when the signal is aborted. */
  wait(ms: number, signal: AbortSignal | undefined): Promise<void>;
};

export type Answer = { data: unknown; response: Response };
type Failure = { error: Error; isRetryable: boolean };
type Attempt = {
  timeoutMs: number;
  signal: AbortSignal | undefined;
  token: Promise<string> | undefined;
  /** An attempt before this one may have been carried out. */
  mayBeDone: boolean;
};

const MAX_RETRIES = 2;
const TIMEOUT_MS = 30_000;
const MODEL_TIMEOUT_MS = 600_000;
/** 24.8 days. Timers run at once if they are given more, as Infinity. */
const MAX_TIMER_MS = 2 ** 31 - 1;
const BOOKMARK = "x-edgewise-bookmark";

export type Sender = {
  /** Carries out an operation, and repeats it where that may help. */
  send: (operation: Operation, input: Fields, options: CallOptions) => Promise<Answer>;
  bookmark: string | null;
};

/** Sends requests with one credential, and holds what an answer says for the next request. */
export function createSender(options: EdgewiseOptions, platform: Platform): Sender {
  const tokens = createTokenSource(options.token);
  const sender: Sender = { send, bookmark: null };
  return sender;

  async function send(operation: Operation, input: Fields, call: CallOptions): Promise<Answer> {
    const { url, ...request } = prepare(operation, input, call);
    const ownTimeoutMs = operation.mark === "~" ? MODEL_TIMEOUT_MS : TIMEOUT_MS;
    const { maxRetries = options.maxRetries ?? MAX_RETRIES, timeoutMs = options.timeoutMs ?? ownTimeoutMs, signal } = call;
    let mayRefresh = operation.mark !== "-";
    let mayBeDone = false;
    let retries = 0;
    for (;;) {
      signal?.throwIfAborted();
      const token = operation.mark === "-" ? undefined : tokens.get();
      const outcome = await attemptOnce(url, request, { timeoutMs, signal, token, mayBeDone });
      if ("data" in outcome) return outcome;
      signal?.throwIfAborted();
      const { error, isRetryable } = outcome;
      const { status, retryAfterMs = null }: Partial<EdgewiseError> = error;
      if (status === 401 && mayRefresh && tokens.refuse(token)) {
        mayRefresh = false;
        continue;
      }
      // Only these answers to a request that is worth repeating say that nothing was carried out.
      mayBeDone ||= status !== 409 && status !== 429 && (status !== 503 || retryAfterMs === null);
      // The model would be paid again, and its reply stored again.
      if (!isRetryable || retries === maxRetries || (mayBeDone && operation.mark === "~")) throw error;
      retries++;
      await platform.wait(retryAfterMs ?? backoffMs(retries, platform.random()), signal);
    }
  }

  /** The request without what each attempt adds. A repetition has the same idempotency key. */
  function prepare(operation: Operation, input: Fields, { ifMatch, idempotencyKey, query = {}, headers: extra }: CallOptions) {
    const { path, search, body, method, headers: own } = toRequest(operation, input);
    const headers = new Headers({ ...own, ...options.headers, ...extra });
    if (body !== null && operation.mark !== "^") headers.set("content-type", "application/json");
    if (operation.mark === "!") headers.set("idempotency-key", idempotencyKey ?? platform.newKey());
    if (ifMatch !== undefined) headers.set("if-match", typeof ifMatch === "number" ? `"${ifMatch}"` : ifMatch);
    const url = new URL(`${options.baseUrl.replace(/\/+$/, "")}/v1/${path}`);
    url.search = search;
    for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value);
    return { url, method, headers, body };
  }

  async function attemptOnce(
    url: URL,
    request: RequestInit & { headers: Headers },
    { timeoutMs, signal, token, mayBeDone }: Attempt,
  ): Promise<Answer | Failure> {
    const { fetch = globalThis.fetch } = options;
    const timeout = new AbortController();
    const timer = setTimeout(() => timeout.abort(), Math.min(timeoutMs, MAX_TIMER_MS));
    const ends = AbortSignal.any([timeout.signal, signal ?? timeout.signal]);
    let isSent = false;
    try {
      if (token !== undefined) request.headers.set("authorization", await authorizationOf(token, ends));
      if (sender.bookmark !== null) request.headers.set(BOOKMARK, sender.bookmark);
      ends.throwIfAborted();
      isSent = true;
      // Workers have no `redirect: "error"`; what this answers is not `ok`.
      const response = await fetch(url.href, { ...request, signal: ends, redirect: "manual" });
      const bookmark = response.headers.get(BOOKMARK);
      // Bookmarks sort by time. Of answers that overtook each other, the later state counts.
      if (bookmark !== null && bookmark > (sender.bookmark ?? "")) sender.bookmark = bookmark;
      const type = response.headers.get("content-type") ?? "";
      if (response.ok) {
        if (response.status === 204) return { data: undefined, response };
        if (/[/+]json/.test(type)) return { data: await response.json(), response };
        if (type.startsWith("text/event-stream")) return { data: readEvents(response, signal), response };
        if (/ndjson|^text\/plain/.test(type)) return { data: readLines(response, signal), response };
      }
      const error = toError(response, await response.json().catch(() => null), platform.now());
      if (mayBeDone && request.method === "DELETE" && error.code === "not_found") return { data: undefined, response };
      return { error, isRetryable: isWorthRetrying(error, response.headers) };
    } catch (cause) {
      // Calls after this one do not wait for the same token, which may never come.
      if (!isSent) {
        tokens.refuse(token);
        if (!timeout.signal.aborted) throw cause;
      }
      const error = timeout.signal.aborted
        ? new EdgewiseTimeoutError(`${isSent ? url.origin : "`token`"} did not answer within ${timeoutMs} ms.`, { cause })
        : new EdgewiseConnectionError(`${url.origin} is unreachable, or the connection broke.`, { cause });
      return { error, isRetryable: isSent };
    } finally {
      clearTimeout(timer);
    }
  }
}
