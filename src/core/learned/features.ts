import type { Token } from "#core/language/tokens";

/** Hashed features of a piece of text: 32-bit hashes, and a value for each. */
export type Features = { hashes: number[]; values: number[] };

/** FNV-1a over the code units of `text`, continued from `seed`. */
export function hash(seed: number, text: string): number {
  let h = seed;
  for (let i = 0; i < text.length; i++) h = Math.imul(h ^ text.charCodeAt(i), 0x01000193);
  return h;
}

const OFFSET = 0x811c9dc5;
export const SEED = {
  word: hash(OFFSET, "word "),
  pair: hash(OFFSET, "pair "),
  triple: hash(OFFSET, "triple "),
  name: hash(OFFSET, "name "),
  part: hash(OFFSET, "part "),
  before: hash(OFFSET, "before "),
  after: hash(OFFSET, "after "),
  shape: hash(OFFSET, "shape "),
} as const;

export type Group = number[];

/** The sum of the squares of a group's values is its weight, however many features it has. */
export function push(features: Features, group: Group, weight: number): void {
  if (group.length === 0) return;
  const value = Math.sqrt(weight / group.length);
  for (const each of group) {
    // Spreads the low bits, which choose the place in the table (the finaliser of MurmurHash3).
    let h = each ^ (each >>> 16);
    h = Math.imul(h, 0x85ebca6b);
    h ^= h >>> 13;
    h = Math.imul(h, 0xc2b2ae35);
    features.hashes.push((h ^ (h >>> 16)) >>> 0);
    features.values.push(value);
  }
}

export function wordGroup(tokens: readonly Token[], seed: number): Group {
  return tokens.map(({ word }) => hash(seed, word));
}

function runs(tokens: readonly Token[], length: number, seed: number, of: (token: Token) => string): Group {
  const group: Group = [];
  for (let i = 0; i + length <= tokens.length; i++) {
    let h = seed;
    for (let j = i; j < i + length; j++) h = hash(h, `${of(tokens[j] as Token)} `);
    group.push(h);
  }
  return group;
}

/** Character n-grams of 3 to 5 letters within a word, its borders included; Chinese has its words from runs of characters. */
function parts(tokens: readonly Token[]): Group {
  const group: Group = [];
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
