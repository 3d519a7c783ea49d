import { type Clause, readSentences } from "#core/language/clause-reader";
import { alikeTo, type ForgetRequest, isOfWork } from "#core/language/forget-requests";
import { tokensOf } from "#core/language/tokens";
import { namesClass } from "#core/language/word-classes";
import { namesTreatment } from "#core/safety/sensitivity";
import type { Span } from "#core/text/redacted";
import { statesKindOf } from "./kinds.ts";
import { tellingWords } from "./words-of.ts";

/** A message of the user before the request, the latest first. `isPrevious`: the one directly before it, in its session. */
export type Candidate = { text: string; isList: boolean; isPrevious: boolean };

/** Words of a candidate, by its index. */
export type Chosen = { of: number; spans: Span[] };

const HAN = /\p{Script=Han}/u;

type KeysOf = (text: string) => readonly string[];

/** Messages before the request in which an edit shows that a text or a list is being worked on. */
const WORKED_ON = 6;

/**
 * The words that a request means: the sentences that have all words of a part of what it names, and those that go on about it. Nothing where
 * any part of it is not found.
 */
export function chooseWords(request: ForgetRequest, candidates: readonly Candidate[], keysOf: KeysOf): Chosen[] {
  const { parts, mayEdit } = request;
  if (mayEdit && candidates.slice(0, WORKED_ON).some(({ text, isList }) => isList || isOfWork(text))) return [];
  if (parts.length === 0)
    return candidates.flatMap(({ text, isPrevious }, of) =>
      isPrevious ? [{ of, spans: [{ start: 0, end: text.length }] }] : [],
    );
  const read = candidates.map((candidate) => readCandidate(candidate, keysOf));
  const together = found(read, request, parts.flat());
  if (together.length > 0) return together;
  const each = parts.map((words) => found(read, request, words));
  return each.some((one) => one.length === 0) ? [] : joined(each.flat());
}

type Has = { has: (word: string) => boolean };
type ReadSentence = { text: string; clauses: (Clause & Has)[] } & Has;
type ReadCandidate = { isList: boolean; sentences: ReadSentence[] };

function readCandidate({ text, isList }: Candidate, keysOf: KeysOf): ReadCandidate {
  const sentences = readSentences(text).map(({ plain, clauses }) => ({
    text: plain.text,
    has: wordsIn(plain.text, keysOf),
    clauses: clauses.map((clause) => ({ ...clause, has: wordsIn(clause.text, keysOf) })),
  }));
  return { isList, sentences };
}

/** Whether a text has a word, a form of it, or what the word is a name for. */
function wordsIn(text: string, keysOf: KeysOf): (word: string) => boolean {
  const said = tellingWords(text);
  const lower = text.toLowerCase();
  return (word) =>
    said.has(word) ||
    alikeTo(word).some((other) => said.has(other) || (HAN.test(other) && lower.includes(other))) ||
    (HAN.test(word) && lower.includes(word)) ||
    [...said].some((other) => isNear(word, other)) ||
    statesKindOf(word, text, keysOf);
}

function found(read: readonly ReadCandidate[], request: ForgetRequest, words: readonly string[]): Chosen[] {
  return read.flatMap(({ sentences, isList }, of) => {
    if (request.onlyFacts && isList) return [];
    const stating = request.onlyFacts ? sentences.filter(({ clauses }) => clauses.some(isFact)) : sentences;
    const spans = spansOf(stating, request, words);
    return spans.length === 0 ? [] : [{ of, spans }];
  });
}

/** A statement of the speaker, and no order. */
function isFact({ text, standing, isQuestion }: Clause): boolean {
  return standing === "own" && !isQuestion && tokensOf(text)[0]?.name !== "order";
}

function spansOf(sentences: readonly ReadSentence[], { kept }: ForgetRequest, words: readonly string[]): Span[] {
  if (!words.every((word) => sentences.some(({ has }) => has(word)))) return [];
  const whole = sentences.filter(({ has }) => words.every(has));
  const meant = new Set(whole.length > 0 ? whole : sentences.filter(({ has }) => words.some(has)));
  for (const [i, sentence] of sentences.entries()) {
    const before = sentences[i - 1];
    if (before !== undefined && meant.has(before) && pointsBack(sentence.text)) meant.add(sentence);
  }
  return [...meant].flatMap((sentence) => clausesMeant(sentence, { words, kept }));
}

/** "He owes the bank 4,000": it goes on about somebody who was named before. */
function pointsBack(text: string): boolean {
  return tokensOf(text)[0]?.name === "third";
}

/** Of a sentence, the clauses that have one of the words or go on with one that has; all, where none stands alone. */
function clausesMeant({ clauses }: ReadSentence, { words, kept }: { words: readonly string[]; kept: readonly string[] }): Span[] {
  const isOfHealth = (text: string) => namesClass(text, "health") || namesTreatment(text);
  const meansHealth = clauses.some(({ text, has }) => words.some(has) && isOfHealth(text));
  const stays: boolean[] = [];
  let isBefore = true;
  for (const { text, has } of clauses) {
    if (words.some(has)) isBefore = false;
    const isOther = kept.some(has) || standsAlone(text, isBefore) || stays.at(-1) === true;
    stays.push(!words.some(has) && isOther && !(meansHealth && isOfHealth(text)));
  }
  const isAll = stays.every((one) => one) || !clauses.some(({ has }) => words.some(has));
  const spans: Span[] = [];
  for (const [i, { start, end }] of clauses.entries()) {
    if (stays[i] === true && !isAll) continue;
    const last = spans.at(-1);
    if (last !== undefined && (isAll || stays[i - 1] !== true)) last.end = end;
    else spans.push({ start, end });
  }
  return spans;
}

/** "Is" and the like behind a subject; before one they ask. */
const VERBS: ReadonlySet<string> = new Set(["be", "ask", "have"]);
const SUBJECTS: ReadonlySet<string> = new Set(["me", "us", "kin"]);

/** A clause about the speaker, which points at nobody named before it; before what is meant, about anything. */
function standsAlone(clause: string, isBefore: boolean): boolean {
  if (HAN.test(clause)) return false;
  const names = tokensOf(clause).map(({ name }) => name);
  if (names.includes("third")) return false;
  return names.slice(0, 2).some((name) => SUBJECTS.has(name)) || (isBefore && names.slice(1).some((name) => VERBS.has(name)));
}

/** The first letters that two forms of a word share: "combo" and "combination", "weight" and "weigh". */
const SHARED_LETTERS = 4;
const SHARED_PART = 0.6;

/** Whether two words of the index are forms of one word. */
function isNear(a: string, b: string): boolean {
  let shared = 0;
  while (shared < Math.min(a.length, b.length) && a.charAt(shared) === b.charAt(shared)) shared += 1;
  return shared >= SHARED_LETTERS && shared >= Math.max(a.length, b.length) * SHARED_PART;
}

function joined(all: readonly Chosen[]): Chosen[] {
  return [...Map.groupBy(all, ({ of }) => of)].map(([of, chosen]) => ({ of, spans: chosen.flatMap(({ spans }) => spans) }));
}
