import { hasAll } from "../../bench/context/score.ts";
import { readLineFeatures } from "../../src/domain/injection/line-features.ts";
import { readLines } from "../../src/domain/injection/read-lines.ts";
import { readNoneFeatures, type ShortTalkWeights, WEIGHTS } from "../../src/domain/injection/short-talk.ts";
import { type AskedTalk, neededBy } from "./asked-talk.ts";

/** The penalty on squared weights of features of unit deviation, chosen on authors left out. */
const PENALTY = 10;
const PENALTY_OF_NONE = 1;
const STEPS = 300;
const RATE = 0.05;
/** A change and its question, beside a question of a chat: in nearly all of them the newest statement is needed. */
const WEIGHT_OF_UPDATE = 0.5;

type Names = { line: (keyof ShortTalkWeights["line"])[]; none: (keyof ShortTalkWeights["none"])[] };
const NAMES = { line: Object.keys(WEIGHTS.line), none: Object.keys(WEIGHTS.none) } as Names;

/** One choice among the lines of a talk and "none of them": for each thing that is needed, the lines that have it. */
export type Choice = { lines: number[][]; none: number[]; needed: boolean[][]; offersNone: boolean; weight: number };

/** Null where no line is worth showing, or none of them has what is needed. */
export function choiceOf(talk: AskedTalk): Choice | null {
  const { all, lines, asked } = readLines({ ...talk, query: talk.question });
  const things = neededBy(talk);
  const needed = things
    .map((words) => lines.map(({ item }) => hasAll(item.text, words)))
    .filter((isNeeded) => isNeeded.includes(true));
  if (lines.length === 0 || (things.length > 0 && needed.length === 0)) return null;
  const none = readNoneFeatures(asked);
  const isChat = talk.part === "chats";
  return {
    lines: readLineFeatures(lines, { asked, all }).map((features) => NAMES.line.map((name) => features[name])),
    none: NAMES.none.map((name) => none[name]),
    ...{ needed, offersNone: isChat, weight: isChat ? 1 : WEIGHT_OF_UPDATE },
  };
}

/**
 * Maximises the penalised likelihood of the choices by Adam (Kingma and Ba, 2015), from zero: the same choices give the same weights. First
 * the weights of lines, on questions that need something; then, beside them, those of "none of them".
 */
export function fitWeights(choices: readonly Choice[]): ShortTalkWeights {
  const size = NAMES.line.length;
  const deviations = deviationsOf(choices.flatMap(({ lines }) => lines));
  const scaled = choices.map((choice) => ({
    ...choice,
    lines: choice.lines.map((line) => line.map((value, k) => value / (deviations[k] ?? 1))),
  }));
  const weights = new Float64Array(size + NAMES.none.length);
  const needing = scaled.filter(({ needed }) => needed.length > 0);
  climb(
    needing.map((choice) => ({ ...choice, offersNone: false })),
    weights,
    { from: 0, to: size, penalty: PENALTY },
  );
  climb(
    scaled.filter(({ offersNone }) => offersNone),
    weights,
    { from: size, to: weights.length, penalty: PENALTY_OF_NONE },
  );
  const rounded = (value: number) => Number(value.toFixed(3));
  const line = NAMES.line.map((name, k) => [name, rounded((weights[k] ?? 0) / (deviations[k] ?? 1))]);
  const none = NAMES.none.map((name, k) => [name, rounded(weights[size + k] ?? 0)]);
  return { line: Object.fromEntries(line), none: Object.fromEntries(none) } as ShortTalkWeights;
}

/** Changes the weights from one place to another. */
function climb(
  choices: readonly Choice[],
  weights: Float64Array,
  { from, to, penalty }: { from: number; to: number; penalty: number },
): void {
  const [mean, square] = [new Float64Array(weights.length), new Float64Array(weights.length)];
  for (let step = 1; step <= STEPS; step++) {
    const slope = slopeOf(choices, weights);
    const rate = step <= 0.7 * STEPS ? RATE : RATE / 5;
    for (let k = from; k < to; k++) {
      const g = (slope[k] ?? 0) - penalty * (weights[k] ?? 0);
      mean[k] = 0.9 * (mean[k] ?? 0) + 0.1 * g;
      square[k] = 0.999 * (square[k] ?? 0) + 0.001 * g * g;
      const [m, v] = [(mean[k] ?? 0) / (1 - 0.9 ** step), (square[k] ?? 0) / (1 - 0.999 ** step)];
      weights[k] = (weights[k] ?? 0) + (rate * m) / (Math.sqrt(v) + 1e-8);
    }
  }
}

/** The gradient of the log likelihood. */
function slopeOf(choices: readonly Choice[], weights: Float64Array): Float64Array {
  const size = NAMES.line.length;
  const slope = new Float64Array(weights.length);
  const add = (features: readonly number[], by: number, from: number) => {
    for (let k = 0; k < features.length; k++) slope[from + k] = (slope[from + k] ?? 0) + by * (features[k] ?? 0);
  };
  const dot = (features: readonly number[], from: number) =>
    features.reduce((sum, value, k) => sum + value * (weights[from + k] ?? 0), 0);
  for (const { lines, none, needed, offersNone, weight } of choices) {
    const weighed = lines.map((line) => dot(line, 0));
    const ofNone = offersNone ? dot(none, size) + Math.log(lines.length) : -Infinity;
    const highest = Math.max(ofNone, ...weighed);
    const odds = weighed.map((value) => Math.exp(value - highest));
    const oddsOfNone = Math.exp(ofNone - highest);
    const all = odds.reduce((sum, one) => sum + one, oddsOfNone);
    for (const isNeeded of needed.length === 0 ? [null] : needed) {
      const by = weight / Math.max(1, needed.length);
      const right = odds.reduce((sum, one, i) => sum + (isNeeded?.[i] ? one : 0), 0);
      for (const [i, line] of lines.entries()) {
        const odd = odds[i] ?? 0;
        add(line, by * ((isNeeded?.[i] ? odd / right : 0) - odd / all), 0);
      }
      if (offersNone) add(none, by * ((isNeeded === null ? 1 : 0) - oddsOfNone / all), size);
    }
  }
  return slope;
}

function deviationsOf(rows: readonly number[][]): number[] {
  return NAMES.line.map((_, k) => {
    const values = rows.map((row) => row[k] ?? 0);
    const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
    return Math.sqrt(values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / values.length) || 1;
  });
}
