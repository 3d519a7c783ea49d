import { type Clause, readSentences, type Standing } from "#core/language/clause-reader";
import { alikeTo, type ForgetRequest, isOfWork, namesPiece, subjectOf } from "#core/language/forget-requests";
import { languageOf } from "#core/language/language-of";
import type { Plain } from "#core/language/sentences";
import { tokensOf } from "#core/language/tokens";
import { namesClass } from "#core/language/word-classes";
import { namesTreatment } from "#core/safety/sensitivity";
import { analyse } from "#core/text/analyse";
import type { Span } from "#core/text/redacted";
import type { WordMeanings } from "#ports/embedder";
import { statesKindOf } from "./kinds.ts";
import { tellingWords } from "./words-of.ts";

/** A message of the user before the request, the latest first. `isPrevious`: the one directly before it, in its session. */
export type Candidate = { text: string; isList: boolean; isPrevious: boolean };

/** Words of a candidate, by its index. */
export type Chosen = { of: number; spans: Span[] };

/** "Transfers, flights, a hotel, a dinner": a list of things to do or to buy. */
const ENUMERATION = /(?:[,，、;][^,，、;]{1,60}){3}/u;
const LIST = /^[^:：,，]{1,60}[:：][^,，、;]{1,60}[,，、;][^,，、;]{1,60}[,，、;]/u;
const ITEMS = /[^:：,，、;\n]+/gu;
const NAME = /(?<=[\p{L}\p{N},;] )\p{Lu}\p{Ll}+/gu;
const HAN = /\p{Script=Han}/u;

export type KeysOf = (text: string) => readonly string[];

/** Messages before the request in which an edit shows that a text or a list is being worked on. */
const WORKED_ON = 6;
/** How surely a word stands in a sentence: in a form of it, by what people call it, by a word of a like meaning. */
const NAMED = 0.9;
const CALLED = 0.8;
const LIKE = 0.5;
const LIKE_COSINE = 0.55;
const SAME_COSINE = 0.9;
/** A sentence that scores so much of the best one's is as good. */
const AS_GOOD = 0.95;
/** Of the words that a request names, the share that has to be found where nothing has all of them. */
const LEAST_FOUND = 0.3;
const OF_A_KIND = 1.5;
/** So much more than the next one the best sentence has to have, where none has all words. */
const CLEARLY = 1.1;

/**
 * The words that a request means: of the sentences that have its words, the best. A request that could be an edit needs all its words in one
 * statement, and no text or list that is being worked on.
 */
export function chooseWords(
  request: ForgetRequest,
  candidates: readonly Candidate[],
  { keysOf, words }: { keysOf: KeysOf; words?: WordMeanings | undefined },
): Chosen[] {
  const { parts, mayEdit, language } = request;
  if (mayEdit && candidates.slice(0, WORKED_ON).some(({ text, isList }) => isList || isOfWork(text, language))) return [];
  if (parts.length === 0)
    return candidates.flatMap(({ text, isPrevious }, of) =>
      isPrevious ? [{ of, spans: [{ start: 0, end: text.length }] }] : [],
    );
  const read = candidates.flatMap((candidate, of) => readCandidate(candidate, { of, keysOf, words }));
  const together = found(read, request, parts.flat());
  if (together.isWhole || parts.length === 1) return together.chosen;
  return joined(parts.flatMap((part) => found(read, request, part).chosen));
}

type Fits = { fits: (word: string) => number };
type ReadClause = Clause & Fits;
type Item = Fits & { at: number; until: number };
type ReadSentence = {
  of: number;
  plain: Plain;
  items: Item[];
  text: string;
  isQuestion: boolean;
  clauses: ReadClause[];
  next: ReadSentence | null;
} & Fits;
type Reading = { of: number; keysOf: KeysOf; words: WordMeanings | undefined };

function readCandidate({ text, isList }: Candidate, { of, ...by }: Reading): ReadSentence[] {
  const sentences = readSentences(text).map(
    ({ plain, isQuestion, clauses }): ReadSentence => ({
      ...{ of, plain, isQuestion, next: null, text: plain.text, fits: wordsIn(plain.text, by) },
      items: isList || LIST.test(plain.text) ? itemsOf(plain.text, by) : [],
      clauses: clauses.map((clause) => ({ ...clause, fits: wordsIn(clause.text, by) })),
    }),
  );
  for (const [i, sentence] of sentences.entries()) sentence.next = sentences[i + 1] ?? null;
  return sentences;
}

function itemsOf(text: string, by: Omit<Reading, "of">): Item[] {
  return [...text.matchAll(ITEMS)].map(({ 0: item, index }) => {
    const at = index + item.length - item.trimStart().length;
    return { at, until: index + item.trimEnd().length, fits: wordsIn(item, by) };
  });
}

/** How surely a text has a word: 1 for the word itself, less for a form of it, for what it is a name for, and for a word of a like meaning. */
function wordsIn(text: string, { keysOf, words }: Omit<Reading, "of">): (word: string) => number {
  const said = tellingWords(text);
  const lower = text.toLowerCase();
  // "Carla" is no form of "Carl"; German writes every noun like a name.
  const names = new Set(languageOf(text) === "de" ? [] : [...text.matchAll(NAME)].flatMap(([name]) => analyse(name)));
  const fits = (word: string) => {
    if (said.has(word) || (HAN.test(word) && lower.includes(word))) return 1;
    if ([...said].some((other) => isNear(word, other) && !names.has(other))) return NAMED;
    const isCalled = alikeTo(word).some((other) => said.has(other) || (HAN.test(other) && lower.includes(other)));
    if (isCalled) return CALLED;
    const ofKind = statesKindOf(word, text, keysOf);
    if (ofKind > 0) return ofKind;
    if (HAN.test(word)) return [...word].every((character) => lower.includes(character)) ? NAMED : 0;
    return [...said].some((other) => isLike(word, other, words)) ? LIKE : 0;
  };
  const known = new Map<string, number>();
  return (word) => known.get(word) ?? known.set(word, fits(word)).get(word) ?? 0;
}

/** Whether two words mean alike; those of a family are different people. */
function isLike(a: string, b: string, words: WordMeanings | undefined): boolean {
  const [one, other] = [words?.meaningOf(a), words?.meaningOf(b)];
  if (one === undefined || one === null || other === undefined || other === null) return false;
  const cosine = one.vector.reduce((sum, value, k) => sum + value * (other.vector[k] ?? 0), 0);
  return cosine >= (namesClass(a, "kin") || namesClass(b, "kin") ? SAME_COSINE : LIKE_COSINE);
}

type Found = { chosen: Chosen[]; isWhole: boolean };

function found(
  read: readonly ReadSentence[],
  { kept, mayEdit, needsAll, isAll, language }: ForgetRequest,
  words: readonly string[],
): Found {
  const counts = words.map((word) => read.filter(({ fits }) => fits(word) > 0).length);
  const total = words.length;
  // What something is says more than whose: "what we paid for the house".
  const weights = words.map((word) => (subjectOf(word) === null ? 1 : OF_A_KIND));
  const scored = read.flatMap((sentence) => {
    const fit = words.map(sentence.fits);
    const score = fit.reduce((sum, one, i) => sum + (one * (weights[i] ?? 1)) / Math.sqrt(Math.max(1, counts[i] ?? 1)), 0);
    const isStated = (!mayEdit && !needsAll) || (isStatement(sentence) && !(mayEdit && namesPiece(sentence.text, language)));
    const isWhole = fit.every((one) => one >= CALLED);
    const share = fit.filter((one) => one > 0).length / total;
    return score > 0 && isStated && (isWhole || !sentence.isQuestion) ? [{ sentence, score, isWhole, share }] : [];
  });
  const whole = literal(scored.filter(({ isWhole }) => isWhole));
  // "My diagnosis", after several that are ill: whose is not known.
  const isOpen = !isAll && new Set(whole.map(({ sentence }) => sentence.of)).size > 1;
  if (isOpen && words.some((word, i) => (weights[i] ?? 1) > 1 && !whole.some(({ sentence }) => sentence.fits(word) >= NAMED)))
    return { chosen: [], isWhole: false };
  const [best, next] = scored.toSorted((a, b) => b.score - a.score);
  const isClear = best !== undefined && best.share >= LEAST_FOUND && best.score >= (next?.score ?? 0) * CLEARLY;
  const meant = whole.length > 0 ? whole : needsAll ? [] : isAll ? scored : isClear ? [best] : [];
  const sentences = new Set(meant.map(({ sentence }) => sentence));
  for (const { next: after } of sentences) if (after !== null && pointsBack(after.text)) sentences.add(after);
  const chosen = [...sentences].map((sentence) => {
    const items = itemsMeant(sentence, words);
    return { of: sentence.of, spans: items.length > 0 ? items : clausesMeant(sentence, { words, kept }) };
  });
  return { chosen: joined(chosen), isWhole: whole.length > 0 };
}

/** Of sentences that have all words, those that have them most literally. */
function literal<T extends { score: number }>(whole: readonly T[]): T[] {
  const most = Math.max(...whole.map(({ score }) => score));
  return whole.filter(({ score }) => score >= most * AS_GOOD);
}

function isStatement({ text, items, clauses }: ReadSentence): boolean {
  return items.length === 0 && !ENUMERATION.test(text) && clauses.some(isFact);
}

const STATED: ReadonlySet<Standing> = new Set(["own", "past", "reported", "joke"]);

/** A statement of the speaker, and no order. */
function isFact({ text, standing, isQuestion }: Clause): boolean {
  return STATED.has(standing) && !isQuestion && tokensOf(text)[0]?.name !== "order";
}

/** "He owes the bank 4,000": it goes on about somebody who was named before. */
function pointsBack(text: string): boolean {
  return tokensOf(text)[0]?.name === "third";
}

/** Of a list, the items that have one of the words. */
function itemsMeant({ plain, items }: ReadSentence, words: readonly string[]): Span[] {
  return items
    .filter((item) => has(item, words, items))
    .map(({ at, until }) => ({ start: plain.at[at] ?? 0, end: (plain.at[until - 1] ?? 0) + 1 }));
}

/** Of a sentence, the clauses that have one of the words or go on with one that has; all, where none stands alone. */
function clausesMeant({ clauses }: ReadSentence, { words, kept }: { words: readonly string[]; kept: readonly string[] }): Span[] {
  const isOfHealth = (text: string) => namesClass(text, "health") || namesTreatment(text);
  const meansHealth = clauses.some((clause) => has(clause, words, clauses) && isOfHealth(clause.text));
  const stays: boolean[] = [];
  let isBefore = true;
  for (const clause of clauses) {
    const isNamed = has(clause, words, clauses);
    if (isNamed) isBefore = false;
    const isOther = has(clause, kept) || standsAlone(clause.text, isBefore) || stays.at(-1) === true;
    stays.push(!isNamed && isOther && !(meansHealth && isOfHealth(clause.text)));
  }
  const named = clauses.filter((clause) => has(clause, words, clauses));
  // A name between commas goes with what is said of it.
  const isAll = named.length === 0 || named.every(({ text }) => tokensOf(text).length < LEAST_ALONE);
  const spans: Span[] = [];
  for (const [i, { start, end }] of clauses.entries()) {
    if (stays[i] === true && !isAll) continue;
    const last = spans.at(-1);
    if (last !== undefined && (isAll || stays[i - 1] !== true)) last.end = end;
    else spans.push({ start, end });
  }
  return spans;
}

/** Whether one of the words stands in it as surely as anywhere in its sentence. */
function has({ fits }: Fits, words: readonly string[], among: readonly Fits[] = []): boolean {
  return words.some((word) => fits(word) > 0 && among.every((other) => other.fits(word) <= fits(word)));
}

/** "Is" and the like behind a subject; before one they ask. */
const VERBS: ReadonlySet<string> = new Set(["be", "ask", "have"]);
const SUBJECTS: ReadonlySet<string> = new Set(["me", "us", "kin"]);

/** Words of a clause within which its subject stands, and the fewest words of one that says something by itself. */
const SUBJECT_WITHIN = 5;
const LEAST_ALONE = 3;

/** A clause about the speaker, which points at nobody named before it; before what is meant, about anything. */
function standsAlone(clause: string, isBefore: boolean): boolean {
  const tokens = tokensOf(clause);
  const names = tokens.map(({ name }) => name);
  if (names.slice(0, 3).includes("third") || tokens.length < LEAST_ALONE) return false;
  if (HAN.test(clause)) return names.slice(0, SUBJECT_WITHIN).some((name) => name === "me");
  const hasSubject = names.slice(0, SUBJECT_WITHIN).some((name) => SUBJECTS.has(name));
  return hasSubject || (isBefore && names.slice(1).some((name) => VERBS.has(name)));
}

/** The first letters that two forms of a word share: "combo" and "combination", "weight" and "weigh". */
const SHARED_LETTERS = 5;
const SHARED_PART = 0.55;

/** Whether two words of the index are forms of one word. */
function isNear(a: string, b: string): boolean {
  let shared = 0;
  while (shared < Math.min(a.length, b.length) && a.charAt(shared) === b.charAt(shared)) shared += 1;
  return shared >= SHARED_LETTERS && shared >= Math.max(a.length, b.length) * SHARED_PART;
}

function joined(all: readonly Chosen[]): Chosen[] {
  return [...Map.groupBy(all, ({ of }) => of)].map(([of, chosen]) => ({ of, spans: chosen.flatMap(({ spans }) => spans) }));
}
