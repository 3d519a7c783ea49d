import type { Features } from "#core/linear/features";
import { type LinearModel, type PackedModel, scoreOf, unpack } from "#core/linear/model";
import { type Convolution, convolve, type Encoder, encode, greatest, means } from "#core/network/network";
import { type PackedTable, unpackTable } from "#core/network/packed";
import { TAGS, type TagScores } from "#core/network/tags";
import type { FateInput, TagInput } from "./change-features.ts";

/** Values a word of each layer. */
export const WIDTH = 24;

/** The tables of a network by name, as they are trained; those of linear models beside them. */
export type Tables = Readonly<Record<string, Float32Array>>;

export type Network = {
  encoder: Encoder;
  layers: readonly Convolution[];
  /** From the last layer to the scores. */
  out: Float32Array;
  transitions: Float32Array;
  linear: readonly LinearModel[];
};

export type PackedNetwork = { tables: Record<string, PackedTable>; linear: PackedModel[] };

/**
 * What a message does to a list: `fate` of an item that it names, whether what goes from the list is `done`, whether it `adds` items, which are `added`, whether it changes
 * something `beyond` those, and whether the rules understand the `order`.
 */
export type ChangeModels = {
  fate: Network;
  adds: Network;
  added: Network;
  done: LinearModel;
  beyond: LinearModel;
  order: LinearModel;
};
export type PackedChangeModels = Record<"fate" | "adds" | "added", PackedNetwork> &
  Record<"done" | "beyond" | "order", PackedModel>;

export function networkOf(tables: Tables, linear: readonly LinearModel[]): Network {
  const table = (name: string) => tables[name] ?? new Float32Array();
  const layer = (name: string, step: number): Convolution[] =>
    tables[name] === undefined ? [] : [{ from: WIDTH, to: WIDTH, step, weights: table(name), bias: table(`${name} bias`) }];
  return {
    encoder: { width: WIDTH, vectors: table("vectors"), buckets: table("buckets"), flags: table("flags"), bias: table("bias") },
    layers: [...layer("near", 1), ...layer("far", 2)],
    out: table("out"),
    transitions: table("transitions"),
    linear,
  };
}

export function unpackModels({ fate, adds, added, done, beyond, order }: PackedChangeModels): ChangeModels {
  return {
    fate: unpackNetwork(fate),
    adds: unpackNetwork(adds),
    added: unpackNetwork(added),
    done: unpack(done),
    beyond: unpack(beyond),
    order: unpack(order),
  };
}

function unpackNetwork({ tables, linear }: PackedNetwork): Network {
  return networkOf(
    Object.fromEntries(Object.entries(tables).map(([name, table]) => [name, unpackTable(table)])),
    linear.map(unpack),
  );
}

/** The four summaries of a message by which an item is judged: the greatest values of all words and of its sentence, the means near it and of all words. */
export function summariesOf(values: Float32Array, { words, same, near }: Pick<FateInput, "words" | "same" | "near">) {
  const all = words.map((_, i) => i);
  return {
    all: greatest(values, WIDTH, all),
    same: greatest(values, WIDTH, same),
    near: means(values, WIDTH, near),
    mean: means(values, WIDTH, all),
  };
}

/** The probability that a message changes whether an item is on the list. */
export function fateOdds({ encoder, layers, out, linear }: Network, input: FateInput): number {
  const values = layers.reduce((below, layer) => convolve(layer, below), encode(encoder, input.words));
  const { all, same, near, mean } = summariesOf(values, input);
  let score = linear[0] === undefined ? 0 : scoreOf(linear[0], input.linear);
  for (const [part, summary] of [all.values, same.values, near, mean].entries())
    for (let k = 0; k < WIDTH; k++) score += (summary[k] ?? 0) * (out[part * WIDTH + k] ?? 0);
  return sigmoid(score);
}

/** The scores of the tags of a message's words. */
export function tagScores(
  { encoder, layers, out, transitions, linear }: Network,
  { words, linear: features }: TagInput,
): TagScores {
  const values = layers.reduce((below, layer) => convolve(layer, below), encode(encoder, words));
  const most = greatest(
    values,
    WIDTH,
    words.map((_, i) => i),
  ).values;
  const scores = new Float32Array(words.length * TAGS);
  for (const [i, own] of features.entries())
    for (let tag = 0; tag < TAGS; tag++) {
      const model = linear[tag];
      let score = model === undefined ? 0 : scoreOf(model, own);
      const row = tag * 2 * WIDTH;
      for (let k = 0; k < WIDTH; k++)
        score += (out[row + k] ?? 0) * (values[i * WIDTH + k] ?? 0) + (out[row + WIDTH + k] ?? 0) * (most[k] ?? 0);
      scores[i * TAGS + tag] = score;
    }
  return { scores, transitions };
}

/** The probability that a linear model gives to a message. */
export function oddsOf(model: LinearModel, features: Features): number {
  return sigmoid(scoreOf(model, features));
}

function sigmoid(score: number): number {
  return 1 / (1 + Math.exp(-score));
}
