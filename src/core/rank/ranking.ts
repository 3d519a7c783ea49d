import { fold, normalise } from "#core/text/normalize";
import type { QueryTerm } from "#core/text/query";

/** Identifies a ranked item. An id is unique within its kind. */
export type Ref<Kind extends string = string> = { readonly kind: Kind; readonly id: number };

export type Scored<R extends Ref = Ref> = R & { readonly score: number };

/** A ref as the key of a map. */
export function keyOf({ kind, id }: Ref): string {
  return `${kind}/${id}`;
}

/** The order of items with equal scores: by kind, and within a kind the newer first. */
export function newerFirst(a: Ref, b: Ref): number {
  if (a.kind === b.kind) return b.id - a.id;
  return a.kind < b.kind ? -1 : 1;
}

/** Best first; equal scores as `newerFirst` orders them. */
export function bestFirst(a: Scored, b: Scored): number {
  return b.score - a.score || newerFirst(a, b);
}

/** How many items contain each term, in the order of the terms, and how many items there are. */
export type Counted = { holders: readonly number[]; total: number };

/** The value of each term: its weight times its rarity. */
export function termValues(terms: readonly QueryTerm[], { holders, total }: Counted): number[] {
  return terms.map(({ weight }, i) => weight * idf(holders[i] ?? 0, total));
}

/** Never zero, so that a term in every item still breaks ties (Lucene's form). */
function idf(holders: number, total: number): number {
  return Math.log(1 + (Math.max(total, holders) - holders + 0.5) / (holders + 0.5));
}

export type Channel<R extends Ref = Ref> = {
  name: string;
  weight: number;
  ranked: readonly Scored<R>[];
  /** The channel's scores that map to 0 and to 1; scores may lie beyond. */
  scale: { nothing: number; everything: number };
};

export type Fused<R extends Ref = Ref> = Ref<R["kind"]> & {
  score: number;
  channels: Record<string, { rank: number; score: number }>;
};

/**
 * Convex fusion: Σ weight × the channel's score on its scale (Bruch, Gai and Ingber, "An Analysis of Fusion Functions for Hybrid
 * Retrieval", 2023). Ties go to the better best rank, then as `ties` says. Reciprocal rank fusion was worse here: it uses
 * the rank of a hit in its channel, but not its score (docs/benchmarks.md).
 */
export function fuse<R extends Ref>(channels: readonly Channel<R>[], ties: (a: Ref, b: Ref) => number = newerFirst): Fused<R>[] {
  const fused = new Map<string, Fused<R>>();
  for (const { name, weight, ranked, scale } of channels) {
    let rank = 0;
    for (const hit of ranked) {
      const { kind, id, score } = hit;
      const entry: Fused<R> = fused.get(keyOf(hit)) ?? { kind, id, score: 0, channels: {} };
      if (Object.hasOwn(entry.channels, name)) continue;
      rank++;
      entry.score += weight * onScale(score, scale);
      entry.channels[name] = { rank, score };
      fused.set(keyOf(hit), entry);
    }
  }
  return [...fused.values()].sort((a, b) => b.score - a.score || bestRank(a) - bestRank(b) || ties(a, b));
}

/** If the scale has no span, every score maps to 1. */
function onScale(score: number, { nothing, everything }: Channel["scale"]): number {
  return everything <= nothing ? 1 : Math.max(0, (score - nothing) / (everything - nothing));
}

function bestRank({ channels }: Fused): number {
  return Math.min(...Object.values(channels).map(({ rank }) => rank));
}

/** The scale on which a ranking's first item is 1 and its last 0. */
export function ownScale(ranked: readonly { score: number }[]): Channel["scale"] {
  return { nothing: ranked.at(-1)?.score ?? 0, everything: ranked[0]?.score ?? 0 };
}

/**
 * Moves the best hit of a channel to this position (from 0) if it came out lower, so that a hit which only this channel finds is not lost.
 */
export function withBestOf<T extends Fused>(fused: readonly T[], channel: string, place: number): T[] {
  const found = fused.findIndex(({ channels }) => channels[channel]?.rank === 1);
  const best = fused[found];
  if (best === undefined || found <= place) return [...fused];
  const others = fused.filter((entry) => entry !== best);
  return [...others.slice(0, place), best, ...others.slice(place)];
}

/** What an embedder's vectors are made of: letters, the meaning of single words, or that of texts. */
export type Nature = "lexical" | "static" | "semantic";

/**
 * The weight of vectors beside words, whose score is 1 for a text that contains the whole question. Measured on LoCoMo (docs/benchmarks.md),
 * `semantic` with all-MiniLM-L6-v2; lexical vectors do not improve a good lexical ranking, so they only add hits if words find too few.
 */
const SEMANTIC_WEIGHT = { semantic: 0.2, static: 0.1, lexical: 0.05 };

/** The best hit of vectors with meaning is always among the first eight, because a paraphrase shares no words. */
const SEMANTIC_PLACE = 7;
/** The best hit of words has less of the question than this if vectors of single words are to have their place: else it cost recall. */
const PARAPHRASED = { semantic: Number.POSITIVE_INFINITY, static: 0.4, lexical: 0 };

/** The rankings of words and of vectors as one, for a search of `limit` hits. A text with every term once scores about `ideal`. */
export function fuseWordsAndVectors<R extends Ref>({
  words,
  vectors,
  nature,
  limit,
  ties,
}: {
  words: { ranked: readonly Scored<R>[]; ideal: number };
  vectors: Pick<Channel<R>, "ranked" | "scale">;
  /** Of the embedder. */
  nature: Nature;
  limit: number;
  /** The order of equal scores; `newerFirst` when absent. */
  ties?: (a: Ref, b: Ref) => number;
}): Fused<R>[] {
  const channels: Channel<R>[] = [
    { name: "text", weight: 1, ranked: words.ranked, scale: { nothing: 0, everything: words.ideal } },
    { name: "semantic", weight: SEMANTIC_WEIGHT[nature], ...vectors },
  ];
  const fused = fuse(channels, ties);
  const hasWords = (words.ranked[0]?.score ?? 0) >= PARAPHRASED[nature] * words.ideal;
  return hasWords ? fused : withBestOf(fused, "semantic", Math.min(SEMANTIC_PLACE, limit - 1));
}

/**
 * Collapses repetitions: walks in rank order and takes an entry unless the same statement by the same one is taken already; then that one
 * counts it under `similar`. Statements that differ in a number, a name, a day or a negation are two, and so are those of two people, so
 * only case, accents and punctuation may differ. Stops at `limit` entries.
 */
export function diversify<T extends { text: string }>(
  ranked: readonly T[],
  limit: number,
  by: (entry: T) => string = () => "",
): (T & { similar: number })[] {
  const taken = new Map<string, T & { similar: number }>();
  for (const [place, candidate] of ranked.entries()) {
    const statement = statementKey(candidate.text);
    // Texts without words are not the same text.
    const key = statement === "" ? String(place) : JSON.stringify([by(candidate), statement]);
    const before = taken.get(key);
    if (before !== undefined) before.similar += 1;
    else if (taken.size < limit) taken.set(key, { ...candidate, similar: 0 });
    else break;
  }
  return [...taken.values()];
}

/** Punctuation that ends or divides a sentence. Beside a digit it may be part of a number; a minus, a plus and "?" always count. */
const PUNCTUATION = /(?<!\d)[.,;:!…"'“”‘’«»。，、；：！]+|[.,;:!…"'“”‘’«»。，、；：！]+(?!\d)/gu;

function statementKey(text: string): string {
  const plain = normalise(text).replace(PUNCTUATION, " ");
  return /[\p{L}\p{N}]/u.test(plain) ? fold(plain).replace(/\s+/gu, " ").trim() : "";
}

/** Takes entries in rank order while their estimated tokens fit, and skips those that do not; the first is always taken, whatever its size. */
export function withinBudget<T extends { tokens: number }>(entries: readonly T[], maxTokens: number): T[] {
  const taken: T[] = [];
  let left = maxTokens;
  for (const entry of entries) {
    if (entry.tokens > left && taken.length > 0) continue;
    taken.push(entry);
    left -= entry.tokens;
  }
  return taken;
}
