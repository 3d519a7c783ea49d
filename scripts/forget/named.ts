import { type Named, scoreNamed } from "#core/linear/named";
import { marginalsOf } from "../../src/domain/forgetting/clause-chain.ts";

export type Options = { epochs: number; rate: number; decay: number; least: number };

/** Examples of which some are to be chosen together: the clauses of a message, or the messages before a request. */
export type Choice = { features: readonly Named[]; isChosen: readonly boolean[] };

/** Weights that score what is chosen above what is not: logistic regression over the choices (a softmax), by AdaGrad with L2 decay. */
export function trainRanking(choices: readonly Choice[], options: Options): Named {
  return fitted(choices, options, (weights, { features, isChosen }) => {
    const scores = features.map((each) => scoreNamed(weights, each));
    const most = Math.max(...scores);
    const odds = scores.map((score) => Math.exp(score - most));
    const sum = odds.reduce((total, each) => total + each, 0);
    const chosen = isChosen.filter(Boolean).length;
    if (chosen === 0 || chosen === features.length) return null;
    return odds.map((each, i) => each / sum - (isChosen[i] === true ? 1 / chosen : 0));
  });
}

/** Weights by which each is chosen for itself, with a score above 0. */
export function trainDecision(choices: readonly Choice[], options: Options): Named {
  return fitted(choices, options, (weights, { features, isChosen }) =>
    features.map((each, i) => 1 / (1 + Math.exp(-scoreNamed(weights, each))) - (isChosen[i] === true ? 1 : 0)),
  );
}

/** Weights of clauses, of which some are chosen and not all, and of pairs of neighbours, which are chosen alike or not. */
export function trainChain(chains: readonly { clauses: Choice; chain: readonly Named[] }[], options: Options): Named {
  const choices = chains.map(({ clauses: { features, isChosen }, chain }) => ({
    features: [...features, ...chain],
    isChosen: [...isChosen, ...chain.map((_, i) => isChosen[i] === isChosen[i + 1])],
  }));
  return fitted(choices, options, (weights, { features, isChosen }) => {
    const scores = features.map((each) => scoreNamed(weights, each));
    // One pair less than clauses.
    const clauses = (features.length + 1) / 2;
    const { goes, same } = marginalsOf({ goes: scores.slice(0, clauses), same: scores.slice(clauses) });
    return [...goes, ...same].map((each, i) => each - (isChosen[i] === true ? 1 : 0));
  });
}

type Errors = (weights: Named, choice: Choice) => number[] | null;

function fitted(choices: readonly Choice[], { epochs, rate, decay, least }: Options, errorsOf: Errors): Named {
  const counts = new Map<string, number>();
  for (const { features } of choices)
    for (const name of new Set(features.flatMap((each) => Object.keys(each)))) counts.set(name, (counts.get(name) ?? 0) + 1);
  const known = choices.map(({ features, isChosen }) => ({
    isChosen,
    features: features.map((each) =>
      Object.fromEntries(Object.entries(each).filter(([name]) => (counts.get(name) ?? 0) >= least)),
    ),
  }));
  const weights: Named = {};
  const squares: Named = {};
  for (let epoch = 0; epoch < epochs; epoch++) {
    for (const choice of known) {
      const errors = errorsOf(weights, choice);
      if (errors === null) continue;
      const slopes = new Map<string, number>();
      for (const [i, each] of choice.features.entries())
        for (const [name, value] of Object.entries(each)) slopes.set(name, (slopes.get(name) ?? 0) + (errors[i] ?? 0) * value);
      for (const [name, slope] of slopes) {
        const step = slope + decay * (weights[name] ?? 0);
        squares[name] = (squares[name] ?? 1e-3) + step * step;
        weights[name] = (weights[name] ?? 0) - (rate * step) / Math.sqrt(squares[name]);
      }
    }
  }
  const kept = Object.entries(weights).map(([name, weight]) => [name, Number(weight.toFixed(2))] as const);
  return Object.fromEntries(kept.filter(([, weight]) => weight !== 0).sort(([a], [b]) => (a < b ? -1 : 1)));
}
