import { type Clause, readClauses, type Standing } from "#core/language/clause-reader";
import { lowerCase } from "#core/language/folded";
import { statesPreference } from "#core/language/frames";
import { scoreOf } from "#core/linear/model";
import { lifetimeMs } from "#domain/memories";
import { lacksAntecedent, namesSomebody } from "./antecedent.ts";
import { clauseFeatures, passageFeatures, sentenceFeatures } from "./features.ts";
import { kindOf, WISH } from "./kind-of.ts";
import type { Kind } from "./kinds.ts";
import { MODELS } from "./models.ts";
import { isMixed, isPlain, namesSubject, statesOwn } from "./plain.ts";
import { type Span, sharedUnits, spansAround, trimSpan } from "./spans.ts";

/** A part of a message that is worth keeping, and what kind of statement it is. */
export type Judged = Span &
  Kind & {
    /** From 0 to 1. */
    confidence: number;
    /** Whether any clause of it is the speaker's own statement, not all of them questions, stories or jokes. */
    isOwn: boolean;
  };

/** Clauses are judged beside their neighbours in passages of about so many UTF-16 units. */
const PASSAGE_UNITS = 1200;

/** Measured by leaving one author out of the training at a time; see scripts/train-judge.ts. */
const WEIGHT_OF_PASSAGE = 0.6;
const CLAUSE_SUPPORT = 0.35;
const CLAUSE_LEAST = -0.5;
/** How much weaker than the passage's strongest clause the strongest clause of another statement may be, in log odds. */
const WEAKER_BY = 2.5;
/**
 * The log odds at which a statement in a passage of so many words is kept, and the confidence that it has there. Chosen so that short and
 * long messages with nothing to keep are mistaken about equally often.
 */
const CONFIDENT = { at: 1.3, words: 20, perDoubling: 0.55, confidence: 0.7 };
const STEEPNESS = 0.6;
/**
 * What a message that is nothing but plain statements adds to the log odds of each: to what is true for good, and to what is of the moment,
 * of which less is worth keeping.
 */
const PLAIN_ODDS = { lasting: 4.7, ephemeral: 3.2 };
/** Less than what somebody asks to be remembered. */
const MOST_CONFIDENT = 0.94;
/** Of a statement that supposes something, or is about "him" and does not say who that is: it waits for review or is left out. */
const DOUBTFUL = 0.8;
const FOREIGN: ReadonlySet<Standing> = new Set(["elsewhere", "joke", "material"]);

/**
 * What is worth keeping of one user's message, by a learned linear classifier, in time proportional to its length. Quotations, code, quoted
 * mail and injected memory are not read. The message is read from `from` on; what stands in `taken` is left out of the statements.
 */
export function judge(text: string, { from = 0, taken = [] }: { from?: number; taken?: readonly Span[] } = {}): Judged[] {
  const message = { text, isMixed: isMixed(text), takenIn: spansAround(taken) };
  return passagesOf(readClauses(text, from)).flatMap((clauses) => judgePassage(clauses, message));
}

function passagesOf(clauses: readonly Clause[]): Clause[][] {
  const passages: Clause[][] = [];
  for (const clause of clauses) {
    const passage = passages.at(-1);
    const first = passage?.[0];
    const fits = first !== undefined && clause.end - first.start <= PASSAGE_UNITS;
    if (passage !== undefined && (fits || passage.at(-1)?.sentence === clause.sentence)) passage.push(clause);
    else passages.push([clause]);
  }
  return passages;
}

type Scores = { passage: number; clauses: number[]; wishes: number[] };

/** The log odds that the passage holds something, of each of its clauses, and that the clause is a standing wish (`WISH`). */
export function scorePassage(clauses: readonly Clause[]): Scores {
  const features = clauses.map((_, at) => clauseFeatures(clauses, at));
  const sentences = new Map<number, number>();
  for (const { sentence } of clauses)
    if (!sentences.has(sentence)) sentences.set(sentence, scoreOf(MODELS.wishSentence, sentenceFeatures(clauses, sentence)));
  return {
    passage: scoreOf(MODELS.passage, passageFeatures(clauses)),
    clauses: features.map((each) => scoreOf(MODELS.clause, each)),
    wishes: features.map((each, at) => scoreOf(MODELS.wishClause, each) + (sentences.get(clauses[at]?.sentence ?? 0) ?? 0)),
  };
}

/** The log odds that a short text states something worth keeping. */
export function worthOf(text: string): number {
  const read = readClauses(text);
  const passage = scoreOf(MODELS.passage, passageFeatures(read));
  const clauses = read.map((_, at) => scoreOf(MODELS.clause, clauseFeatures(read, at)));
  return clauses.length === 0 ? -Infinity : WEIGHT_OF_PASSAGE * passage + (1 - WEIGHT_OF_PASSAGE) * Math.max(...clauses);
}

type Message = { text: string; isMixed: boolean; takenIn: (span: Span) => Span[] };

function judgePassage(clauses: readonly Clause[], { text, isMixed: mixed, takenIn }: Message): Judged[] {
  const scores = scorePassage(clauses);
  const best = Math.max(...scores.clauses);
  const wishes = scores.wishes.map((score, at) => (FOREIGN.has(clauses[at]?.standing ?? "own") ? -Infinity : score));
  const isTaken = (at: number) => {
    const clause = clauses[at];
    return clause === undefined || takenIn(clause).some((span) => sharedUnits(span, clause) * 2 >= clause.end - clause.start);
  };
  // Between two clauses of one statement are marks only: words between them were quoted, code or somebody else's.
  const touches = (at: number) => !WORDS.test(text.slice(clauses[at - 1]?.end ?? 0, clauses[at]?.start));
  const wishIn = ({ from, to }: Run) => Math.max(...wishes.slice(from, to + 1));
  // The rest of a wish is in its sentence, and less sure alone ("give me one option, not five").
  const isWish = (at: number) =>
    (wishes[at] ?? 0) >= WISH.least || ((wishes[at] ?? 0) >= WISH.beside && isBesideWish(clauses, wishes, at));
  const prefers = clauses.map(({ standing, text: words }) => standing === "own" && statesPreference(lowerCase(words)));
  const isKept = (at: number) => {
    const score = scores.clauses[at] ?? 0;
    if (isTaken(at)) return false;
    if (isWish(at) || prefers[at] === true) return true;
    return score === best || score + CLAUSE_SUPPORT * scores.passage >= CLAUSE_LEAST;
  };
  const isStrong = ({ from, to }: Run) => {
    if (wishIn({ from, to }) >= WISH.least || prefers.slice(from, to + 1).includes(true)) return true;
    const strongest = Math.max(...scores.clauses.slice(from, to + 1));
    return strongest === best || strongest >= Math.max(0, best - WEAKER_BY);
  };
  const score = WEIGHT_OF_PASSAGE * scores.passage + (1 - WEIGHT_OF_PASSAGE) * best;
  const odds = oddsOf(score, wordsIn(clauses));
  const plain = !mixed && isPlain(clauses);
  const runs = withAntecedents(clauses, runsOf(clauses, { isKept, touches }).filter(isStrong), { isTaken, touches });
  const endsOf = (run: Run) => {
    const { start, end } = spanOf(clauses, run);
    return lifetimeMs(kindOf(text.slice(start, end)).type) !== null;
  };
  return runs
    .flatMap((run) => (wishIn(run) >= WISH.least ? [run] : ofOneEnd(clauses, run, endsOf)))
    .flatMap(({ from, to, isUnclear }) => {
      const span = trimSpan(text, spanOf(clauses, { from, to }));
      if (span === null) return [];
      const run = clauses.slice(from, to + 1);
      // A question is asked in its last clause; those before it may state something.
      const isAsked = (at: number) => clauses[at]?.isQuestion === true && clauses[at + 1]?.sentence !== clauses[at]?.sentence;
      const isOwn = run.some(
        ({ standing, isQuestion }, i) => !FOREIGN.has(standing) && !(isQuestion && (standing === "asked" || isAsked(from + i))),
      );
      const isDoubtful = isUnclear || run.every(({ standing }) => standing === "supposed");
      const wish = wishIn({ from, to });
      const kind = kindOf(text.slice(span.start, span.end), wish);
      const plainOdds = PLAIN_ODDS[lifetimeMs(kind.type) === null ? "lasting" : "ephemeral"];
      const confidence = confidenceAt(odds + (plain && run.some(statesOwn) ? plainOdds : 0));
      const own = isDoubtful ? confidence * DOUBTFUL : confidence;
      if (!kind.isInstruction) return [{ ...span, ...kind, confidence: own, isOwn }];
      return [{ ...span, ...kind, confidence: Math.max(own, confidenceAt(wish - WISH.least)), isOwn: true }];
    });
}

const WORDS = /[\p{L}\p{N}]/u;

type Run = { from: number; to: number };

/** Extended to the clause that says who "he" is, if one of the two before does; else the statement is unclear. */
function withAntecedents(
  clauses: readonly Clause[],
  runs: readonly Run[],
  { isTaken, touches }: { isTaken: (at: number) => boolean; touches: (at: number) => boolean },
): (Run & { isUnclear: boolean })[] {
  const extended: (Run & { isUnclear: boolean })[] = [];
  for (const { from, to } of runs) {
    const wordsFrom = (at: number) =>
      clauses
        .slice(at, to + 1)
        .map(({ text }) => text)
        .join(" ");
    const before = extended.at(-1);
    if (!lacksAntecedent(wordsFrom(from))) {
      extended.push({ from, to, isUnclear: false });
      continue;
    }
    const near =
      touches(from) && !isTaken(from - 1) ? (touches(from - 1) && !isTaken(from - 2) ? [from - 1, from - 2] : [from - 1]) : [];
    const naming = near.find((at) => namesSomebody(clauses[at]?.text ?? ""));
    if (naming !== undefined && before !== undefined && naming <= before.to) before.to = to;
    else extended.push({ from: naming ?? from, to, isUnclear: naming === undefined });
  }
  return extended;
}

function spanOf(clauses: readonly Clause[], { from, to }: Run): Span {
  return { start: clauses[from]?.start ?? 0, end: clauses[to]?.end ?? 0 };
}

/**
 * The run cut where a sentence of the speaker's ends and the one before it does not, or the other way round: what is true for good must not
 * end with what is of the moment. A sentence that does not say who "he" is takes those before it along, which then stand alone too.
 */
function ofOneEnd<R extends Run>(clauses: readonly Clause[], run: R, endsOf: (run: Run) => boolean): R[] {
  const parts: (R & { ends: boolean })[] = [];
  for (const sentence of sentencesOf(clauses, run)) {
    const last = parts.at(-1);
    const ends = endsOf(sentence);
    const words = clauses.slice(sentence.from, sentence.to + 1).map(({ text }) => text);
    const needsOthers = lacksAntecedent(words.join(" "));
    if (last === undefined) parts.push({ ...run, ...sentence, ends });
    else if (ends === last.ends || !(needsOthers || namesSubject(words[0] ?? ""))) last.to = sentence.to;
    else parts.push({ ...run, from: needsOthers ? last.from : sentence.from, to: sentence.to, ends });
  }
  return parts;
}

/** The sentences of a run. */
function sentencesOf(clauses: readonly Clause[], { from, to }: Run): Run[] {
  const sentences: Run[] = [];
  for (let at = from; at <= to; at++) {
    const last = sentences.at(-1);
    if (last !== undefined && clauses[at]?.sentence === clauses[last.to]?.sentence) last.to = at;
    else sentences.push({ from: at, to: at });
  }
  return sentences;
}

/** Whether the clause before or after it in its sentence is a standing wish. */
function isBesideWish(clauses: readonly Clause[], wishes: readonly number[], at: number): boolean {
  return [at - 1, at + 1].some(
    (other) => clauses[other]?.sentence === clauses[at]?.sentence && (wishes[other] ?? 0) >= WISH.least,
  );
}

/** Kept clauses that follow one another; a new run begins where the model says that another statement begins. */
function runsOf(
  clauses: readonly Clause[],
  { isKept, touches }: { isKept: (at: number) => boolean; touches: (at: number) => boolean },
): Run[] {
  const runs: Run[] = [];
  for (const at of clauses.keys()) {
    if (!isKept(at)) continue;
    const run = runs.at(-1);
    if (run !== undefined && run.to === at - 1 && touches(at) && continues(clauses, at)) run.to = at;
    else runs.push({ from: at, to: at });
  }
  return runs;
}

function continues(clauses: readonly Clause[], at: number): boolean {
  return clauses[at]?.sentence === clauses[at - 1]?.sentence || scoreOf(MODELS.continues, clauseFeatures(clauses, at)) > 0;
}

/** How much more likely a passage is than one that is just kept. Long passages have more to sum up, so that their scores lie further apart. */
function oddsOf(score: number, words: number): number {
  return score - CONFIDENT.at - CONFIDENT.perDoubling * Math.log2(Math.max(2, words) / CONFIDENT.words);
}

/** The confidence of what is so many log odds more likely than what has just the default threshold. */
function confidenceAt(ahead: number): number {
  const odds = Math.log(CONFIDENT.confidence / (1 - CONFIDENT.confidence)) + STEEPNESS * ahead;
  return Math.min(MOST_CONFIDENT, 1 / (1 + Math.exp(-odds)));
}

/** Words of a passage; two Chinese characters are about one. */
function wordsIn(clauses: readonly Clause[]): number {
  return clauses.reduce((sum, { text }) => {
    const han = text.match(/\p{Script=Han}/gu)?.length ?? 0;
    return sum + han / 2 + (text.match(/[^\s\p{Script=Han}]+/gu)?.length ?? 0);
  }, 0);
}
