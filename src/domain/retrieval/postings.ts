import { type SQL, sql } from "drizzle-orm";
import type { QueryTerm } from "#core/text/query";
import { type RowShape, row, text } from "#db/row";

/** Ids in ascending order without repetitions: the rows that contain a term. */
export type IdList = Float64Array;

/** For a term or a name the ids of the rows that contain it. */
export type Posting = { key: string; ids: IdList };

/** Rows of postings: the ids that the query `ids` selects, which D1 returns as one text. */
export function postings(key: SQL, ids: SQL): RowShape<Posting> {
  return row({
    key: text(key),
    ids: {
      sql: sql`(select group_concat(id) from (${ids}))`,
      decode: (list) => ascending(list === null ? [] : String(list).split(",").map(Number)),
    },
  });
}

/** The ids of each term, in the order of the terms. */
export function idsByTerm(found: readonly Posting[], terms: readonly QueryTerm[]): IdList[] {
  const byTerm = new Map(found.map(({ key, ids }) => [key, ids]));
  return terms.map(({ term }) => byTerm.get(term) ?? NO_IDS);
}

export const NO_IDS: IdList = new Float64Array(0);

/** Sorts only what is not sorted: FTS5 returns rows in the order of their rowids. */
export function ascending(list: ArrayLike<number>): IdList {
  const ids = Float64Array.from(list);
  for (let i = 1; i < ids.length; i++) if (at(ids, i - 1) > at(ids, i)) return ids.sort();
  return ids;
}

/** Merged in pairs, so that ten lists cost four passes. */
export function union(lists: readonly IdList[]): IdList {
  const [first, second] = lists;
  if (first === undefined) return NO_IDS;
  if (second === undefined) return first;
  const half = Math.ceil(lists.length / 2);
  return merge(union(lists.slice(0, half)), union(lists.slice(half)));
}

function merge(a: IdList, b: IdList): IdList {
  const out = new Float64Array(a.length + b.length);
  let n = 0;
  for (let i = 0, j = 0; i < a.length || j < b.length; ) {
    const x = i < a.length ? at(a, i) : Infinity;
    const y = j < b.length ? at(b, j) : Infinity;
    if (x <= y) i++;
    if (y <= x) j++;
    out[n++] = Math.min(x, y);
  }
  return out.subarray(0, n);
}

export function holds(ids: IdList, id: number): boolean {
  return ids[lowerBound(ids, id)] === id;
}

/** The place of the first id that is not below `id`. */
export function lowerBound(ids: IdList, id: number): number {
  let [low, high] = [0, ids.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (at(ids, middle) < id) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** An element whose index is known to be in range. */
export function at(array: Float64Array | Float32Array, index: number): number {
  return array[index] ?? 0;
}
