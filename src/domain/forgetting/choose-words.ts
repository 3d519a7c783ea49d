import { type ForgetRequest, type Piece, piecesOf, shiftsSubject } from "#core/language/forget-requests";
import { classOf } from "#core/language/word-classes";
import { sensitivityOf } from "#core/safety/sensitivity";
import type { Span } from "#core/text/redacted";
import { countIn, type Topic, topicOf } from "./match-topic.ts";
import { tellingWords } from "./words-of.ts";

/** A message of the user who asks, before they ask; the latest first. */
export type Said = {
  text: string;
  /** In the session in which it is asked. */
  isHere: boolean;
  /** It states a list, whose items are taken off by editing it. */
  isList: boolean;
};

/** What is to be redacted of the message `of`, by its position among those given. */
export type Chosen = { of: number; spans: Span[] };

const BESIDE_WEIGHT = 0.4;
const AROUND_WEIGHT = 0.15;
/** Of what is named, so much must have been said where the request does not speak of that. */
const NAMED_SHARE = 0.5;

/**
 * Which words a request means: the messages that share most words with what it names; else, if it points at something or speaks of what was
 * said, a statement of the session. Empty for what may be an order of another kind.
 */
export function chooseWords(request: ForgetRequest, said: readonly Said[]): Chosen[] {
  const topic = topicOf(request);
  return chooseMessages(request, topic, said).flatMap((of) => {
    const spans = chooseSpans(request, topic, said[of]?.text ?? "");
    return spans.length === 0 ? [] : [{ of, spans }];
  });
}

function chooseMessages(request: ForgetRequest, topic: Topic, said: readonly Said[]): number[] {
  const all = said.map(({ text }, of) => {
    const words = tellingWords(text);
    const named = countIn(topic.named, words);
    const beside = countIn(topic.beside, words) * BESIDE_WEIGHT + countIn(topic.around, words) * AROUND_WEIGHT;
    return { of, named, beside };
  });
  const names = topic.named.length === 0 ? topic.beside : topic.named;
  const keepsSome = request.keepsRest || topic.kept.some((words) => words.length > 0);
  // "Cancel my subscription" is an order about the world, though its words were said; "the code goes, the address stays" is about what was said.
  if (!request.isSure && !keepsSome) return [];
  const needed = request.refers ? 1 : Math.max(1, names.length * NAMED_SHARE);
  const countOf = ({ named, of }: (typeof all)[number]) =>
    topic.named.length > 0 || request.isSure ? named : countIn(names, tellingWords(said[of]?.text ?? ""));
  const best = all.reduce((most, one) => Math.max(most, countOf(one)), 0);
  if (best >= needed) {
    const found = all.filter((one) => countOf(one) === best && (request.isSure || said[one.of]?.isList !== true));
    if (request.isAll) return found.map(({ of }) => of);
    const [first] = found.toSorted((a, b) => b.beside - a.beside || a.of - b.of);
    return first === undefined ? [] : [first.of];
  }
  if (!request.isSure || (!request.isBare && !request.refers)) return [];
  const here = said.flatMap((one, of) => (one.isHere && isStatement(one.text) ? [{ of, privacy: privacyOf(one.text) }] : []));
  const isBare = topic.named.length === 0 && topic.beside.length === 0;
  const [latest] = here;
  if (latest === undefined) return [];
  // What is named in other words: people ask for what is private to be forgotten.
  const near = isBare ? [] : here.slice(0, STATEMENTS_BACK).toSorted((a, b) => b.privacy - a.privacy || a.of - b.of);
  return [(near[0] ?? latest).of];
}

/** Statements of the session among which a request may mean one in other words than its own. */
const STATEMENTS_BACK = 6;

/** How private a statement looks: by its words, or by its figures. */
function privacyOf(text: string): number {
  const sensitivity = sensitivityOf(text);
  if (sensitivity === "sensitive") return 2;
  return sensitivity === "personal" || /\d{3}/u.test(text) ? 1 : 0;
}

/** Something is stated: not a question alone, and more than an acknowledgement. */
function isStatement(text: string): boolean {
  const pieces = piecesOf(text);
  return tellingWords(text).size > 1 && pieces.some(({ isQuestion }) => !isQuestion);
}

type Decided = { piece: Piece; words: Set<string>; goes: boolean | null };

/** The parts of a message that a request means. */
function chooseSpans(request: ForgetRequest, topic: Topic, text: string): Span[] {
  const pieces = piecesOf(text);
  const isPartly = topic.kept.some((words) => words.length > 0) || request.keepsRest;
  const decided = isPartly ? decidePieces(topic, pieces) : decideParts(request, topic, pieces);
  return joined(text, decided);
}

/** By what is named and what may stay, each clause; one that continues another goes or stays with it. */
function decidePieces(topic: Topic, pieces: readonly Piece[]): Decided[] {
  const kept = topic.kept.flat();
  const names = [topic.named, topic.beside, topic.around].find((words) => words.length > 0) ?? [];
  const decided = pieces.map((piece): Decided => {
    const words = tellingWords(piece.text);
    const [goes, stays] = [countIn(names, words), countIn(kept, words)];
    return { piece, words, goes: goes === stays ? null : goes > stays };
  });
  for (const [i, one] of decided.entries()) {
    const before = decided[i - 1];
    if (before === undefined || !continues(one.piece.text)) continue;
    if (one.goes === null && before.goes !== null) one.goes = before.goes;
    else if (one.goes === false && before.goes === null) before.goes = false;
  }
  const isNamed = decided.some(({ goes }) => goes === true);
  for (const one of decided) one.goes ??= !isNamed;
  return decided;
}

/** A clause without a subject of its own. */
const CONTINUING_WORDS = 6;
const SUBJECTS: ReadonlySet<string | null> = new Set(["me", "us", "you", "third", "be", "have", "kin"]);

function continues(clause: string): boolean {
  // Without spaces between words, a comma ends a sentence as often as not.
  if (/\p{Script=Han}/u.test(clause)) return false;
  const words = clause.match(/[\p{L}\p{N}']+/gu) ?? [];
  return words.length <= CONTINUING_WORDS && !words.some((word) => SUBJECTS.has(classOf(word)));
}

/** The whole message, or the part of it whose subject is named where it has several. */
function decideParts(request: ForgetRequest, topic: Topic, pieces: readonly Piece[]): Decided[] {
  const parts: Decided[][] = [];
  for (const piece of pieces) {
    const last = parts.at(-1);
    const one: Decided = { piece, words: tellingWords(piece.text), goes: null };
    if (last === undefined || (shiftsSubject(piece.text) && !shiftsSubject(last[0]?.piece.text ?? ""))) parts.push([one]);
    else last.push(one);
  }
  const counts = parts.map((part) => {
    const words = new Set(part.flatMap((one) => [...one.words]));
    return (
      countIn(topic.named, words) + countIn(topic.beside, words) * BESIDE_WEIGHT + countIn(topic.around, words) * AROUND_WEIGHT
    );
  });
  const most = Math.max(...counts);
  return parts.flatMap((part, i) => {
    const goes = most === 0 || counts[i] === most;
    return (goes ? exactly(request, topic, part) : part).map((one) => ({ ...one, goes: one.goes ?? goes }));
  });
}

/** Certain words that one sentence says alone ("the gate code"): the other sentences stay. */
function exactly(request: ForgetRequest, { named }: Topic, part: readonly Decided[]): Decided[] {
  if (request.isWhole || named.length === 0) return [...part];
  const sentences = Map.groupBy(part, ({ piece }) => piece.sentence);
  const saying = [...sentences].filter(([, pieces]) => {
    const words = new Set(pieces.flatMap((one) => [...one.words]));
    return countIn(named, words) === named.length;
  });
  if (saying.length === 0) return [...part];
  const said = new Set(saying.map(([sentence]) => sentence));
  return part.map((one) => ({ ...one, goes: said.has(one.piece.sentence) }));
}

/** Neighbouring clauses that go are one stretch, with what stands between them. */
function joined(text: string, decided: readonly Decided[]): Span[] {
  const spans: Span[] = [];
  let goesOn = false;
  for (const { piece, goes } of decided) {
    const last = spans.at(-1);
    if (goes === true && goesOn && last !== undefined) last.end = piece.end;
    else if (goes === true) spans.push({ start: piece.start, end: piece.end });
    goesOn = goes === true;
  }
  // A message of which nothing stays goes whole, with its marks.
  return decided.every(({ goes }) => goes === true) && spans.length > 0 ? [{ start: 0, end: text.length }] : spans;
}
