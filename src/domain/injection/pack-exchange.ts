import type { Said } from "./read-exchange.ts";

/** An episode's limit. */
const MAX_MESSAGES = 50;
/** Of the messages of one append as they are stored: half of what a row may have, because secrets may be redacted by longer words. */
const MAX_BYTES = 1_000_000;

export type Append = { messages: Said[] }[];

/** What an exchange adds, in appends of episodes that a row and a statement can hold. Nearly always it is one episode. */
export function packExchange(said: readonly Said[]): Append[] {
  const encoder = new TextEncoder();
  const appends: Append[] = [];
  let bytes = Number.POSITIVE_INFINITY;
  for (const message of said) {
    const size = encoder.encode(JSON.stringify(message)).length;
    if (bytes + size > MAX_BYTES) {
      appends.push([{ messages: [] }]);
      bytes = 0;
    }
    const append = appends.at(-1) ?? [];
    if ((append.at(-1)?.messages.length ?? 0) >= MAX_MESSAGES) append.push({ messages: [] });
    append.at(-1)?.messages.push(message);
    bytes += size;
  }
  return appends;
}
