import type { Api } from "./generated/api.ts";
import { OPERATIONS } from "./generated/operations.ts";
import type { Call, CallOptions } from "./method.ts";
import { type Fields, parseOperation } from "./operation.ts";
import { type Answer, createSend, type EdgewiseOptions, type Platform, type Send } from "./send.ts";

const PLATFORM: Platform = {
  now: Date.now,
  random: Math.random,
  // Unlike randomUUID, this is there on pages without https.
  newKey: () => crypto.getRandomValues(new Uint32Array(4)).join("-"),
  wait: (ms, signal) =>
    new Promise((resolve) => {
      const end = () => {
        clearTimeout(timer);
        signal?.removeEventListener("abort", end);
        resolve();
      };
      const timer = setTimeout(end, ms);
      signal?.addEventListener("abort", end);
    }),
};

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
  /** The state of the database that this client has seen. Give it to another client, and that one sees what this one wrote. */
  bookmark: string | null = null;

  /** @throws TypeError if `baseUrl` is missing or no address, or `token` is missing. */
  constructor(options: EdgewiseOptions) {
    Object.assign(this, methodsOf(OPERATIONS, createSend(options, PLATFORM, this)));
  }

  /** Whether the service answers, within 3 seconds unless said otherwise. It never throws. */
  async isAvailable({ timeoutMs = 3_000 }: { timeoutMs?: number } = {}): Promise<boolean> {
    return await this.health.get({}, { timeoutMs, maxRetries: 0 }).then(
      ({ status }) => status === "ok",
      () => false,
    );
  }
}

type Table = { readonly [name: string]: string | Table };

function methodsOf(table: Table, send: Send, group = ""): object {
  const methods = Object.entries(table).map(([name, entry]) => {
    if (typeof entry !== "string") return [name, methodsOf(entry, send, name)];
    const operation = parseOperation(group || name, entry);
    return [
      name,
      (input: Fields = {}, options: CallOptions = {}) => toCall((page) => send(operation, { ...input, ...page }, options)),
    ];
  });
  return Object.fromEntries(methods);
}

/** A promise of the data that can also be iterated: over the items of all pages, or the parts of a stream. The request is sent at once. */
function toCall(send: (page: Fields) => Promise<Answer>): Call<unknown> & AsyncIterable<unknown> {
  const answer = send({});
  const data = answer.then((each) => each.data);
  // Whoever reads the answer in another way gets the error there.
  const handled = () => void data.catch(() => undefined);
  return Object.assign(data, {
    withResponse: () => {
      handled();
      return answer;
    },
    [Symbol.asyncIterator]: () => {
      handled();
      return iterate(answer, send);
    },
  });
}

type Page = { items: unknown[]; nextCursor: string | null };

async function* iterate(first: Promise<Answer>, send: (page: Fields) => Promise<Answer>): AsyncGenerator<unknown, void> {
  let { data } = await first;
  if (isIterable(data)) return yield* data;
  for (;;) {
    const { items, nextCursor } = data as Page;
    yield* items;
    if (nextCursor === null) return;
    ({ data } = await send({ cursor: nextCursor }));
  }
}

function isIterable(data: unknown): data is AsyncIterable<unknown> {
  return Symbol.asyncIterator in Object(data);
}
