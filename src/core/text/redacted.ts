/** Stands in place of each redacted UTF-16 unit, so that offsets into the text stay. */
export const FILLED_MARK = "\u2588";
const FILL = FILLED_MARK;
const FILLED = /\u2588+/gu;

export type Span = { start: number; end: number };

/** The text with these spans redacted. */
export function redactSpans(text: string, spans: readonly Span[]): string {
  return spans.reduce(
    (left, { start, end }) => left.slice(0, start) + FILL.repeat(Math.max(0, end - start)) + left.slice(Math.max(start, end)),
    text,
  );
}

/** The text with these words back where they were redacted. */
export function restoreWords(text: string, { start, words }: { start: number; words: string }): string {
  const put = [...words.split("").entries()].map(([i, unit]) =>
    text.charAt(start + i) === FILL ? unit : text.charAt(start + i),
  );
  return text.slice(0, start) + put.join("") + text.slice(start + words.length);
}

/** Whether nothing is left of a text but what was redacted, and marks. */
export function isRedacted(text: string): boolean {
  return text.includes(FILL) && !/[\p{L}\p{N}]/u.test(text);
}

/** Whether a text is the stored one, as far as that was not redacted. */
export function isSameButRedacted(stored: string, text: string): boolean {
  if (stored.length !== text.length || !stored.includes(FILL)) return stored === text;
  return stored.split("").every((unit, i) => unit === FILL || unit === text.charAt(i));
}

/** The text as a model reads it: one mark in place of each redacted stretch. */
export function shortenRedacted(text: string): string {
  return text.replace(FILLED, "[…]");
}
