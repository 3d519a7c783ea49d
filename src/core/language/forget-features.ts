import { type Features, hash, push } from "#core/linear/features";
import { SEED, textGroups } from "#core/linear/text-features";
import { MAX_TOKENS, type Token, tokensOf } from "./tokens.ts";

/** What a message shows of whether it asks for something to be forgotten: its clauses, and what the rules find, by name. */
export type Shown = { clauses: readonly { text: string }[]; signs: readonly string[] };

const STOP: Token = { word: "|", name: "|", isHan: false };
const WEIGHT_OF_SIGNS = 3;
/** How many words of a clause show that it orders something. */
const BEGINNING = 3;

/** The features of a message: its words, how its clauses begin and end, and each pair of what the rules find. */
export function requestFeatures({ clauses, signs }: Shown): Features {
  const features: Features = { hashes: [], values: [] };
  const each = clauses.map(({ text }) => tokensOf(text));
  const tokens = each.flatMap((of) => [...of, STOP]).slice(0, MAX_TOKENS);
  textGroups(features, tokens);
  push(
    features,
    each.flatMap((of) => of.slice(0, BEGINNING).map(({ word }, i) => hash(SEED.before, `${i} ${word}`))),
    0.7,
  );
  push(
    features,
    each.flatMap((of) => of.slice(-2).map(({ word }) => hash(SEED.after, word))),
    0.4,
  );
  const pairs = signs.flatMap((sign, i) => signs.slice(i + 1).map((other) => `${sign} ${other}`));
  const shapes = [
    ...signs,
    ...pairs,
    `clauses ${Math.min(6, each.length)}`,
    `words ${Math.min(9, Math.floor(Math.log2(tokens.length + 1) * 1.5))}`,
  ];
  push(
    features,
    shapes.map((shape) => hash(SEED.shape, shape)),
    WEIGHT_OF_SIGNS,
  );
  return features;
}
