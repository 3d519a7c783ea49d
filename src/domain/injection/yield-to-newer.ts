import type { Arrangeable, Line } from "./line.ts";

/**
 * How likely a newer statement is to replace an older one, as weights of a multinomial choice among all newer statements and "none of
 * them". Chosen on pairs of statements by outside authors, several under one user.
 */
const CHOICE = {
  /** For each word that both have, by how few other statements have it. */
  shared: 1.3,
  mostShared: 3,
  /** A word by which people say that something changed or ended. */
  change: 0.6,
  /** Both name a number. */
  numbers: 0.3,
  /** What follows in one conversation continues it. */
  sameSession: -1.5,
  /** "None of them", for each other statement of the talk: the more was said, the less likely one replaces just this one. */
  none: { ofTwo: 0.5, perMore: 0.7, most: 30 },
  /** Without shared words, the power of how relevant the newer one is by itself, beside the average statement. */
  relevance: 0.5,
};
/** Statements that may be replaced, by their score. */
const MAX_OLDER = 12;
/**
 * In long talk: two statements are about the same thing if they share about so many words that few others have, and this share of the words
 * of the shorter one. The newer one is raised if it has this share of the older one's score.
 */
const SAME_THING = { shared: 1, share: 0.4, score: 0.8 };

/**
 * In short talk, passes the score of a statement on to newer ones, by how likely each replaces it: a statement about the same thing, and,
 * where little was said since, whatever was said since. `statements` are newest first.
 */
export function yieldToNewer<I extends Arrangeable>(statements: readonly Line<I>[]): void {
  const holders = countHolders(statements);
  const passed = mostRelevant(statements).flatMap((from) => {
    const newer = newerThan(from, statements);
    const weights = newer.map((to) => {
      const shared = sharedWords(from, to, holders);
      return likelihood(from, to, shared) * relevance(to, shared, statements.length);
    });
    const all = noneOf(statements.length) * (statements.length - 1) + weights.reduce((sum, weight) => sum + weight, 0);
    return newer.map((to, i) => ({ from, to, score: (from.score * (weights[i] ?? 0)) / all }));
  });
  for (const { from, to, score } of passed) {
    from.score -= score;
    to.score += score;
  }
}

/**
 * In long talk, puts a newer statement beside an older one about the same thing: of equal scores the newer comes first. Nothing is lowered,
 * because an answer may need both.
 */
export function raiseNewer<I extends Arrangeable>(statements: readonly Line<I>[]): void {
  const holders = countHolders(statements);
  for (const from of mostRelevant(statements))
    for (const to of newerThan(from, statements))
      if (isAboutTheSame(from, to, holders) && to.score >= SAME_THING.score * from.score)
        to.score = Math.max(to.score, from.score);
}

function mostRelevant<I extends Arrangeable>(statements: readonly Line<I>[]): Line<I>[] {
  return statements
    .filter(({ score }) => score > 0)
    .sort((a, b) => b.score - a.score)
    .slice(0, MAX_OLDER);
}

function newerThan<I extends Arrangeable>(line: Line<I>, statements: readonly Line<I>[]): Line<I>[] {
  return statements.filter(({ at, item }) => at > line.at && (item.episodeId === null || item.episodeId !== line.item.episodeId));
}

type Holders = ReadonlyMap<string, number>;

/** How many statements have each word. A memory and the message from which it was learned are one. */
function countHolders(statements: readonly Line<Arrangeable>[]): Holders {
  const bySource = Map.groupBy(statements, ({ item }) => item.episodeId ?? item.id);
  const holders = new Map<string, number>();
  for (const lines of bySource.values())
    for (const word of new Set(lines.flatMap(({ utterance }) => [...utterance.words])))
      holders.set(word, (holders.get(word) ?? 0) + 1);
  return holders;
}

/** The words that both statements have, each counted by how few others have it. */
function sharedWords(one: Line<Arrangeable>, other: Line<Arrangeable>, holders: Holders): number {
  let shared = 0;
  for (const word of one.utterance.words)
    if (other.utterance.words.has(word)) shared += 1 / Math.max(1, (holders.get(word) ?? 0) - 1);
  return shared;
}

function isAboutTheSame(one: Line<Arrangeable>, other: Line<Arrangeable>, holders: Holders): boolean {
  const [words, others] = [one.utterance.words, other.utterance.words];
  const both = [...words].filter((word) => others.has(word)).length;
  if (both < SAME_THING.share * Math.min(words.size, others.size)) return false;
  return sharedWords(one, other, holders) >= SAME_THING.shared;
}

function likelihood(older: Line<Arrangeable>, newer: Line<Arrangeable>, shared: number): number {
  const isSameSession = older.item.view.sessionId !== null && older.item.view.sessionId === newer.item.view.sessionId;
  return Math.exp(
    CHOICE.shared * Math.min(CHOICE.mostShared, shared) +
      (newer.utterance.showsChange ? CHOICE.change : 0) +
      (hasNumber(older) && hasNumber(newer) ? CHOICE.numbers : 0) +
      (isSameSession ? CHOICE.sameSession : 0),
  );
}

/** The weight of "none of them" for each other statement. */
function noneOf(statements: number): number {
  const { ofTwo, perMore, most } = CHOICE.none;
  return Math.min(most, ofTwo + perMore * (statements - 2));
}

/**
 * What shares words with the older one, or says that something changed, needs no likeness to the question, and where none is known nothing
 * speaks against it.
 */
function relevance({ item, score, utterance }: Line<Arrangeable>, shared: number, statements: number): number {
  if (item.likeness === null || utterance.showsChange) return 1;
  return (Math.max(0, score) * statements) ** (CHOICE.relevance * Math.max(0, 1 - shared));
}

function hasNumber({ item }: Line<Arrangeable>): boolean {
  return /\p{N}/u.test(item.text);
}
