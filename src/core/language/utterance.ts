import { analyse } from "#core/text/analyse";
import { fold } from "#core/text/normalize";
import { STOP_WORDS } from "#core/text/stop-words";
import { readClauses } from "./clause-reader.ts";
import { lowerCase } from "./folded.ts";
import { alternatives, anyScript } from "./patterns.ts";
import { classOf, hanClassAt } from "./word-classes.ts";

/** What a message of a conversation, or a passage of it, does there. */
export type Utterance = {
  /**
   * `statement`: it says something; `question`: it only asks; `answer`: one word that says nothing without what it answers;
   * `acknowledgement`: it only greets, thanks or agrees.
   */
  kind: "statement" | "question" | "answer" | "acknowledgement";
  /** Its words that mean something by themselves, in the tokens of the index. */
  words: ReadonlySet<string>;
  /** Whether it has a word by which people say that something changed or ended. */
  showsChange: boolean;
};

/** An utterance with more words than this says something. */
const MAX_SMALL_WORDS = 40;
/** A clause that states less adds nothing to the question beside it. */
const LEAST_STATED = 2;
const MAX_GREETING_UNITS = 80;
const spaced = alternatives(({ greetings, spaced: hasSpaces }) => (hasSpaces ? greetings : undefined));
const unspaced = alternatives(({ greetings, spaced: hasSpaces }) => (hasSpaces ? undefined : greetings));
const GREETINGS = new RegExp(`${anyScript(`\\b(?:${spaced})\\b`)}|${unspaced}`, "g");
const WORD = /[\p{L}']+/gu;
const HAN = /\p{Script=Han}/u;

/** Reads what an utterance does by its words and clauses, in any language of the packs. */
export function readUtterance(message: string): Utterance {
  const text = withoutGreetings(message);
  const courtesies = wordsOfClass(text, "thanks");
  const polite = new Set(courtesies.flatMap((word) => analyse(word)));
  const contentOf = (part: string) => analyse(part).filter((word) => !STOP_WORDS.has(word) && !polite.has(word));
  const words = new Set(contentOf(text));
  const showsChange = wordsOfClass(text, "change").length > 0 || wordsOfClass(text, "not").length > 0;
  if (words.size > MAX_SMALL_WORDS) return { kind: "statement", words, showsChange };
  const isBare = words.size === 0 || (words.size === 1 && courtesies.length > 0);
  if (isBare && !/\p{N}/u.test(text)) return { kind: "acknowledgement", words, showsChange };
  const clauses = readClauses(text);
  // A question is asked in the last clause of its sentence; those before it may state something.
  const stating = clauses.filter(
    ({ isQuestion, standing, sentence }, at) => standing !== "asked" && (!isQuestion || clauses[at + 1]?.sentence === sentence),
  );
  const stated = new Set(stating.flatMap((clause) => contentOf(clause.text)));
  const onlyAsks = stating.length < clauses.length && stated.size < LEAST_STATED;
  return { kind: onlyAsks ? "question" : words.size <= 1 ? "answer" : "statement", words, showsChange };
}

/** Only short messages are mere greetings. */
function withoutGreetings(message: string): string {
  if (message.length > MAX_GREETING_UNITS) return message;
  const lower = lowerCase(message);
  let rest = message;
  for (const { index, 0: greeting } of lower.matchAll(GREETINGS))
    rest = rest.slice(0, index) + " ".repeat(greeting.length) + rest.slice(index + greeting.length);
  return rest;
}

function wordsOfClass(text: string, name: "thanks" | "change" | "not"): string[] {
  const spaced = (fold(text).match(WORD) ?? []).filter((word) => classOf(word) === name);
  if (!HAN.test(text)) return spaced;
  const characters = [...text];
  const unspaced = characters.flatMap((_, at) => {
    const found = hanClassAt(characters, at);
    return found?.name === name ? [characters.slice(at, at + found.length).join("")] : [];
  });
  return [...spaced, ...unspaced];
}
