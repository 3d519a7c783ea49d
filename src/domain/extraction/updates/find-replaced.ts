import { changesIn, stopsSomething, withdrawalIn } from "#core/language/changes";
import { tokensOf } from "#core/language/tokens";
import { fold } from "#core/text/normalize";
import type { MemoryType } from "#domain/memories";
import { rarityOf } from "./rarity.ts";
import { type ReadPart, type ReadStatement, readParts, readStatement } from "./read-statement.ts";

/**
 * How much of what an earlier statement is about has to be named beside the sign of change, in rare words, and which share of the earlier
 * statement that has to be. At these values one statement in a hundred of long talk replaces another, and of two statements of strangers
 * one pair in three thousand.
 */
const LEAST = { weight: 0.65, share: 0.2 };
/** With no value to compare, the statements have to share much more. */
const LEAST_ALIKE = { weight: 1.2, share: 0.5 };
/** A name is rarer than what is said of it: two statements about one person are usually both true. */
const NAME_WEIGHT = 0.7;
/** A word of the clause beside the sign of change. */
const BESIDE_WEIGHT = 0.7;
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
 * Which of the earlier statements of the same speaker a statement replaces: it says beside a sign of change ("cancelled", "now", "moved to")
 * what the earlier one is about. Null if it replaces none for sure.
 */
export function findReplaced<Known extends { content: string }>(content: string, known: readonly Known[]): Known | null {
  return showsChange(content) ? mostReplaced({ ...readStatement(content), parts: readParts(content) }, known) : null;
}

/**
 * Which of the earlier wishes for how the assistant behaves a wish takes back ("you can stop the rhymes", "emojis are fine again"): it is
 * about the same, and no second ban ("stop using tables" leaves "no emojis" as it is). Null if it takes none back for sure.
 */
export function findWithdrawn<Known extends { content: string }>(content: string, known: readonly Known[]): Known | null {
  const withdrawal = withdrawalIn(content);
  if (withdrawal === null) return null;
  const parts = readParts(content).map((part) => ({ ...part, ended: true }));
  const wishes = withdrawal === "stops" ? known.filter((wish) => !isBan(wish.content)) : known;
  return mostReplaced({ ...readStatement(content), parts }, wishes);
}

function isBan(wish: string): boolean {
  return stopsSomething(wish) || tokensOf(wish).some(({ name }) => name === "not");
}

function mostReplaced<Known extends { content: string }>(said: InParts, known: readonly Known[]): Known | null {
  const beginnings = [...said.stems].map((stem) => stem.slice(0, BEGINNING));
  const alike = known.filter(({ content: earlier }) => beginnings.some((letters) => fold(earlier).includes(letters)));
  const read = alike.map((memory) => ({ memory, before: readStatement(memory.content) }));
  const rarity = rarityAmong(read.map(({ before }) => before));
  const scored = read
    .map(({ memory, before }) => ({ memory, score: scoreOf(said, before, rarity) }))
    // What happened stays true.
    .filter(({ memory, score }) => score > 0 && !changesIn(memory.content).happened)
    .sort((a, b) => b.score - a.score);
  const [best, next] = scored;
  return best !== undefined && best.score - (next?.score ?? 0) >= LEAD ? best.memory : null;
}

type InParts = ReadStatement & { parts: readonly ReadPart[] };
type WeightOf = (stem: string) => number;

/** What many of somebody's memories are about says little of which one is meant. */
function rarityAmong(statements: readonly ReadStatement[]): WeightOf {
  const counts = new Map<string, number>();
  for (const { stems } of statements) for (const stem of stems) counts.set(stem, (counts.get(stem) ?? 0) + 1);
  return (stem) => rarityOf(stem) / Math.cbrt(Math.max(1, counts.get(stem) ?? 1));
}

/** How surely `said` replaces `before`; 0 if it does not. */
function scoreOf(said: InParts, before: ReadStatement, rarity: WeightOf): number {
  if (before.tokens > MAX_REPLACED_TOKENS || isAnother(said, before)) return 0;
  const weightOf = (stem: string) => rarity(stem) * (before.names.has(stem) || said.names.has(stem) ? NAME_WEIGHT : 1);
  const share = sum(shared(before.stems, said.stems), rarity) / Math.max(1, sum([...before.stems], rarity));
  return Math.max(
    0,
    ...said.parts.map((clause, i) => {
      const here = shared(before.stems, clause.stems);
      const weight = sum(here, weightOf);
      if (clause.ended && weight >= LEAST.weight && share >= LEAST.share) return weight + share;
      if (!clause.ended && !clause.renewed) return 0;
      const around = [said.parts[i - 1], said.parts[i + 1]].filter((other) => other?.sentence === clause.sentence);
      return ofAround({ before, clause, around, weight, share, weightOf });
    }),
  );
}

/** Invoice 1042 is not invoice 1041. */
function isAnother(said: ReadStatement, before: ReadStatement): boolean {
  return [...said.numbers].some(([stem, number]) => (before.numbers.get(stem) ?? number) !== number);
}

type Around = {
  before: ReadStatement;
  clause: ReadPart;
  around: readonly (ReadPart | undefined)[];
  weight: number;
  share: number;
  weightOf: WeightOf;
};

/** A new value of the same kind for the same thing, or nearly the same words. */
function ofAround({ before, clause, around, weight, share, weightOf }: Around): number {
  const beside = new Set(around.flatMap((part) => shared(before.stems, part?.stems ?? new Set())));
  const total =
    weight +
    BESIDE_WEIGHT *
      sum(
        [...beside].filter((stem) => !clause.stems.has(stem)),
        weightOf,
      );
  const hasValue = [clause, ...around].some((part) => part !== undefined && shared(before.values, part.values).length > 0);
  const least = hasValue ? LEAST : LEAST_ALIKE;
  return total >= least.weight && share >= least.share ? total + share : 0;
}

function shared<T>(a: ReadonlySet<T>, b: ReadonlySet<T>): T[] {
  return [...a].filter((each) => b.has(each));
}

function sum(stems: readonly string[], weightOf: WeightOf): number {
  return stems.reduce((total, stem) => total + weightOf(stem), 0);
}
