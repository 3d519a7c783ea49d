import type { CallOptions } from "./model.ts";
import { type MemoryOptions, report } from "./options.ts";
import { exchangeOf, isWithoutHistory, type Said } from "./prompt.ts";
import { askState, given, type MemoryState } from "./recall.ts";

/** The most messages of an episode. */
const MAX_MESSAGES = 50;
/** The most bytes of the messages of one append; the service takes 1,000,000 in all. */
const MAX_BYTES = 900_000;

type ExchangeOptions = MemoryOptions & { state: MemoryState };

/**
 * What happens to an exchange after its reply. The promise is handed out when the call begins, because a runtime that ends with the
 * response accepts none later. `end` has the reply, or null if there is nothing to store.
 */
export function openExchange({ prompt }: CallOptions, options: ExchangeOptions): (reply: string | null) => void {
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
async function storeExchange(prompt: CallOptions["prompt"], reply: string, options: ExchangeOptions): Promise<void> {
  const { client, userId, sessionId, projectId } = options;
  const exchange = await exchangeOf(prompt, reply);
  if (exchange.length === 0) return;
  // A user who has switched memory off must not be stored because the answer that said so was late.
  const state = options.state === "unknown" ? await askState(options) : options.state;
  if (state !== "on") return;
  const said = isWithoutHistory(prompt) ? await renamedIfSaidAnew(exchange, options) : exchange;
  for (const episodes of pack(said)) await client.episodes.append({ userId, sessionId, ...given({ projectId }), episodes });
}

/**
 * Without a history, the same words have the same id whenever they are said. If the session's latest episode has that id, the call was made
 * again; if not, the words are said anew, and their id also names that episode, after which they came.
 */
async function renamedIfSaidAnew(said: Said[], { client, userId, sessionId }: MemoryOptions): Promise<Said[]> {
  const [first] = said;
  if (first === undefined) return said;
  const latest = await client.episodes.list({ sessionId, userId, order: "desc", limit: 1 }).then(
    ({ items }) => items[0],
    // A session that is not stored yet, or a key that may not read: the ids are as they are.
    () => undefined,
  );
  if (latest === undefined) return said;
  const stored = latest.messages.find(({ messageId }) => messageId?.startsWith(first.messageId))?.messageId;
  const ending = stored?.slice(first.messageId.length) ?? `-${latest.id}`;
  return said.map((message) => ({ ...message, messageId: `${message.messageId}${ending}` }));
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
