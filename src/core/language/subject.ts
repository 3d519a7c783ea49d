import { fold } from "#core/text/normalize";
import { STOP_WORDS, WEAK_WORDS } from "#core/text/stop-words";
import { lowerCase } from "./folded.ts";
import { fillersIn } from "./frames.ts";
import { inAnyLanguage } from "./patterns.ts";
import { classOf, hanClassAt } from "./word-classes.ts";

const POSSESSIVE = inAnyLanguage(
  ({ possessive }) => possessive,
  (source) => `^(?:${source})$`,
);
const FIRST_PERSON = inAnyLanguage(({ firstPerson }) => firstPerson);
const WORD = /[\p{L}\p{M}]+(?:['’][\p{L}]+)*/gu;
const HAN = /\p{Script=Han}/u;

export type Subject = "speaker" | "other";

/**
 * Who the subject of a predicate is, by its words and those that stand before it in its clause: the nearest word that may be a subject decides
 * ("I heard that my colleague | got laid off"). Null if the clause has none.
 */
export function subjectOf(before: string, predicate: string): Subject | null {
  if (HAN.test(predicate)) return lastOfHan(`${before}${predicate}`);
  if (wordsOf(predicate).some(isSpeaker) || FIRST_PERSON.test(lowerCase(predicate))) return "speaker";
  const nearest = wordsOf(before.slice(fillersIn(lowerCase(before))))
    .reverse()
    .find(isSubject);
  return nearest === undefined ? null : isSpeaker(nearest) ? "speaker" : "other";
}

const FIRST_WORDS = 4;

/** Of a clause of which no predicate is known: the first pronoun or person among its first words. */
export function firstSubjectOf(clause: string): Subject | null {
  const words = wordsOf(clause.slice(fillersIn(lowerCase(clause)))).slice(0, FIRST_WORDS);
  const first = words.find((word) => isSpeaker(word) || OTHERS.has(classOf(word)));
  return first === undefined ? null : isSpeaker(first) ? "speaker" : "other";
}

const OTHERS: ReadonlySet<string | null> = new Set(["third", "kin"]);

function wordsOf(text: string): string[] {
  return (text.match(WORD) ?? []).map((word) => fold(word).replaceAll("\u2019", "'"));
}

function isSpeaker(word: string): boolean {
  const name = classOf(word);
  return (name === "me" || name === "us") && !isPossessive(word);
}

/** Whether a folded word says whose something is. */
export function isPossessive(word: string): boolean {
  return POSSESSIVE.test(word);
}

const NO_SUBJECT = new Set(["time", "change", "always", "not", "be", "have", "thanks"]);

/** Pronouns, persons, and all words that are neither function words nor of a class that names nobody. */
function isSubject(word: string): boolean {
  const name = classOf(word);
  if (name === "me" || name === "us" || name === "third" || name === "kin") return true;
  return !((name !== null && NO_SUBJECT.has(name)) || STOP_WORDS.has(word) || WEAK_WORDS.has(word) || /.ly$/u.test(word));
}

/** Of a script without spaces, whom the last word for a person means. */
function lastOfHan(text: string): Subject | null {
  const characters = [...text];
  let last: Subject | null = null;
  for (let at = 0; at < characters.length; ) {
    const found = hanClassAt(characters, at);
    if (found?.name === "me" || found?.name === "us") last = "speaker";
    if (found?.name === "third" || found?.name === "kin") last = "other";
    at += found?.length ?? 1;
  }
  return last;
}
