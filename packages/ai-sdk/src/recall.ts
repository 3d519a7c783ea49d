import type { CallOptions } from "./model.ts";
import { type MemoryOptions, report } from "./options.ts";
import { turnKeyOf, turnsOf } from "./prompt.ts";

/** What is known for a turn. `isOff`: memory is switched off in the tenant's settings, so nothing is stored either. */
export type Recalled = { block: string; isOff: boolean };

const NOTHING: Recalled = { block: "", isOff: false };
/** The time that the service's proxy gives memory too. */
const TIMEOUT_MS = 1_500;
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
    const key = await turnKeyOf(call.prompt);
    if (key === null) return NOTHING;
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
  const late = AbortSignal.timeout(timeoutMs);
  const signal = abortSignal === undefined ? late : AbortSignal.any([late, abortSignal]);
  const messages = turnsOf(prompt);
  const place = { userId, sessionId, ...given({ projectId, workspaceId, maxTokens }) };
  try {
    const asked = client.context(
      { ...place, ...(messages.length === 0 ? { query: "" } : { messages }) },
      // The signal ends all tries together.
      { signal, timeoutMs },
    );
    const { block, memory } = await Promise.race([asked, rejectedBy(signal)]);
    return { block, isOff: memory === "off" };
  } catch (error) {
    // Who aborted the call wants no reply, so nothing failed.
    if (abortSignal?.aborted !== true) report(options, error, "retrieving");
    return NOTHING;
  }
}

/** For what does not listen to a signal, such as a function of yours that gets a token. */
function rejectedBy(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    if (signal.aborted) reject(signal.reason);
    else signal.addEventListener("abort", () => reject(signal.reason), { once: true });
  });
}

type Given<T> = { [K in keyof T]?: Exclude<T[K], undefined> };

/** The fields that have a value. */
export function given<T extends object>(fields: T): Given<T> {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as Given<T>;
}
