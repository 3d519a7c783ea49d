import { readAnswer, readProblem } from "./answer.ts";
import { EdgewiseConnectionError, EdgewiseError, EdgewiseTimeoutError } from "./errors.ts";
import type { CallOptions } from "./method.ts";
import { type Fields, type Operation, toRequest } from "./operation.ts";
import { backoffMs, isWorthRetrying } from "./retry.ts";
import { type Token, TokenSource } from "./token.ts";

export type EdgewiseOptions = {
  /** The address of the service, without `/v1`. */
  baseUrl: string;
  /** An API key or a user token, or a function that gets one. The function is called again when the service refuses what it gave. */
  token: Token;
  /** Used instead of the global fetch. */
  fetch?: typeof globalThis.fetch | undefined;
  /** How often a call is repeated when that may help; 2 when absent. */
  maxRetries?: number | undefined;
  /** How long one attempt may take; 30,000 when absent. */
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
  /** Rejects with the signal's reason when it is aborted. */
  wait(ms: number, signal: AbortSignal | undefined): Promise<void>;
};

export type Answer = { data: unknown; response: Response };
type Failure = { error: Error; isRetryable: boolean };

const MAX_RETRIES = 2;
const TIMEOUT_MS = 30_000;

/** Sends requests with one credential, and holds what an answer says for the next request. */
export class Sender {
  bookmark: string | null = null;
  readonly #options: EdgewiseOptions;
  readonly #platform: Platform;
  readonly #token: TokenSource;

  constructor(options: EdgewiseOptions, platform: Platform) {
    this.#options = options;
    this.#platform = platform;
    this.#token = new TokenSource(options.token);
  }

  /** Carries out an operation, and repeats it where that may help. */
  async send(operation: Operation, input: Fields, options: CallOptions): Promise<Answer> {
    const { url, ...request } = this.#prepare(operation, input, options);
    const maxRetries = options.maxRetries ?? this.#options.maxRetries ?? MAX_RETRIES;
    let mayRefresh = this.#token.canRefresh;
    for (let attempt = 1; ; ) {
      options.signal?.throwIfAborted();
      const token = this.#token.get();
      request.headers.set("authorization", `Bearer ${await token}`);
      const outcome = await this.#attempt(url, request, options);
      if ("data" in outcome) return outcome;
      const { error, isRetryable } = outcome;
      const problem = error instanceof EdgewiseError ? error : null;
      if (problem?.status === 401 && mayRefresh) {
        mayRefresh = false;
        this.#token.refuse(token);
      } else {
        if (!isRetryable || attempt > maxRetries) throw error;
        await this.#platform.wait(problem?.retryAfterMs ?? backoffMs(attempt, this.#platform.random()), options.signal);
        attempt++;
      }
    }
  }

  /** The request without what each attempt adds. A repetition has the same idempotency key. */
  #prepare(operation: Operation, input: Fields, { ifMatch, idempotencyKey, query = {}, headers: extra }: CallOptions) {
    const { path, body, method, headers: own } = toRequest(operation, input);
    const headers = new Headers({ ...own, ...this.#options.headers, ...extra });
    if (body !== undefined) headers.set("content-type", "application/json");
    if (operation.takesKey) headers.set("idempotency-key", idempotencyKey ?? this.#platform.newKey());
    if (ifMatch !== undefined) headers.set("if-match", typeof ifMatch === "number" ? `"${ifMatch}"` : ifMatch);
    const url = new URL(`${this.#options.baseUrl.replace(/\/+$/, "")}/v1/${path}`);
    for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value);
    return { url, method, headers, body: body ?? null };
  }

  async #attempt(url: URL, request: RequestInit & { headers: Headers }, options: CallOptions): Promise<Answer | Failure> {
    const { fetch = globalThis.fetch } = this.#options;
    const timeoutMs = options.timeoutMs ?? this.#options.timeoutMs ?? TIMEOUT_MS;
    const timeout = new AbortController();
    const timer = setTimeout(() => timeout.abort(), timeoutMs);
    const signal = options.signal === undefined ? timeout.signal : AbortSignal.any([timeout.signal, options.signal]);
    if (this.bookmark !== null) request.headers.set("x-edgewise-bookmark", this.bookmark);
    try {
      // Workers have no `redirect: "error"`.
      const response = await fetch(url, { ...request, signal, redirect: "manual" });
      this.#remember(response.headers.get("x-edgewise-bookmark"));
      if (response.ok) return { data: await readAnswer(response, options.signal), response };
      const error = await readProblem(response, this.#platform.now());
      return { error, isRetryable: isWorthRetrying(error, response.headers) };
    } catch (cause) {
      options.signal?.throwIfAborted();
      if (cause instanceof EdgewiseError) throw cause;
      const error = timeout.signal.aborted
        ? new EdgewiseTimeoutError(`${url.origin} did not answer within ${timeoutMs} ms.`, { cause })
        : new EdgewiseConnectionError(`${url.origin} cannot be reached, or the connection broke.`, { cause });
      return { error, isRetryable: true };
    } finally {
      clearTimeout(timer);
    }
  }

  /** Bookmarks sort by time. Of answers that overtook each other, the later state counts. */
  #remember(bookmark: string | null): void {
    if (bookmark !== null && bookmark > (this.bookmark ?? "")) this.bookmark = bookmark;
  }
}
