import type { Token } from "#core/language/tokens";
import { classOf } from "#core/language/word-classes";
import { analyse } from "#core/text/analyse";
import { STOP_WORDS, WEAK_WORDS } from "#core/text/stop-words";
import { rarityOf } from "./rarity.ts";

/** Whom a clause speaks of, as far as its first words say. */
export type Subject = {
  /** Words for relationships, and names, without endings of possession; none where it is the speaker or a thing. */
  persons: ReadonlySet<string>;
};

/** A subject stands among the first words of a clause. */
const FIRST_TOKENS = 6;
const POSSESSION = /['\u2019]s?$/u;

/** A word without its ending of possession. */
export function bareWord({ word }: Pick<Token, "word">): string {
  return word.replace(POSSESSION, "");
}

/** The words for relationships, and the names inside the text. German nouns have capitals as names have: there more is found than names. */
export function personsIn(tokens: readonly Token[]): Set<string> {
  return new Set(tokens.flatMap((token) => kinOf(token) ?? (token.name === "Name" ? bareWord(token) : [])));
}

/** The word for a relationship that a token is, also as a plural or with an ending of possession. */
function kinOf(token: Token): string | null {
  if (token.name === "kin") return token.word;
  const bare = bareWord(token);
  return [bare, bare.replace(/s$/u, "")].find((form) => classOf(form) === "kin") ?? null;
}

/** The subject of a clause by its first words; no grammar is parsed. */
export function readSubject(tokens: readonly Token[]): Subject {
  const persons = new Set<string>();
  let began = false;
  for (const [i, token] of tokens.slice(0, FIRST_TOKENS).entries()) {
    const kin = kinOf(token);
    const isName = token.name === "Name" || (i === 0 && token.name === "w" && mayBeName(token.word));
    if (kin !== null || isName) persons.add(kin ?? bareWord(token));
    else if (token.name === "me" || token.name === "us" || token.name === "third") {
      if (began || persons.size > 0) break;
      began = true;
      // An adjective may stand before whose it is ("my little sister"); any other word ends the subject.
    } else if (persons.size > 0 || i > 2) break;
  }
  return { persons };
}

/** Whether a word that begins a clause, where every word may have a capital, is a name and no common word. */
function mayBeName(word: string): boolean {
  return analyse(word).some((stem) => !STOP_WORDS.has(stem) && !WEAK_WORDS.has(stem) && rarityOf(stem) === 1);
}
