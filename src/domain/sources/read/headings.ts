/** Characters of a heading that are kept. */
const MAX_HEADING_CHARACTERS = 200;

/** The headings above a place in a document, the outermost first. */
export type Outline = { levels: readonly number[]; headings: readonly string[] };

export const NO_OUTLINE: Outline = { levels: [], headings: [] };

/** The outline below a new heading: it ends every heading of its own level and of deeper ones. */
export function withHeading({ levels, headings }: Outline, level: number, text: string): Outline {
  const kept = levels.findIndex((other) => other >= level);
  const depth = kept === -1 ? levels.length : kept;
  return { levels: [...levels.slice(0, depth), level], headings: [...headings.slice(0, depth), shortHeading(text)] };
}

/** On one line, cut between characters if it is long. */
export function shortHeading(text: string): string {
  const line = text
    .slice(0, MAX_HEADING_CHARACTERS * 4)
    .replace(/\s+/g, " ")
    .trim();
  return line.length <= MAX_HEADING_CHARACTERS
    ? line
    : `${line
        .slice(0, MAX_HEADING_CHARACTERS - 1)
        .toWellFormed()
        .replace(/\ufffd$/, "")}…`;
}
