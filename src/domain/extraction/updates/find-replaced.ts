import { changesIn, withdrawalIn } from "#core/language/changes";
import { fold } from "#core/text/normalize";
import type { MemoryType } from "#domain/memories";
import { oddsReplaced } from "./decide-update.ts";
import { findWithdrawn } from "./find-withdrawn.ts";
import { rarityAmong } from "./rarity.ts";
import { type Compared, readCompared, updateFeatures } from "./update-features.ts";

/**
 * The probability from which a statement replaces another. Losing what is true is worse than showing both, so it was chosen where nearly all
 * that is replaced in the pairs of authors left out of the training is replaced rightly (`npm run train:updates -- --authors`).
 */
export const SURE = 0.7;
/** A longer statement says more than what is replaced. */
const MAX_REPLACED_TOKENS = 28;
/** How far the best has to be ahead of the next one, or it is not sure which is meant. */
const LEAD = 0.15;

/** Letters of a stem by which a text that may share it is found, without the cost of reading it. */
const BEGINNING = 3;

function showsChange(content: string): boolean {
  const { ended, renewed } = changesIn(content);
  return ended || renewed;
}

type Read = { type: MemoryType; content: string; key: string | null };
type Said = Read & { withdraws?: { key: string | null } | undefined };

/** Whether a statement has a sign by which it may replace another. */
export function mayReplace(said: Said): boolean {
  return showsChange(said.content) || (isAboutWishes(said) && withdrawalIn(said.content) !== null);
}

/** Which of the earlier statements of the same speaker a statement replaces, or which of their wishes it takes back; null for none. */
export function findChanged<Known extends Read>(said: Said, known: readonly Known[]): Known | null {
  return (isAboutWishes(said) ? findWish(said, known) : null) ?? findReplaced(said.content, known);
}

/** Which of the earlier wishes a statement takes back that is one, or may be; null for none. */
export function findWish<Known extends Read>({ content, withdraws }: Said, known: readonly Known[]): Known | null {
  const wishes = known.filter(({ type }) => type === "procedural");
  const ofKey = wishes.find(({ key }) => key !== null && key === withdraws?.key);
  return ofKey ?? findWithdrawn(content, wishes);
}

function isAboutWishes({ type, withdraws }: Said): boolean {
  return type === "procedural" || withdraws !== undefined;
}

/** Whether a text says that something has ended. */
export function saysEnd(content: string): boolean {
  return changesIn(content).ended;
}

/**
 * Which of the earlier statements of the same speaker a statement replaces as a whole. Null if it replaces none for sure: what it changes
 * only a part of stays, and the newer is shown first.
 */
export function findReplaced<Known extends { content: string }>(content: string, known: readonly Known[]): Known | null {
  if (!showsChange(content)) return null;
  const said = readCompared(content);
  const beginnings = [...said.stems].map((stem) => stem.slice(0, BEGINNING));
  const alike = known.filter(({ content: earlier }) => beginnings.some((letters) => fold(earlier).includes(letters)));
  const read = alike.map((memory) => ({ memory, before: readCompared(memory.content) }));
  const weightOf = rarityAmong(read.map(({ before }) => before));
  const [best, next] = read
    .map(({ memory, before }) => ({ memory, odds: oddsOf(said, before, weightOf) }))
    .filter(({ odds }) => odds > 0)
    .toSorted((a, b) => b.odds - a.odds);
  return best !== undefined && best.odds >= SURE && best.odds - (next?.odds ?? 0) >= LEAD ? best.memory : null;
}

/** The probability that `said` replaces `before`. What happened stays true. */
function oddsOf(said: Compared, before: Compared, weightOf: (stem: string) => number): number {
  if (before.tokens > MAX_REPLACED_TOKENS || before.happened || isAnother(said, before)) return 0;
  const features = updateFeatures(said, before, weightOf);
  return features === null ? 0 : oddsReplaced(features);
}

/** Invoice 1042 is not invoice 1041. */
function isAnother(said: Compared, before: Compared): boolean {
  return [...said.numbers].some(([stem, number]) => (before.numbers.get(stem) ?? number) !== number);
}
