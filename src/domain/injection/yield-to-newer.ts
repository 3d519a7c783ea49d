import type { Arrangeable, Line } from "./arrange.ts";

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
  /** "None of them", for one newer statement; it grows a little faster than their number. */
  none: 0.9,
  growth: 1.25,
};
/** Statements that may be replaced, by their score. */
const MAX_OLDER = 12;

/**
 * Passes the score of a statement on to newer ones, by how likely each replaces it: a statement about the same thing, and, where little was
 * said since, whatever was said since. `statements` are newest first. In long talk only statements that the search found count, and only
 * with a word in common.
 */
export function yieldToNewer<I extends Arrangeable>(statements: readonly Line<I>[], isShortTalk: boolean): void {
  const holders = new Map<string, number>();
  for (const { utterance } of statements) for (const word of utterance.words) holders.set(word, (holders.get(word) ?? 0) + 1);
  const likeness = (older: Line<I>, newer: Line<I>) => likenessOf(older, newer, { holders, isShortTalk });
  const older = statements.filter(({ score }) => score > 0).sort((a, b) => b.score - a.score);
  const passed = older.slice(0, MAX_OLDER).flatMap((from) => {
    const newer = statements.filter((other) => other.at > from.at && other.item.episodeId !== from.item.episodeId);
    const weights = newer.map((other) => likeness(from, other));
    const all = CHOICE.none * newer.length ** CHOICE.growth + weights.reduce((sum, weight) => sum + weight, 0);
    return newer.map((to, i) => ({ from, to, score: (from.score * (weights[i] ?? 0)) / all }));
  });
  if (!isShortTalk) return;
  for (const { from, to, score } of passed) {
    from.score -= score;
    to.score += score;
  }
}

type Among = { holders: ReadonlyMap<string, number>; isShortTalk: boolean };

function likenessOf(older: Line<Arrangeable>, newer: Line<Arrangeable>, { holders, isShortTalk }: Among): number {
  let shared = 0;
  for (const word of older.utterance.words)
    if (newer.utterance.words.has(word)) shared += 1 / Math.max(1, (holders.get(word) ?? 0) - 1);
  if (!isShortTalk && shared === 0) return 0;
  const isSameSession = older.item.view.sessionId !== null && older.item.view.sessionId === newer.item.view.sessionId;
  return Math.exp(
    CHOICE.shared * Math.min(CHOICE.mostShared, shared) +
      (newer.utterance.showsChange ? CHOICE.change : 0) +
      (hasNumber(older) && hasNumber(newer) ? CHOICE.numbers : 0) +
      (isSameSession ? CHOICE.sameSession : 0),
  );
}

function hasNumber({ item }: Line<Arrangeable>): boolean {
  return /\p{N}/u.test(item.text);
}
