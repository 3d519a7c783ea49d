import { asksForAmount } from "#core/language/asked-for";
import { type Token, tokensOf } from "#core/language/tokens";
import type { Named } from "#core/linear/named";
import { analyse } from "#core/text/analyse";
import { type QueryAnalysis, queryTerms } from "#core/text/query";
import { STOP_WORDS, WEAK_WORDS } from "#core/text/stop-words";
import type { WordMeanings } from "#ports/embedder";

/** A word of a question or a memory that says something of it. */
export type TellingWord = {
  token: string;
  /** How much it says (`WordMeaning`). */
  weight: number;
  /** Of unit length; null for a word that is not known, which is mostly a name. */
  vector: Float32Array | null;
};

/** A question as the features of its candidates need it. */
export type AskedNeed = {
  words: TellingWord[];
  /** The sum of the words' weights, never 0. */
  ideal: number;
  classes: ReadonlySet<string>;
  /** What it asks for, as names of features. */
  kinds: string[];
  /** 1 if the asker speaks of themselves. */
  self: number;
  /** How it is put, without what it is about. */
  form: Named;
};

/** More words make the comparison slow, and say no more. */
const MAX_WORDS = 24;
const MAX_TOKENS = 40;
export const MAX_UNITS = 600;
const UNKNOWN_WEIGHT = 2;
const WEAK_SHARE = 0.5;
/** A question about somebody by name has few other words. */
const LEAST_KNOWN = 1 / 3;

/** The distinct words of a text that say something of it, in its order. */
export function tellingWordsOf(text: string, meanings: WordMeanings, most: number = MAX_WORDS): TellingWord[] {
  const tokens = [...new Set(analyse(text.slice(0, MAX_UNITS)))].filter((token) => !STOP_WORDS.has(token)).slice(0, most);
  return tokens.map((token) => {
    const meaning = meanings.meaningOf(token);
    const weight = (meaning?.weight ?? UNKNOWN_WEIGHT) * (WEAK_WORDS.has(token) ? WEAK_SHARE : 1);
    return { token, weight, vector: meaning?.vector ?? null };
  });
}

/** Whether enough of a question's words are known: of one in another language hardly any is. */
export function knowsWords(query: string, meanings: WordMeanings): boolean {
  const words = tellingWordsOf(query, meanings);
  return words.filter(({ vector }) => vector !== null).length >= LEAST_KNOWN * Math.max(1, words.length);
}

export function readNeed(query: string, meanings: WordMeanings): AskedNeed {
  const analysis = queryTerms(query);
  const tokens = tokensOf(query).slice(0, MAX_TOKENS);
  const words = tellingWordsOf(query, meanings);
  return {
    words,
    ideal: words.reduce((sum, { weight }) => sum + weight, 0) || 1,
    classes: new Set(tokens.map(({ name }) => name)),
    kinds: kindsOf(query, analysis),
    self: analysis.firstPerson ? 1 : 0,
    form: formOf(tokens),
  };
}

function kindsOf(query: string, { asksWhen, words }: QueryAnalysis): string[] {
  const all = new Set(words);
  return [
    ...(asksWhen ? ["when"] : []),
    ...(all.has("who") || all.has("whose") ? ["who"] : []),
    ...(all.has("where") ? ["where"] : []),
    ...(asksForAmount(query) ? ["amount"] : []),
  ];
}

/** Function words, the classes of words that follow each other, and the first words: "how do you" asks for no memory, "how do my" may. */
function formOf(tokens: readonly Token[]): Named {
  const form: Named = {};
  const [first, second] = tokens;
  const ends = second === undefined ? "" : frameOf(second);
  if (first !== undefined) Object.assign(form, { [`opens ${first.word}`]: 1, [`opens ${frameOf(first)} ${ends}`]: 1 });
  for (const [i, token] of tokens.entries()) {
    if (isFrame(token)) form[`word ${token.word}`] = 1;
    const next = tokens[i + 1];
    if (next !== undefined) form[`pair ${frameOf(token)} ${frameOf(next)}`] = 1;
  }
  return form;
}

function frameOf(token: Token): string {
  return isFrame(token) ? token.word : token.name;
}

function isFrame({ word }: Token): boolean {
  return STOP_WORDS.has(word) || WEAK_WORDS.has(word);
}
