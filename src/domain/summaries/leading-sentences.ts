import { readUtterance } from "#core/language/utterance";
import { estimateTokens } from "#core/text/estimate-tokens";
import { worthOf } from "#domain/extraction";
import type { Said } from "./said-sentences.ts";

/** How much a summary may have. */
export type Room = { tokens: number; characters: number };

/**
 * The sentences that say most, as lines in the order of the conversation: those of users before the assistant's, of which only the first of
 * each message count. Questions, greetings and acknowledgements are left out, and what was said before. `worth` ranks sentences of one kind.
 */
export function leadingSentences(said: readonly Said[], room: Room, worth: (text: string) => number = worthOf): string[] {
  const telling = distinct(said.filter(({ text, isQuestion }) => !isQuestion && readUtterance(text).kind === "statement"));
  const ranked = telling
    .map((one, at) => ({ one, at, worth: worth(one.text) }))
    .filter(({ one, at }) => one.isUser || telling[at - 1]?.message !== one.message)
    .sort((a, b) => Number(b.one.isUser) - Number(a.one.isUser) || b.worth - a.worth || a.at - b.at);
  const left = { ...room };
  const chosen = ranked.filter(({ one }) => {
    const line = lineOf(one);
    const tokens = estimateTokens(`${line}\n`);
    if (tokens > left.tokens || line.length + 1 > left.characters) return false;
    left.tokens -= tokens;
    left.characters -= line.length + 1;
    return true;
  });
  return chosen.sort((a, b) => a.at - b.at).map(({ one }) => lineOf(one));
}

function lineOf({ label, text }: Said): string {
  return label === null ? text : `${label}: ${text}`;
}

function distinct(said: readonly Said[]): Said[] {
  return [...new Map(said.toReversed().map((one) => [lineOf(one).toLowerCase(), one])).values()].toReversed();
}
