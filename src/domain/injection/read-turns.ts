import { textOfParts } from "#core/message-content";
import { withoutMemory } from "#core/text/memory-fence";
import { queryTerms } from "#core/text/query";
import { STOP_WORDS } from "#core/text/stop-words";
import type { ChatTurn } from "./inject.ts";

/** A follow-up has fewer words than this; a longer message says itself what it is about. */
const FEW_WORDS = 8;
/** Of a longer query the beginning and the end are looked for, where people put their questions. */
const MAX_QUERY_CHARACTERS = 4_000;

/** Of a long conversation its end is what the model has before it, and what is compared with what is known. */
const MAX_COMPARED_CHARACTERS = 200_000;

/** How a message begins that goes on from the one before. */
const GOES_ON =
  /^[\s¿¡]*(?:and|but|or|so|then|also|why|how so|(?:what|how) about|und|aber|oder|warum|wieso|was ist mit|et|mais|ou|pourquoi|y|pero|o|e|ma|por qu[eé]|perch[eé])(?![\p{L}\p{N}])|^\s*(?:那|还有|還有|为什么|為什麼|じゃあ|では|それ)/iu;
/** A word that stands for something said before. */
const POINTS_BACK =
  /(?<![\p{L}\p{N}])(?:it|its|that|this|those|these|they|them|their|he|him|his|she|her|there|one|ones|same|er|sie|es|ihn|ihm|ihr|das|dort|dann|il|elle|lui|leur|[cç]a|cela|l[aà]|[eé]l|ella|eso|esto|all[ií])(?![\p{L}\p{N}])|[它他她这那這]|それ|これ|彼女?/iu;

/** The words of a message, however its content is written, without memory that was put into it. */
export function textOf({ content }: ChatTurn): string {
  return withoutMemory(textOfParts(content)).trim();
}

/**
 * What to look for before the next reply: the last user message; before it the one that it goes on from, if it is short and leans on
 * what was said ("And in winter?", "Does she like it?"). "" when the user has said nothing.
 */
export function queryOf(messages: readonly ChatTurn[]): string {
  const said = lastSaid(messages);
  const last = shortened(said.at(-1) ?? "");
  const before = said.at(-2);
  return before !== undefined && isFollowUp(last) ? `${shortened(before)}\n${last}` : last;
}

/** What the model reads anyway: the texts of the messages, the latest first, up to a length. */
export function latestTexts(messages: readonly ChatTurn[]): string[] {
  const texts: string[] = [];
  let left = MAX_COMPARED_CHARACTERS;
  for (let i = messages.length - 1; i >= 0 && left > 0; i -= 1) {
    const turn = messages[i];
    if (turn === undefined) continue;
    const text = textOf(turn).slice(-left);
    texts.push(text);
    left -= text.length;
  }
  return texts;
}

/** The last two messages of the user that have words. */
function lastSaid(messages: readonly ChatTurn[]): string[] {
  const said: string[] = [];
  for (let i = messages.length - 1; i >= 0 && said.length < 2; i -= 1) {
    const turn = messages[i];
    const text = turn?.role === "user" ? textOf(turn) : "";
    if (text !== "") said.unshift(text);
  }
  return said;
}

function isFollowUp(text: string): boolean {
  const { words, terms } = queryTerms(text);
  if (words.length >= FEW_WORDS) return false;
  return terms.every(({ term }) => STOP_WORDS.has(term)) || GOES_ON.test(text) || POINTS_BACK.test(text);
}

/** A query of a length that is worth reading. */
export function shortened(query: string): string {
  if (query.length <= MAX_QUERY_CHARACTERS) return query;
  const half = MAX_QUERY_CHARACTERS / 2;
  return `${query.slice(0, half)}\n${query.slice(-half)}`.toWellFormed();
}
