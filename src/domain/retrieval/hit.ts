import type { Ref, Scored } from "#core/rank/ranking";
import type { Factor } from "./boost.ts";
import type { VisibleChunk } from "./find-chunks.ts";
import type { VisibleEpisode } from "./find-episodes.ts";
import type { VisibleMemory } from "./find-memories.ts";

/**
 * The kinds of rows that one search ranks together. To add a kind: a name here and in `schemas.ts` (`kinds`), a file that finds and loads
 * its rows (as `find-memories.ts` does) and is called by `retrieve-candidates.ts`, its vectors in `retrieve-vectors.ts`, its factors in
 * `boost.ts` and its form in `view.ts`. A kind that belongs to projects and is not ranked beside messages has its own search, as entities do.
 */
export type HitKind = "episode" | "memory" | "chunk";

/** The id of a passage of an episode, of a memory, or of a passage of a document (`chunk`). */
export type HitRef = Ref<HitKind>;

/** A match by words: the score by term, in the order of the question's terms, and whether it is about a person whom the question names. */
export type WordHit = Scored<HitRef> & { terms: readonly number[]; isAboutNamed: boolean };

/** A hit that the viewer may see. */
export type Found = VisibleEpisode | VisibleMemory | VisibleChunk;

/** When it was said, has been valid since, or was changed last; Unix milliseconds. */
export function timeOf(hit: Found): number {
  switch (hit.kind) {
    case "episode":
      return hit.occurredAt;
    case "memory":
      return hit.memory.validFrom;
    case "chunk":
      return hit.updatedAt;
  }
}

export type RankedHit = Found & {
  score: number;
  factors: readonly Factor[];
  /** How many near-duplicates of it were left out. */
  similar: number;
  channels: Record<string, { rank: number; score: number }>;
  /** A newer statement has replaced a part of what it says: the memory with the current value, by its public id, if there is one. */
  older?: { by: string | null };
};
