import { readStatement } from "../../src/domain/extraction/updates/read-statement.ts";
import type { TalkMessage } from "./talk.ts";

/** In so many of the 8,500 messages of the training talk a stem is frequent, or usual; see `rarityOf`. */
const FREQUENT = 24;
const USUAL = 8;

/** Stems that say little about what a statement is about, in alphabetical order. */
export function commonWords(messages: readonly TalkMessage[]): { frequent: string; usual: string } {
  const counts = new Map<string, number>();
  for (const { text } of messages) for (const stem of readStatement(text).stems) counts.set(stem, (counts.get(stem) ?? 0) + 1);
  const between = (least: number, most: number) =>
    [...counts]
      .filter(([, count]) => count >= least && count < most)
      .map(([stem]) => stem)
      .sort()
      .join(" ");
  return { frequent: between(FREQUENT, Number.POSITIVE_INFINITY), usual: between(USUAL, FREQUENT) };
}
