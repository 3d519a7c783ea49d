import { analyse } from "#core/text/analyse";
import type { Rows } from "./teacher.ts";

/** The words that are one token each, by that token (a stem); the more frequent token first. */
export type Vocabulary = { tokens: string[]; wordsOf: number[][] };

/** `words` in order of frequency. A token that is one letter or has a digit stands for nothing by itself. */
export function vocabularyOf(words: readonly string[], limit: number): Vocabulary {
  const places = new Map<string, number[]>();
  for (const [rank, word] of words.entries()) {
    const [token, ...others] = analyse(word);
    if (token === undefined || others.length > 0 || !/^[a-z]{2,}$/.test(token)) continue;
    const known = places.get(token);
    if (known !== undefined) known.push(rank);
    else if (places.size < limit) places.set(token, [rank]);
  }
  return { tokens: [...places.keys()], wordsOf: [...places.values()] };
}

/** Added to a rank, so that the first few words of a list do not outweigh all others of their stem. */
const RANK_SMOOTHING = 50;
/** `a` of smooth inverse frequency (Arora, Liang and Ma, "A Simple but Tough-to-Beat Baseline for Sentence Embeddings", 2017). */
const SMOOTHING = 2e-3;

/** The rows without their mean. */
export function centred({ values, dimensions }: Rows): Rows {
  const count = values.length / dimensions;
  const mean = new Float64Array(dimensions);
  for (const [i, value] of values.entries()) mean[i % dimensions] = (mean[i % dimensions] ?? 0) + value / count;
  return { dimensions, values: values.map((value, i) => value - (mean[i % dimensions] ?? 0)) };
}

/**
 * Where the fit begins: the mean of the vectors of a token's words, weighted by smooth inverse frequency with frequencies after Zipf's law,
 * as model2vec distils a model (MinishLab).
 */
export function distilled({ tokens, wordsOf }: Vocabulary, { values, dimensions }: Rows): Rows {
  const vectors = new Float32Array(tokens.length * dimensions);
  for (const [row, ranks] of wordsOf.entries()) {
    const shares = ranks.map((rank) => 1 / (rank + RANK_SMOOTHING));
    const total = shares.reduce((sum, share) => sum + share, 0);
    for (const [i, rank] of ranks.entries()) {
      const share = (sifWeight(row, tokens.length) * (shares[i] ?? 0)) / total;
      for (let k = 0; k < dimensions; k++) {
        const at = row * dimensions + k;
        vectors[at] = (vectors[at] ?? 0) + share * (values[rank * dimensions + k] ?? 0);
      }
    }
  }
  return { dimensions, values: vectors };
}

function sifWeight(rank: number, words: number): number {
  return SMOOTHING / (SMOOTHING + 1 / ((rank + 2) * Math.log(words)));
}
