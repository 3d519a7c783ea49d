import type { CallOptions } from "./model.ts";
import { type MemoryOptions, report } from "./options.ts";
import { turnKeyOf, turnsOf } from "./prompt.ts";

/** What is known for a turn, and whether memory is switched off in the tenant's settings: then nothing is stored either. */
export type Recalled = { block: string; memory: "on" | "off" | "unknown" };

const NOT_ASKED: Recalled = { block: "", memory: "on" };
const FAILED: Recalled = { block: "", memory: "unknown" };
/** The time that the service's proxy gives memory too. */
const TIMEOUT_MS = 1_500;
/** The longest that a timer takes; a longer one would end at once. */
const MAX_TIMEOUT_MS = 2 ** 31 - 1;
/** After the reply nobody waits. */
const LATER_TIMEOUT_MS = 10_000;
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
    const key = await turnKeyOf(call.prompt).catch((error: unknown) => {
      report(options, error, "retrieving");
      return undefined;
    });
    if (key === undefined) return FAILED;
    if (key === null) return NOT_ASKED;
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
  const { client, userId, sessionId, projectId, workspaceId, maxTokens } = options;
  try {
    const timeoutMs = timeoutOf(options);
    const late = AbortSignal.timeout(timeoutMs);
    const signal = abortSignal === undefined ? late : AbortSignal.any([late, abortSignal]);
    const messages = turnsOf(prompt);
    const place = { userId, sessionId, ...given({ projectId, workspaceId, maxTokens }) };
    const asked = client.context(
      { ...place, ...(messages.length === 0 ? { query: "" } : { messages }) },
      // The signal ends all tries together.
      { signal, timeoutMs },
    );
    const { block, memory } = await Promise.race([asked, rejectedBy(signal)]);
    return { block, memory: memory === "off" ? "off" : "on" };
  } catch (error) {
    // Who aborted the call wants no reply, so nothing failed.
    if (abortSignal?.aborted !== true) report(options, error, "retrieving");
    return FAILED;
  }
}

/** Whether what was said may be stored. Asked after the reply if the answer before it did not come in time. */
export async function isMemoryOn({ client, userId, sessionId, projectId }: MemoryOptions): Promise<boolean> {
  const asked = { userId, sessionId, ...given({ projectId }), query: "" };
  const { memory } = await client.context(asked, { timeoutMs: LATER_TIMEOUT_MS });
  return memory !== "off";
}

function timeoutOf({ timeoutMs = TIMEOUT_MS }: MemoryOptions): number {
  return Number.isNaN(timeoutMs) ? TIMEOUT_MS : Math.min(Math.max(timeoutMs, 0), MAX_TIMEOUT_MS);
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
