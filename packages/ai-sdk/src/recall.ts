import { within } from "./deadline.ts";
import type { CallOptions } from "./model.ts";
import { type MemoryOptions, report } from "./options.ts";
import { turnKeyOf, turnsOf } from "./prompt.ts";

/** Whether memory is switched on in the tenant's settings; unknown if nobody has asked, or there was no answer. */
export type MemoryState = "on" | "off" | "unknown";

/** What is known for a turn. */
export type Recalled = { block: string; state: MemoryState };

const NOTHING: Recalled = { block: "", state: "unknown" };
/** The time that the service's proxy gives memory too. */
const TIMEOUT_MS = 1_500;
/** After the reply nobody waits, but a serverless runtime gives only some seconds more. */
const STATE_TIMEOUT_MS = 10_000;
/** How many turns of one model are remembered. A turn is needed until its tool loop ends, so only calls at the same time need more than one. */
const MAX_TURNS = 100;

/**
 * Retrieves once for each turn. A prompt that ends with the user's message begins a turn and always asks; later steps of its tool loop find
 * the answer by the conversation up to that message. So calls that run at the same time never get each other's block, unless they have the
 * same conversation. A step whose turn began elsewhere, as with a tool that a browser runs, asks too.
 */
export function createRecall(options: MemoryOptions): (call: CallOptions) => Promise<Recalled> {
  const turns = new Map<string, Promise<Recalled>>();
  return async (call) => {
    const key = await turnKeyOf(call.prompt).catch((error: unknown) => report(options, error, "retrieving"));
    if (typeof key !== "string") return NOTHING;
    const known = call.prompt.at(-1)?.role === "user" ? undefined : turns.get(key);
    if (known !== undefined) return await known;
    const asked = retrieve(call, options);
    turns.delete(key);
    turns.set(key, asked);
    for (const oldest of [...turns.keys()].slice(0, -MAX_TURNS)) turns.delete(oldest);
    return await asked;
  };
}

/** Nothing if it fails or takes too long: a reply never fails for want of memory. */
async function retrieve({ prompt, abortSignal }: CallOptions, options: MemoryOptions): Promise<Recalled> {
  const { client, userId, sessionId, projectId, workspaceId, maxTokens, timeoutMs = TIMEOUT_MS } = options;
  try {
    const messages = turnsOf(prompt);
    const place = { userId, sessionId, ...given({ projectId, workspaceId, maxTokens }) };
    const question = { ...place, ...(messages.length === 0 ? { query: "" } : { messages }) };
    const { block, memory } = await within({ timeoutMs, abortSignal }, (call) =>
      // The signal ends all tries together.
      client.context(question, call),
    );
    return { block, state: memory };
  } catch (error) {
    // Who aborted the call wants no reply, so nothing failed.
    if (abortSignal?.aborted !== true) report(options, error, "retrieving");
    return NOTHING;
  }
}

/**
 * Asks whether memory is switched on, when a reply had to go on without knowing.
 *
 * @throws what the client throws, and a TimeoutError
 */
export async function askState({ client, userId, sessionId }: MemoryOptions): Promise<MemoryState> {
  const { memory } = await within({ timeoutMs: STATE_TIMEOUT_MS, abortSignal: undefined }, ({ signal }) =>
    client.context({ userId, sessionId, query: "" }, { signal }),
  );
  return memory;
}

type Given<T> = { [K in keyof T]?: Exclude<T[K], undefined> };

/** The fields that have a value. */
export function given<T extends object>(fields: T): Given<T> {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as Given<T>;
}
