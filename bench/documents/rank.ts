import type { Section } from "./questions.ts";

type Hit = { path: string; headings: readonly string[]; text: string };

/** The place, from 1, of the first passage of one of the sections: its own heading, and none below it. Null if there is none. */
export function rankOf(sections: readonly Section[], hits: readonly Hit[]): number | null {
  return placeOf(hits, (hit) => sections.some(({ path, heading }) => hit.path === path && hit.headings.at(-1) === heading));
}

/** The same, where a passage that several short sections share counts as a passage of each. */
export function rankWithShared(sections: readonly Section[], hits: readonly Hit[]): number | null {
  return placeOf(hits, (hit) =>
    sections.some(
      ({ path, heading }) => hit.path === path && (hit.headings.at(-1) === heading || headingsIn(hit.text).has(heading)),
    ),
  );
}

/** How many of them are among the first so many. */
export function withinOf(ranks: readonly (number | null)[], count: number): number {
  return ranks.filter((rank) => rank !== null && rank <= count).length;
}

function placeOf(hits: readonly Hit[], isFound: (hit: Hit) => boolean): number | null {
  const found = hits.findIndex(isFound);
  return found < 0 ? null : found + 1;
}

/** The headings of a text in Markdown, without the marks of code, emphasis and links. */
export function headingsIn(markdown: string): Set<string> {
  return new Set(
    markdown.split("\n").flatMap((line) => /^#+ (.*)/.exec(line)?.[1]?.replace(/[*`]|\[(?=[^\]]*\]\()|\]\([^)]*\)/g, "") ?? []),
  );
}
