import { stopsSomething, withdrawalIn } from "#core/language/changes";
import { tokensOf } from "#core/language/tokens";
import { rarityAmong } from "./rarity.ts";
import { type ReadStatement, readParts, readStatement } from "./read-statement.ts";

/** How much of what the wish is about has to be named in one clause, in rare words, and which share of the wish that has to be. */
const LEAST = { weight: 0.65, share: 0.2 };
/** A longer wish says more than what is taken back. */
const MAX_WITHDRAWN_TOKENS = 28;
/** How far the best has to be ahead of the next one, or it is not sure which is meant. */
const LEAD = 0.15;

/**
 * Which of the earlier wishes for how the assistant behaves a wish takes back ("you can stop the rhymes", "emojis are fine again"): it is
 * about the same, and no second ban ("stop using tables" leaves "no emojis" as it is). Null if it takes none back for sure.
 */
export function findWithdrawn<Known extends { content: string }>(content: string, known: readonly Known[]): Known | null {
  const withdrawal = withdrawalIn(content);
  if (withdrawal === null) return null;
  const clauses = readParts(content);
  const wishes = withdrawal === "stops" ? known.filter((wish) => !isBan(wish.content)) : known;
  const read = wishes.map((wish) => ({ wish, before: readStatement(wish.content) }));
  const rarity = rarityAmong(read.map(({ before }) => before));
  const [best, next] = read
    .map(({ wish, before }) => ({ wish, score: Math.max(0, ...clauses.map(({ stems }) => scoreOf(stems, before, rarity))) }))
    .filter(({ score }) => score > 0)
    .toSorted((a, b) => b.score - a.score);
  return best !== undefined && best.score - (next?.score ?? 0) >= LEAD ? best.wish : null;
}

function isBan(wish: string): boolean {
  return stopsSomething(wish) || tokensOf(wish).some(({ name }) => name === "not");
}

/** How surely a clause with these stems takes a wish back; 0 if it does not. */
function scoreOf(said: ReadonlySet<string>, before: ReadStatement, rarity: (stem: string) => number): number {
  if (before.tokens > MAX_WITHDRAWN_TOKENS) return 0;
  const sum = (stems: readonly string[]) => stems.reduce((total, stem) => total + rarity(stem), 0);
  const weight = sum([...before.stems].filter((stem) => said.has(stem)));
  const share = weight / Math.max(1, sum([...before.stems]));
  return weight >= LEAST.weight && share >= LEAST.share ? weight + share : 0;
}
