import { type Counted, termValues } from "#core/rank/term-values";
import type { QueryTerm } from "#core/text/query";
import { at, holds, type IdList, union } from "./id-list.ts";

export type RankedMemory = { id: number; score: number; terms: readonly number[] };

/** What a memory about a named person scores that shares no word with the question, as a part of all. */
const ABOUT_ONLY = 0.1;

/**
 * BM25 over binary presence, as episodes are ranked (`rankByPresence`), on the same scale: a term counts by how rare it is among
 * episodes and memories together. A memory has no neighbours.
 */
export function rankMemories(input: {
  terms: readonly QueryTerm[];
  postings: readonly IdList[];
  about: IdList;
  counted: Counted;
  limit: number;
}): RankedMemory[] {
  const { terms, postings, about, counted, limit } = input;
  const values = termValues(terms, counted);
  const everything = values.reduce((sum, value) => sum + value, 0);
  const ids = union([...postings, about]);
  const ranked: RankedMemory[] = [];
  for (let i = 0; i < ids.length; i++) {
    const id = at(ids, i);
    const parts = values.map((value, term) => (holds(postings[term] ?? new Float64Array(0), id) ? value : 0));
    const score = parts.reduce((sum, part) => sum + part, 0);
    ranked.push({ id, terms: parts, score: score > 0 ? score : everything * ABOUT_ONLY });
  }
  return ranked.sort((a, b) => b.score - a.score || b.id - a.id).slice(0, limit);
}
