import { trailingIn } from "#core/language/sentences";

/** UTF-16 offsets into a message. */
export type Span = { start: number; end: number };

const MAX_UNITS = 500;
/** Words before a statement that are no part of it. */
const LEADING =
  /^(?:[\s,;:.!?…)("“*_~、，。！；–—-]+|(?:and|but|so|also|plus|anyway|anyways|oh|ok|okay|well|btw|yeah|yes|no(?=,)|ah|hi|hey|hello|um|uh|er|right|look|listen|und|aber|also|ach|ja|übrigens|naja|y|pero|pues|bueno|ah|oye|hola|et|mais|bon|alors|oui|donc|ben|bah|salut)(?=[\s,.!:;…]))/iu;

/** The statement without punctuation and fillers at either end, at most 500 UTF-16 units of whole words; null if nothing is left. */
export function trimSpan(text: string, { start, end }: Span): Span | null {
  let from = start;
  for (let lead = LEADING.exec(text.slice(from, end)); lead !== null && from < end; lead = LEADING.exec(text.slice(from, end)))
    from += lead[0].length;
  const words = text.slice(from, end);
  let length = words.length - trailingIn(words);
  if (length > MAX_UNITS) {
    const space = words.lastIndexOf(" ", MAX_UNITS);
    length = space > 0 ? space : MAX_UNITS;
  }
  return /[\p{L}\p{N}]/u.test(words.slice(0, length)) ? { start: from, end: from + length } : null;
}

/** How many units are in both. */
export function sharedUnits(a: Span, b: Span): number {
  return Math.max(0, Math.min(a.end, b.end) - Math.max(a.start, b.start));
}

/**
 * Finds those of many spans that share units with another, without a walk through all of them. Where one is much longer than those inside it,
 * they are walked through.
 */
export function spansAround<T extends Span>(spans: readonly T[]): (span: Span) => T[] {
  const sorted = spans.toSorted((a, b) => a.start - b.start);
  /** The last end of those up to here: never less than the one before. */
  let last = 0;
  const ends = sorted.map(({ end }) => (last = Math.max(last, end)));
  return ({ start, end }) => {
    const found: T[] = [];
    for (let at = firstAfter(ends, start); at < sorted.length; at += 1) {
      const span = sorted[at];
      if (span === undefined || span.start >= end) break;
      if (span.end > start) found.push(span);
    }
    return found;
  };
}

/** The place of the first number greater than another, of numbers in order. */
function firstAfter(numbers: readonly number[], than: number): number {
  let [from, to] = [0, numbers.length];
  while (from < to) {
    const middle = (from + to) >> 1;
    if ((numbers[middle] ?? 0) > than) to = middle;
    else from = middle + 1;
  }
  return from;
}
