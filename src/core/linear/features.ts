/** Hashed features of a piece of text: 32-bit hashes, and a value for each. */
export type Features = { hashes: number[]; values: number[] };

const OFFSET = 0x811c9dc5;

/** FNV-1a over the code units of `text`, continued from `seed`. */
export function hash(seed: number, text: string): number {
  let h = seed;
  for (let i = 0; i < text.length; i++) h = Math.imul(h ^ text.charCodeAt(i), 0x01000193);
  return h;
}

/** The seed of a kind of feature. */
export function seedOf(name: string): number {
  return hash(OFFSET, `${name} `);
}

export type Group = readonly number[];

/** Adds a group of hashes. The sum of the squares of a group's values is its weight, however many features it has. */
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
