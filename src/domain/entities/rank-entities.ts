import { type Counted, type Ref, type Scored, termValues } from "#core/rank/ranking";
import { analyse } from "#core/text/analyse";
import type { QueryAnalysis, QueryTerm } from "#core/text/query";
import { STOP_WORDS } from "#core/text/stop-words";

export type RankedEntity = Scored<Ref<"entity">>;

/** BM25 over binary presence: a term counts by how rare it is among the project's entities. Equal scores: the newer first. */
export function rankByWords(
  terms: readonly QueryTerm[],
  postings: readonly (readonly number[])[],
  limit: number,
): { ranked: RankedEntity[]; ideal: number } {
  const values = termValues(terms, countedIn(postings));
  const scores = new Map<number, number>();
  for (const [i, ids] of postings.entries()) for (const id of ids) scores.set(id, (scores.get(id) ?? 0) + (values[i] ?? 0));
  return { ranked: best(scores, limit), ideal: values.reduce((sum, value) => sum + value, 0) };
}

function countedIn(postings: readonly (readonly number[])[]): Counted {
  return { holders: postings.map((ids) => ids.length), total: new Set(postings.flat()).size };
}

function best(scores: ReadonlyMap<number, number>, limit: number): RankedEntity[] {
  return [...scores]
    .map(([id, score]) => ({ kind: "entity" as const, id, score }))
    .sort((a, b) => b.score - a.score || b.id - a.id)
    .slice(0, limit);
}

/**
 * Ranks entities whose full name is in the question above similar ones, by adding the score of a match of the whole question. Plausible,
 * not measured.
 */
export function boostNamed(
  question: QueryAnalysis,
  { ranked, ideal }: { ranked: readonly RankedEntity[]; ideal: number },
  nameOf: (id: number) => string,
): RankedEntity[] {
  return ranked
    .map(({ kind, id, score }) => ({ kind, id, score: isNamed(question, nameOf(id)) ? score + ideal : score }))
    .sort((a, b) => b.score - a.score || b.id - a.id);
}

/** Whether the question contains every word of a name, stop words aside. */
export function isNamed({ words }: QueryAnalysis, name: string): boolean {
  const asked = new Set(words);
  const needed = analyse(name).filter((word) => !STOP_WORDS.has(word));
  return needed.length > 0 && needed.every((word) => asked.has(word));
}
