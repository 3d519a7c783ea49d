import type { CallOptions } from "./model.ts";
import { type MemoryOptions, report } from "./options.ts";
import { exchangeOf, type Said } from "./prompt.ts";
import { given } from "./recall.ts";

/** The most messages of an episode. */
const MAX_MESSAGES = 50;
/** The most bytes of the messages of one append; the service takes 1,000,000 in all. */
const MAX_BYTES = 900_000;

/**
 * What happens to an exchange after its reply. The promise is handed out when the call begins, because a runtime that ends with the
 * response accepts none later. `end` has the reply, or null if there is nothing to store.
 */
export function openExchange({ prompt }: CallOptions, options: MemoryOptions): (reply: string | null) => void {
  let end: (reply: string | null) => void = () => undefined;
  const ended = new Promise<string | null>((resolve) => {
    end = resolve;
  });
  const stored = ended
    .then((reply) => (reply === null ? undefined : storeExchange(prompt, reply, options)))
    .catch((error: unknown) => report(options, error, "storing"));
  try {
    options.waitUntil?.(stored);
  } catch (error) {
    report(options, error, "storing");
  }
  return end;
}

/** The ids of the messages make a repeated call store nothing twice, so the client may try again. */
async function storeExchange(prompt: CallOptions["prompt"], reply: string, options: MemoryOptions): Promise<void> {
  const { client, userId, sessionId, projectId } = options;
  for (const episodes of pack(await exchangeOf(prompt, reply)))
    await client.episodes.append({ userId, sessionId, ...given({ projectId }), episodes });
}

type Episode = { messages: Said[] };

/** The messages as appends of episodes that the service takes. Nearly always one of one. */
export function pack(said: readonly Said[]): Episode[][] {
  const encoder = new TextEncoder();
  const appends: Episode[][] = [];
  let bytes = Number.POSITIVE_INFINITY;
  for (const message of said) {
    const size = encoder.encode(JSON.stringify(message)).length;
    if (bytes + size > MAX_BYTES) {
      appends.push([{ messages: [] }]);
      bytes = 0;
    }
    const append = appends.at(-1) ?? [];
    if (append.at(-1)?.messages.length === MAX_MESSAGES) append.push({ messages: [] });
    append.at(-1)?.messages.push(message);
    bytes += size;
  }
  return appends;
}
