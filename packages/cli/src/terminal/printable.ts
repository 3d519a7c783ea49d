/**
 * C0 and C1 controls and DEL, which terminals obey: escape sequences that move the cursor, change the title or write to the clipboard. And
 * the marks that reorder the text around them.
 */
const CONTROLS = /[\p{Cc}\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069\u2028\u2029]/gu;

const KEPT = new Set(["\n", "\t"]);

/** Stored text as a terminal may show it: controls are visible as `\u{1b}`, except for line breaks and tabs. */
export function printable(text: string): string {
  return text.replaceAll("\r\n", "\n").replace(CONTROLS, (control) => (KEPT.has(control) ? control : escapeOf(control)));
}

/** The same on one line, for tables and titles. */
export function printableLine(text: string): string {
  return printable(text).replace(/\s+/g, " ").trim();
}

const escapeOf = (control: string) => `\\u{${(control.codePointAt(0) ?? 0).toString(16)}}`;

/** JSON that parses to the same value and holds no character that a terminal obeys: JSON itself escapes only those below U+0020. */
export function printableJson(value: unknown, indent = 2): string {
  return JSON.stringify(value, null, indent).replace(CONTROLS, (control) =>
    control === "\n" ? control : `\\u${(control.codePointAt(0) ?? 0).toString(16).padStart(4, "0")}`,
  );
}
