import type { Features } from "#core/linear/features";
import { convolve, type Encoder, encode, greatest } from "#core/network/network";
import { marginals, TAGS } from "#core/network/tags";
import { WORD_DIMENSIONS } from "#core/static-words/word-vectors";
import { type FateInput, FLAGS, type TagInput, WORD_BUCKETS } from "../../src/domain/facts/change-features.ts";
import { networkOf, summariesOf, type Tables, WIDTH } from "../../src/domain/facts/change-models.ts";
import { randomOf, shuffle } from "../random-of.ts";
import { convolveBack, encodeBack } from "./network-gradients.ts";

export type FateExample = { input: FateInput; changes: boolean };
/** `tags`: of each word. */
export type TagExample = { input: TagInput; tags: readonly number[] };

/** Tables of a network, and of the linear models beside it: weights and, last, the bias. */
export type TrainedNetwork = { tables: Tables; linear: Float32Array[] };

export type NetworkTraining = {
  epochs: number;
  rate: number;
  decay: number;
  /** The share of words and of summaries that are left out of each step (dropout; Srivastava and others, 2014). */
  dropout: { words: number; summaries: number };
  linear: { buckets: number; rate: number; decay: number };
  seed: number;
};

const BATCH = 8;

/** Trains the network that says whether an item changes: logistic regression over the summaries and the linear features together. */
export function trainFates(examples: readonly FateExample[], options: NetworkTraining): TrainedNetwork {
  const training = start({ layers: ["near"], out: 4 * WIDTH, linear: 1 }, options);
  const { tables, slopes, linear, random } = training;
  const { out = new Float32Array() } = tables;
  run(examples, training, ({ input, changes }) => {
    const words = dropped(input.words, training);
    const network = networkOf(tables, []);
    const [layer] = network.layers;
    if (layer === undefined) return;
    const below = encode(network.encoder, words);
    const values = convolve(layer, below);
    const { all, same, near, mean } = summariesOf(values, { ...input, words });
    const kept = Float32Array.from({ length: 4 * WIDTH }, () =>
      random() < options.dropout.summaries ? 0 : 1 / (1 - options.dropout.summaries),
    );
    const summary = Float32Array.from(
      [...all.values, ...same.values, ...near, ...mean],
      (value, k) => value * (kept[k] as number),
    );
    const score = summary.reduce((sum, value, k) => sum + value * (out[k] as number), linear.score(0, input.linear));
    const error = 1 / (1 + Math.exp(-score)) - Number(changes);
    const back = new Float32Array(values.length);
    const add = (at: number, slope: number) => {
      back[at] = (back[at] as number) + slope;
    };
    for (let k = 0; k < WIDTH; k++) {
      const slope = (part: number) => error * (out[part * WIDTH + k] as number) * (kept[part * WIDTH + k] as number);
      const [first, second] = [all.words[k] as number, same.words[k] as number];
      if (first >= 0) add(first * WIDTH + k, slope(0));
      if (second >= 0) add(second * WIDTH + k, slope(1));
      for (const word of input.near) add(word * WIDTH + k, slope(2) / input.near.length);
      for (let word = 0; word < words.length; word++) add(word * WIDTH + k, slope(3) / words.length);
    }
    const ofOut = slopes.out as Float32Array;
    for (let k = 0; k < 4 * WIDTH; k++) ofOut[k] = (ofOut[k] as number) + error * (summary[k] as number);
    const under = convolveBack(layer, { below, values, slopes: back, into: layerSlopes(slopes, "near") });
    encodeBack(network.encoder, { words, values: below, slopes: under, into: encoderSlopes(slopes), touched: training.touched });
    linear.move(0, input.linear, error);
  });
  return { tables, linear: linear.tables };
}

/** Trains the network that tags added items: a conditional random field over two layers and linear features. */
export function trainTags(examples: readonly TagExample[], options: NetworkTraining): TrainedNetwork {
  const training = start({ layers: ["near", "far"], out: TAGS * 2 * WIDTH, linear: TAGS }, options);
  const { tables, slopes, linear } = training;
  const { out = new Float32Array(), transitions = new Float32Array() } = tables;
  run(examples, training, ({ input, tags }) => {
    const words = dropped(input.words, training);
    const network = networkOf(tables, []);
    const [first, second] = network.layers;
    if (first === undefined || second === undefined) return;
    const below = encode(network.encoder, words);
    const middle = convolve(first, below);
    const values = convolve(second, middle);
    const most = greatest(
      values,
      WIDTH,
      words.map((_, i) => i),
    );
    const scores = new Float32Array(words.length * TAGS);
    for (const [i, own] of input.linear.entries())
      for (let tag = 0; tag < TAGS; tag++) {
        let score = linear.score(tag, own);
        const row = tag * 2 * WIDTH;
        for (let k = 0; k < WIDTH; k++)
          score +=
            (out[row + k] as number) * (values[i * WIDTH + k] as number) +
            (out[row + WIDTH + k] as number) * (most.values[k] as number);
        scores[i * TAGS + tag] = score;
      }
    const expected = marginals({ scores, transitions });
    const ofTransitions = slopes.transitions as Float32Array;
    for (let k = 0; k < TAGS * TAGS; k++) ofTransitions[k] = (ofTransitions[k] as number) + (expected.transitions[k] as number);
    for (let i = 1; i < tags.length; i++) {
      const at = (tags[i - 1] as number) * TAGS + (tags[i] as number);
      ofTransitions[at] = (ofTransitions[at] as number) - 1;
    }
    const back = new Float32Array(values.length);
    const ofMost = new Float32Array(WIDTH);
    const ofOut = slopes.out as Float32Array;
    for (const [i, own] of input.linear.entries())
      for (let tag = 0; tag < TAGS; tag++) {
        const error = (expected.tags[i * TAGS + tag] as number) - Number(tags[i] === tag);
        const row = tag * 2 * WIDTH;
        for (let k = 0; k < WIDTH; k++) {
          ofOut[row + k] = (ofOut[row + k] as number) + error * (values[i * WIDTH + k] as number);
          ofOut[row + WIDTH + k] = (ofOut[row + WIDTH + k] as number) + error * (most.values[k] as number);
          back[i * WIDTH + k] = (back[i * WIDTH + k] as number) + error * (out[row + k] as number);
          ofMost[k] = (ofMost[k] as number) + error * (out[row + WIDTH + k] as number);
        }
        linear.move(tag, own, error);
      }
    for (let k = 0; k < WIDTH; k++) {
      const word = most.words[k] as number;
      if (word >= 0) back[word * WIDTH + k] = (back[word * WIDTH + k] as number) + (ofMost[k] as number);
    }
    const between = convolveBack(second, { below: middle, values, slopes: back, into: layerSlopes(slopes, "far") });
    const under = convolveBack(first, { below, values: middle, slopes: between, into: layerSlopes(slopes, "near") });
    encodeBack(network.encoder, { words, values: below, slopes: under, into: encoderSlopes(slopes), touched: training.touched });
  });
  return { tables, linear: linear.tables };
}

type Training = {
  options: NetworkTraining;
  random: () => number;
  tables: Record<string, Float32Array>;
  slopes: Record<string, Float32Array>;
  touched: Set<number>;
  linear: LinearPart;
};

function start(of: { layers: readonly string[]; out: number; linear: number }, options: NetworkTraining): Training {
  const random = randomOf(options.seed);
  const spread = (length: number, most: number) => Float32Array.from({ length }, () => (random() * 2 - 1) * most);
  const tables: Record<string, Float32Array> = {
    vectors: spread(WIDTH * WORD_DIMENSIONS, 0.15),
    buckets: spread(WORD_BUCKETS * WIDTH, 0.05),
    flags: spread(FLAGS * WIDTH, 0.2),
    bias: new Float32Array(WIDTH),
    out: spread(of.out, 0.2),
    transitions: new Float32Array(of.linear === TAGS ? TAGS * TAGS : 0),
  };
  for (const name of of.layers) {
    tables[name] = spread(3 * WIDTH * WIDTH, 0.15);
    tables[`${name} bias`] = new Float32Array(WIDTH);
  }
  return { options, random, tables, slopes: zeros(tables), touched: new Set(), linear: linearPart(of.linear, options) };
}

function zeros(tables: Tables): Record<string, Float32Array> {
  return Object.fromEntries(Object.entries(tables).map(([name, table]) => [name, new Float32Array(table.length)]));
}

function encoderSlopes(slopes: Tables): Encoder {
  return networkOf(slopes, []).encoder;
}

function layerSlopes(slopes: Tables, name: string): { weights: Float32Array; bias: Float32Array } {
  return { weights: slopes[name] ?? new Float32Array(), bias: slopes[`${name} bias`] ?? new Float32Array() };
}

/** Some words without their vector and bucket. */
function dropped(words: FateInput["words"], { options, random }: Training): FateInput["words"] {
  return words.map((word) => (random() < options.dropout.words ? { ...word, vector: null, bucket: -1 } : word));
}

/** Steps through the examples in batches; Adam (Kingma and Ba, 2015) with decoupled decay moves the tables. */
function run<E>(examples: readonly E[], training: Training, step: (example: E) => void): void {
  const { options, random, tables, slopes, touched } = training;
  const [first, second] = [zeros(tables), zeros(tables)];
  const order = examples.map((_, i) => i);
  let steps = 0;
  for (let epoch = 0; epoch < options.epochs; epoch++) {
    shuffle(order, random);
    const rate = options.rate * (1.05 - epoch / options.epochs);
    for (let from = 0; from < order.length; from += BATCH) {
      touched.clear();
      steps += 1;
      for (const i of order.slice(from, from + BATCH)) step(examples[i] as E);
      const correct = { first: 1 - 0.9 ** steps, second: 1 - 0.999 ** steps };
      for (const [name, table] of Object.entries(tables)) {
        const [slope, mean, square] = [slopes[name] as Float32Array, first[name] as Float32Array, second[name] as Float32Array];
        const move = (at: number) => {
          const own = (slope[at] as number) / BATCH;
          mean[at] = 0.9 * (mean[at] as number) + 0.1 * own;
          square[at] = 0.999 * (square[at] as number) + 0.001 * own * own;
          const by = (mean[at] as number) / correct.first / (Math.sqrt((square[at] as number) / correct.second) + 1e-8);
          table[at] = (table[at] as number) - rate * (by + options.decay * (table[at] as number));
          slope[at] = 0;
        };
        if (name === "buckets") for (const bucket of touched) for (let k = 0; k < WIDTH; k++) move(bucket * WIDTH + k);
        else for (let at = 0; at < table.length; at++) move(at);
      }
    }
  }
}

type LinearPart = {
  tables: Float32Array[];
  score: (which: number, features: Features) => number;
  move: (which: number, features: Features, error: number) => void;
};

/** Linear models that are moved at once, by AdaGrad. */
function linearPart(count: number, { linear: { buckets, rate, decay } }: NetworkTraining): LinearPart {
  const tables = Array.from({ length: count }, () => new Float32Array(buckets + 1));
  const squares = tables.map(() => new Float32Array(buckets + 1).fill(1e-6));
  return {
    tables,
    score: (which, { hashes, values }) => {
      const table = tables[which] as Float32Array;
      let score = table[buckets] as number;
      for (let j = 0; j < hashes.length; j++)
        score += (table[(hashes[j] as number) & (buckets - 1)] as number) * (values[j] as number);
      return score;
    },
    move: (which, { hashes, values }, error) => {
      const [table, square] = [tables[which] as Float32Array, squares[which] as Float32Array];
      const by = (at: number, slope: number) => {
        square[at] = (square[at] as number) + slope * slope;
        table[at] = (table[at] as number) - (rate * slope) / Math.sqrt(square[at] as number);
      };
      for (let j = 0; j < hashes.length; j++) {
        const at = (hashes[j] as number) & (buckets - 1);
        by(at, error * (values[j] as number) + decay * (table[at] as number));
      }
      by(buckets, error);
    },
  };
}
