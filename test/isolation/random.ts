/** A source of chance that a seed decides. */
export type Random = {
  /** 0 to n - 1. */
  below: (n: number) => number;
  chance: (probability: number) => boolean;
  pick: <T>(values: readonly T[]) => T;
  /** undefined of an empty list. */
  maybe: <T>(values: readonly T[]) => T | undefined;
  /** Each of the values with this probability, in their order. */
  some: <T>(values: readonly T[], probability: number) => T[];
};

/** Mulberry32, by Tommy Ettinger. */
export function randomOf(seed: number): Random {
  let state = seed | 0;
  const next = () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const below = (n: number) => Math.floor(next() * n);
  const maybe = <T>(values: readonly T[]) => values[below(values.length)];
  return {
    below,
    maybe,
    chance: (probability) => next() < probability,
    pick: (values) => {
      const value = maybe(values);
      if (value === undefined) throw new RangeError("Nothing to pick from.");
      return value;
    },
    some: (values, probability) => values.filter(() => next() < probability),
  };
}
