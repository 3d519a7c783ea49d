import type { ContextView } from "../../src/domain/injection/schemas.ts";

/** What a context has to show for a question. */
export type Wanted = { part: "chats"; needed: string[][] } | { part: "updates"; current: string[]; stale: string[] };

/** A question of an outside author, and what a service considered for it. */
export type AskedTalk = Wanted &
  NonNullable<ContextView["explain"]>["considered"] & {
    author: string;
    embedder: string;
    question: string;
  };

/** The words of what is needed, for each thing. */
export function neededBy(talk: Wanted): string[][] {
  return talk.part === "chats" ? talk.needed : [talk.current];
}
