import type { Question } from "./questions.ts";

type Hit = { path: string; headings: readonly string[] };

/** The place, from 1, of the first passage of the question's section: its own heading, and none below it. Null if there is none. */
export function rankOf({ path, heading }: Question, hits: readonly Hit[]): number | null {
  const found = hits.findIndex((hit) => hit.path === path && hit.headings.at(-1) === heading);
  return found < 0 ? null : found + 1;
}

/** How many of them are among the first so many. */
export function withinOf(ranks: readonly (number | null)[], count: number): number {
  return ranks.filter((rank) => rank !== null && rank <= count).length;
}
