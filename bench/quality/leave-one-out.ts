import type { Conversation } from "./locomo.ts";
import { mean } from "./metrics.ts";
import { DEFAULT_TUNING, offlineRanker, type Tuning } from "./offline.ts";
import type { Scored } from "./table.ts";

/** A constant and the values it is tried at, of which the first is where the search starts. */
type Knob = { name: string; values: readonly number[]; set: (tuning: Tuning, value: number) => Tuning };

const KNOBS: readonly Knob[] = [
  ofPresence("k1", [0.3, 0.5, 0.8]),
  ofPresence("previous", [0.3, 0.4, 0.5]),
  ofPresence("beforePrevious", [0.2, 0.3, 0.4]),
  ofPresence("next", [0.1, 0.2, 0.3]),
  ofPresence("afterNext", [0, 0.1, 0.2]),
  ofPresence("session", [0.3, 0.5, 0.8]),
  ofBoost("question", [0.8, 0.9, 1]),
  ofBoost("time", [1.3, 1.7, 2]),
  ofBoost("vagueTime", [1, 1.2, 1.4]),
  ofBoost("firstPerson", [1, 1.1, 1.2]),
  ofBoost("speaker", [1.2, 1.5, 1.8]),
  ofBoost("place", [1, 1.2, 1.4]),
  ofBoost("day", [1, 1.5, 2]),
];
const PASSES = 2;

/** Scores each conversation with the constants that are best for the others (R@10 + NDCG@10, coordinate ascent), so that none is chosen on what it is tested on. */
export function leaveOneOut(conversations: readonly Conversation[]): Scored[] {
  const rank = offlineRanker(conversations);
  const known = new Map<string, Scored[]>();
  const scoresOf = (tuning: Tuning): Scored[] => {
    const key = JSON.stringify(tuning);
    const scored = known.get(key) ?? rank(tuning);
    known.set(key, scored);
    return scored;
  };
  return conversations.flatMap(({ id }) => {
    const worth = (tuning: Tuning): number => objective(scoresOf(tuning).filter(({ conversation }) => conversation !== id));
    return scoresOf(ascend(worth)).filter(({ conversation }) => conversation === id);
  });
}

function ascend(worth: (tuning: Tuning) => number): Tuning {
  let tuning = KNOBS.reduce((start, { values, set }) => set(start, values[0] ?? 1), DEFAULT_TUNING);
  for (let pass = 0; pass < PASSES; pass++) {
    for (const { values, set } of KNOBS) {
      const tried = values.map((value) => set(tuning, value));
      const worths = tried.map(worth);
      tuning = tried[worths.indexOf(Math.max(...worths))] ?? tuning;
    }
  }
  return tuning;
}

function objective(scored: readonly Scored[]): number {
  const { r10, ndcg10 } = mean(scored.filter(({ category }) => category <= 4).map(({ scores }) => scores));
  return r10 + ndcg10;
}

function ofPresence(name: keyof Tuning["presence"], values: readonly number[]): Knob {
  return { name, values, set: (tuning, value) => ({ ...tuning, presence: { ...tuning.presence, [name]: value } }) };
}

function ofBoost(name: keyof Tuning["boosts"], values: readonly number[]): Knob {
  return { name, values, set: (tuning, value) => ({ ...tuning, boosts: { ...tuning.boosts, [name]: value } }) };
}
