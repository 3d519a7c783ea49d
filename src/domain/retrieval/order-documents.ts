import type { Cosines } from "#core/rank/cut";
import type { Fused } from "#core/rank/ranking";
import type { HitRef } from "./hit.ts";

/**
 * The weight of vectors beside words among passages of documents. A passage is so long that it has some words of most questions, so words say
 * less than of a message. Measured with the built-in embedder on thirty questions about the project's own documentation (docs/benchmarks.md).
 */
const VECTOR_WEIGHT = 1;

/**
 * Orders passages of documents among themselves by words and vectors, each on the scale of these passages. They share out the places that they
 * have among the other hits, with the scores of these places, so that what was said and is known keeps its own.
 */
export function orderDocuments(fused: readonly Fused<HitRef>[], ideal: number): Fused<HitRef>[] {
  const documents = fused.filter(({ kind }) => kind === "chunk");
  const cosines = documents.flatMap(({ channels: { semantic } }) => semantic?.score ?? []);
  if (cosines.length === 0) return [...fused];
  const [lowest, highest] = [Math.min(...cosines), Math.max(...cosines)];
  const matchOf = ({ channels: { text, semantic } }: Fused) =>
    (text?.score ?? 0) / Math.max(ideal, Number.MIN_VALUE) +
    (semantic === undefined ? 0 : (VECTOR_WEIGHT * (semantic.score - lowest)) / Math.max(highest - lowest, Number.MIN_VALUE));
  const ordered = documents
    .map((entry) => ({ entry, match: matchOf(entry) }))
    .sort((a, b) => b.match - a.match)
    .map(({ entry }) => entry);
  let next = 0;
  return fused.map((place) => {
    const entry = place.kind === "chunk" ? ordered[next++] : undefined;
    return entry === undefined ? place : { ...entry, score: place.score };
  });
}

/** In a context a passage of a document has this share of the question's words, or a cosine so much above that of unrelated texts. */
const LEAST_WORDS = 0.4;
const LEAST_NEAR = 0.2;

/**
 * Without the passages of documents that have little of the question. Chosen by looking at ten questions of daily life and the thirty about
 * the documentation, with the built-in embedder. `cosines` is null for vectors of letters, whose cosines say nothing.
 */
export function cutDocuments(
  fused: readonly Fused<HitRef>[],
  { ideal, cosines }: { ideal: number; cosines: Cosines | null },
): Fused<HitRef>[] {
  const nearFrom = cosines === null ? Number.POSITIVE_INFINITY : Math.max(cosines.floor, cosines.unrelated) + LEAST_NEAR;
  return fused.filter(
    ({ kind, channels: { text, semantic } }) =>
      kind !== "chunk" || (text?.score ?? 0) >= LEAST_WORDS * ideal || (semantic?.score ?? 0) >= nearFrom,
  );
}
