import type { Api } from "./generated/api.ts";
import { OPERATIONS } from "./generated/operations.ts";
import type { Call, CallOptions } from "./method.ts";
import { type Fields, parseOperation } from "./operation.ts";
import { type Answer, type EdgewiseOptions, type Platform, Sender } from "./send.ts";

const PLATFORM: Platform = {
  now: Date.now,
  random: Math.random,
  // Unlike randomUUID, it is there on pages without https.
  newKey: () => Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, "0")).join(""),
  wait,
};

function wait(ms: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    const stop = () => {
      clearTimeout(timer);
      reject(signal?.reason);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener("abort", stop);
      resolve();
    }, ms);
    signal?.addEventListener("abort", stop, { once: true });
  });
}

const AVAILABLE_WITHIN_MS = 3_000;

// The generated interface describes the methods that the constructor makes of the generated table.
export interface Edgewise extends Api {}

/**
 * A client of one Edgewise service with one credential.
 * @example
 * const edgewise = new Edgewise({ baseUrl: "http://127.0.0.1:8787", token: key });
 * await edgewise.memories.add({ userId: "alice", content: "I am allergic to peanuts." });
 */
// biome-ignore lint/suspicious/noUnsafeDeclarationMerging: the table and the interface are written by the same program.
export class Edgewise {
  readonly #sender: Sender;

  constructor(options: EdgewiseOptions, platform: Platform = PLATFORM) {
    this.#sender = new Sender(options, platform);
    Object.assign(this, this.#methodsOf(OPERATIONS));
  }

  /** The state of the database that the client has seen: give it to another client, and that one reads what this one wrote. */
  get bookmark(): string | null {
    return this.#sender.bookmark;
  }

  set bookmark(bookmark: string | null) {
    this.#sender.bookmark = bookmark;
  }

  /** Whether the service answers. It never throws. */
  async isAvailable({ timeoutMs = AVAILABLE_WITHIN_MS }: { timeoutMs?: number } = {}): Promise<boolean> {
    return await this.health.get({}, { timeoutMs, maxRetries: 0 }).then(
      () => true,
      () => false,
    );
  }

  #methodsOf(table: Table): Record<string, unknown> {
    return Object.fromEntries(
      Object.entries(table).map(([name, entry]) => [
        name,
        typeof entry === "string" ? this.#method(entry) : this.#methodsOf(entry),
      ]),
    );
  }

  #method(line: string) {
    const operation = parseOperation(line);
    return (input: Fields = {}, options: CallOptions = {}) =>
      toCall(this.#sender.send(operation, input, options), (cursor) =>
        this.#sender.send(operation, { ...input, cursor }, options),
      );
  }
}

type Table = { readonly [name: string]: string | Table };

/** A promise of the data that can also be iterated: over the items of all pages, or the parts of a stream. */
function toCall(answer: Promise<Answer>, next: (cursor: string) => Promise<Answer>): Call<unknown> & AsyncIterable<unknown> {
  return Object.assign(
    answer.then(({ data }) => data),
    { withResponse: () => answer, [Symbol.asyncIterator]: () => iterate(answer, next) },
  );
}

type Page = { items: unknown[]; nextCursor: string | null };

async function* iterate(first: Promise<Answer>, next: (cursor: string) => Promise<Answer>): AsyncGenerator<unknown, void> {
  let { data } = await first;
  if (isIterable(data)) return yield* data;
  for (;;) {
    const { items, nextCursor } = data as Page;
    yield* items;
    if (nextCursor === null) return;
    ({ data } = await next(nextCursor));
  }
}

function isIterable(data: unknown): data is AsyncIterable<unknown> {
  return typeof data === "object" && data !== null && Symbol.asyncIterator in data;
}
