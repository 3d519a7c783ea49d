import { namesAmount } from "#core/language/asked-for";
import { tokensOf } from "#core/language/tokens";
import type { Named } from "#core/linear/named";
import type { Cosines } from "#core/rank/cut";
import type { WordMeanings } from "#ports/embedder";
import { type AskedNeed, MAX_UNITS, type TellingWord, tellingWordsOf } from "./asked.ts";
import { besideOthers } from "./signals.ts";
import { matchWords, type WordMatch } from "./word-match.ts";

/** A memory that a question may need. */
export type NeedCandidate = {
  text: string;
  /** With the question, under the model; null if it is not known, as for a text that is not embedded yet. */
  cosine: number | null;
  /** Terms of the question that found it, also by its key or by the person whom it is about. */
  found: ReadonlySet<string>;
};

type Model = { cosines: Cosines; meanings: WordMeanings };

/** A memory whose cosine is not known is taken to be as near as its words say: the slope of the two over the talk that is trained on. */
const LIKENESS_OF_MEANING = 4;
/** Below this, two words have nothing to do with each other. */
const UNRELATED_WORDS = 0.2;
/** A memory matches a word better than all others only if it matches it at all. */
const LEAST_MATCH = 0.3;
const SAME_MATCH = 0.02;
const MOST_SAME = 3;
/** From this weight on a word says all that one word can. */
const FULL_WEIGHT = 1.3;
const MAX_WORDS_OF_MEMORY = 40;
/** A word that more of the candidates have counts less, from the fourth on. */
const COMMON = { of: 3, beside: 10 };
/** Classes of words (`word-classes.ts`) that name things; the others are frames. */
const THINGS = ["kin", "pet", "time", "work", "home", "health", "like", "number", "not"];
const HELD = ["time", "number", "kin", "Name", "home"];

/** The features of each candidate: numbers about it, about it beside the others, and about the question that all of them share. */
export function needFeatures(
  asked: AskedNeed,
  candidates: readonly NeedCandidate[],
  { cosines, meanings: known }: Model,
): Named[] {
  const { words, ideal } = asked;
  const span = cosines.floor - cosines.unrelated;
  const texts = candidates.map(({ text }) => tellingWordsOf(text, known, MAX_WORDS_OF_MEMORY));
  const matches = texts.map((memory, i) => matchWords(asked, memory, candidates[i]?.found ?? NONE));
  const holders = words.map((_, w) => matches.filter(({ shares }) => shares[w]).length);
  const local = words.map(({ weight }, w) => weight * rarity(holders[w] ?? 0, candidates.length));
  const total = (match: (w: number) => number) => words.reduce((sum, _, w) => sum + match(w), 0);
  const weight = (w: number) => words[w]?.weight ?? 0;
  const meanings = matches.map(({ likest }) => total((w) => weight(w) * above(likest[w] ?? 0)) / ideal);
  const meaning = besideOthers("meaning", meanings);
  const likeness = besideOthers(
    "likeness",
    candidates.map(({ cosine }, i) =>
      cosine === null ? LIKENESS_OF_MEANING * (meanings[i] ?? 0) : (cosine - cosines.unrelated) / span,
    ),
  );
  const shared = besideOthers(
    "shared",
    matches.map(({ shares }) => total((w) => (shares[w] === true ? (local[w] ?? 0) : 0)) / ideal),
  );
  const most = words.map((_, w) => Math.max(0, ...matches.map(({ likest }) => likest[w] ?? 0)));
  const ofQuestion: Named = {
    unmatched: total((w) => (holders[w] === 0 ? weight(w) : 0)) / ideal,
    answerable: total((w) => weight(w) * (most[w] ?? 0)) / ideal,
    self: asked.self,
    words: Math.log2(1 + words.length),
    "few words": words.length <= 2 ? 1 : 0,
    ...Object.fromEntries(["order", "text", "third", "kin"].map((name) => [`asks: ${name}`, asked.classes.has(name) ? 1 : 0])),
  };
  return candidates.map(({ text }, i) => {
    const match = matches[i] as WordMatch;
    return {
      bias: 1,
      ...ofQuestion,
      ...likeness[i],
      ...meaning[i],
      ...shared[i],
      ...besideWords(asked, match, { local, most, matches }),
      length: Math.log2(1 + (texts[i] as TellingWord[]).length),
      "likeness, self": asked.self * (likeness[i]?.likeness ?? 0),
      "likeness, not self": (1 - asked.self) * (likeness[i]?.likeness ?? 0),
      ...kinds(asked, text, holders, match),
    };
  });
}

const NONE: ReadonlySet<string> = new Set();

function above(likeness: number): number {
  return Math.max(0, (likeness - UNRELATED_WORDS) / (1 - UNRELATED_WORDS));
}

/** 1 for a word that few candidates have, falling as a rarity in so many texts does (`idf` in core/rank/ranking.ts). */
function rarity(holders: number, candidates: number): number {
  const all = candidates + COMMON.beside;
  const idf = (count: number) => Math.log(1 + (all - count + 0.5) / (count + 0.5));
  return Math.min(1, idf(holders) / idf(COMMON.of));
}

type Beside = { local: readonly number[]; most: readonly number[]; matches: readonly WordMatch[] };

function besideWords({ words, ideal }: AskedNeed, { likest, shares }: WordMatch, { local, most, matches }: Beside): Named {
  let [rarest, nearest, best, sharedWeight] = [0, 0, 0, 0];
  for (const [w, { weight }] of words.entries()) {
    const like = likest[w] ?? 0;
    nearest = Math.max(nearest, like * Math.min(1, weight / FULL_WEIGHT));
    if (shares[w] === true) {
      rarest = Math.max(rarest, local[w] ?? 0);
      sharedWeight += weight;
    }
    const least = (most[w] ?? 0) - SAME_MATCH;
    if (like < least || like <= LEAST_MATCH) continue;
    if (matches.filter((other) => (other.likest[w] ?? 0) >= least).length <= MOST_SAME) best += (weight * like) / ideal;
  }
  return { "rarest shared": rarest, "nearest word": nearest, "best for words": best, "shared weight": sharedWeight };
}

/** What is asked for beside what the memory holds, and whether it is about whom the question names. */
function kinds(asked: AskedNeed, text: string, holders: readonly number[], { shares }: WordMatch): Named {
  const held = new Set(tokensOf(text.slice(0, MAX_UNITS)).map(({ name }) => name));
  const amount = namesAmount(text);
  const has = (name: string) => held.has(name) || (name === "number" && amount);
  const features: Named = {};
  for (const kind of asked.kinds) for (const name of HELD) features[`${kind} & ${has(name) ? "" : "no "}${name}`] = 1;
  for (const name of THINGS) if (asked.classes.has(name)) features[`${has(name) ? "both" : "asked only"}: ${name}`] = 1;
  const names = asked.words.flatMap(({ vector }, w) => (vector === null && (holders[w] ?? 0) > 0 ? [w] : []));
  if (names.some((w) => shares[w] === true)) features["has the name"] = 1;
  if (names.some((w) => shares[w] !== true)) features["lacks a name"] = 1;
  return features;
}
