import truncatedWidth from "fast-string-truncated-width";
import stringWidth from "fast-string-width";

/** Columns that a text takes in a terminal: two for Chinese characters and emoji, none for combining marks. */
export const widthOf = (text: string): number => stringWidth(text);

/** Cut to a number of columns, with an ellipsis if anything is missing. */
export function fit(text: string, columns: number): string {
  const { index, truncated, ellipsed } = truncatedWidth(text, { limit: columns, ellipsis: "…" });
  return truncated ? text.slice(0, index) + (ellipsed ? "…" : "") : text;
}

export const pad = (text: string, columns: number): string => text + " ".repeat(Math.max(0, columns - widthOf(text)));

/** Breaks at spaces, and inside a word that is longer than a line. Line breaks of the text stay. */
export function wrap(text: string, columns: number): string[] {
  return text.split("\n").flatMap((line) => wrapLine(line, Math.max(columns, 10)));
}

function wrapLine(line: string, columns: number): string[] {
  const lines: string[] = [];
  let current = "";
  for (const word of line.split(/(?<=\s)/)) {
    if (widthOf((current + word).trimEnd()) <= columns) {
      current += word;
      continue;
    }
    if (current !== "") lines.push(current.trimEnd());
    const parts = breakWord(word, columns);
    current = parts.pop() ?? "";
    lines.push(...parts);
  }
  return [...lines, current.trimEnd()];
}

function breakWord(word: string, columns: number): string[] {
  const parts: string[] = [];
  let rest = word;
  while (widthOf(rest.trimEnd()) > columns) {
    const { index } = truncatedWidth(rest, { limit: columns });
    parts.push(rest.slice(0, index));
    rest = rest.slice(index);
  }
  return [...parts, rest];
}
