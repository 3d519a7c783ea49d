import type { Utterance } from "#core/language/utterance";

/** What the order of an item depends on. */
export type Arrangeable = {
  id: string;
  kind: "memory" | "episode" | "entity" | "chunk";
  text: string;
  /** ISO 8601. */
  occurredAt: string;
  episodeId: string | null;
  isInstruction: boolean;
  /** Whether it is a message that names somebody else than the user as its speaker. */
  isOfOther: boolean;
  /** A memory that has to stand before it, by its id. */
  behind: string | null;
  /** The cosine of its vector and the question's; null where it is not known. */
  likeness: number | null;
  view: { role: string | null; score: number; sessionId: string | null };
};

/** An item beside what was read in it. */
export type Line<I> = { item: I; utterance: Utterance; score: number; at: number; isStatement: boolean };

export function newestFirst(a: Line<Arrangeable>, b: Line<Arrangeable>): number {
  return b.at - a.at;
}
