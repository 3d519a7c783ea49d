import type { Token } from "#core/language/tokens";
import { type Features, type Group, hash, push, seedOf } from "./features.ts";

export const SEED = {
  word: seedOf("word"),
  pair: seedOf("pair"),
  triple: seedOf("triple"),
  name: seedOf("name"),
  part: seedOf("part"),
  before: seedOf("before"),
  after: seedOf("after"),
  shape: seedOf("shape"),
} as const;

export function wordGroup(tokens: readonly Token[], seed: number): Group {
  return tokens.map(({ word }) => hash(seed, word));
}

function runs(tokens: readonly Token[], length: number, seed: number, of: (token: Token) => string): Group {
  const group: number[] = [];
  for (let i = 0; i + length <= tokens.length; i++) {
    let h = seed;
    for (let j = i; j < i + length; j++) h = hash(h, `${of(tokens[j] as Token)} `);
    group.push(h);
  }
  return group;
}

/** Character n-grams of 3 to 5 letters within a word, its borders included; Chinese has its words from runs of characters. */
function parts(tokens: readonly Token[]): Group {
  const group: number[] = [];
  for (const { word, isHan } of tokens) {
    if (isHan || word.length < 3) continue;
    const bordered = `<${word.slice(0, 24)}>`;
    for (let length = 3; length <= 5; length++)
      for (let i = 0; i + length <= bordered.length; i++) group.push(hash(SEED.part, bordered.slice(i, i + length)));
  }
  return group;
}

/** The class of a word, or the word itself where it has none. */
export const nameOf = ({ name, word }: Token): string => (name === "w" || name === "" ? word : name);
export const classOnly = ({ name }: Token): string => name;
const wordOf = ({ word }: Token): string => word;

/** The words of a text, their pairs, triples, classes and parts. */
export function textGroups(features: Features, tokens: readonly Token[]): void {
  push(features, wordGroup(tokens, SEED.word), 1);
  push(features, runs(tokens, 2, SEED.pair, wordOf), 1);
  push(features, runs(tokens, 3, SEED.triple, wordOf), 0.5);
  push(features, [...runs(tokens, 1, SEED.name, classOnly), ...runs(tokens, 2, SEED.name, nameOf)], 1);
  push(features, runs(tokens, 3, SEED.name, classOnly), 0.7);
  push(features, parts(tokens), 1);
}
