import { anyCase } from "#core/text/any-case";
import { memorySpans } from "#core/text/memory-fence";
import { alternatives } from "./patterns.ts";

type Span = { start: number; end: number };

/** Replaces quoted words: part of a clause, but not the speaker's words. */
export const QUOTED = "\uFFFC";
const QUOTED_END = /\uFFFC(?=\s+\P{Ll}|\s*$)/gu;
const SENTENCE_END = /[.!?…。！？]/u;
const QUOTE_PAIRS: Readonly<Record<string, string>> = {
  "“": "”",
  "„": "“”",
  "«": "»",
  "»": "«",
  "‹": "›",
  "›": "‹",
  "「": "」",
  "『": "』",
  "《": "》",
  "〈": "〉",
  "〝": "〞〟",
  "‘": "’",
  "‚": "‘’",
  '"': '"',
  "'": "'",
  "`": "`",
  "＂": "＂",
};
const OPENING_QUOTE = new RegExp(`[${Object.keys(QUOTE_PAIRS).join("")}]`, "gu");
const CLOSES_APOSTROPHE_LIKE = "'’";
/** A straight single mark that is not closed within so many units is an apostrophe. */
const SINGLE_QUOTED_UNITS = 300;
const LETTER = /[\p{L}\p{N}]/u;

const CODE_FENCE = /^[ \t]*(```|~~~)/gmu;
const LABELS = alternatives(({ labels }) => labels);
/** Lines that are not the speaker's: quoted mail, indented code, pasted chat lines with a time or a name, lyrics. */
const FOREIGN_LINE = new RegExp(
  anyCase(
    String.raw`^(?:[ \t]*[>＞]|(?: {4,}|\t+)(?![-*•+\d ])|[ \t]*[[(]?\d{1,2}:\d{2}(?::\d{2})?(?: ?[ap]m)?[\])]?[ \t,-]*\p{L}[\p{L} .'-]{0,40}:|[^\n]{0,200}[♪♫🎵🎶]|(?!(?i:${LABELS})[ \t]*:)\p{Lu}[\p{L}.'-]*(?: \p{Lu}[\p{L}.'-]*){0,2} ?:[ \t]+\S).*$`,
    "exact",
  ),
  "gmu",
);
/** A stage direction between asterisks. */
const STAGE_DIRECTION = /(?<![*\p{L}\p{N}])\*(?=\S)[^*\n]{12,400}\*(?!\*)/gu;
const TAG_BLOCK = /<(blockquote|q|cite|code|pre|quote)\b[^>]{0,200}>/giu;
const QUOTED_MAIL = new RegExp(
  `^[ \\t]*(?:-{2,}\\s*(?:${alternatives(({ forwarded }) => forwarded)})\\b|${alternatives(({ mailLines }) => mailLines)})`,
  "imu",
);

/**
 * The text without what is not the speaker's, in the same length: injected memory, code, quoted mail and blocks become line breaks,
 * quotations within a line become U+FFFC. A quotation that is not closed extends to the end of its paragraph.
 */
export function stripQuotedText(text: string): string {
  let stripped = blank(text, memorySpans(text), "\n");
  const mail = QUOTED_MAIL.exec(stripped);
  if (mail !== null) stripped = blank(stripped, [{ start: mail.index, end: stripped.length }], "\n");
  stripped = blank(stripped, codeBlocks(stripped), "\n");
  stripped = blank(stripped, tagBlocks(stripped), "\n");
  stripped = blank(stripped, matches(stripped, FOREIGN_LINE), "\n");
  stripped = blank(stripped, matches(stripped, STAGE_DIRECTION), QUOTED);
  return endQuoted(blank(stripped, quotations(stripped), QUOTED), text);
}

/** A quotation that ends with a full stop also ends the sentence around it, if a new sentence follows. */
function endQuoted(stripped: string, text: string): string {
  return stripped.replace(QUOTED_END, (_quoted, offset: number) =>
    SENTENCE_END.test(text.slice(offset - 1, offset)) ? "." : QUOTED,
  );
}

function blank(text: string, spans: readonly Span[], mark: string): string {
  if (spans.length === 0) return text;
  const parts: string[] = [];
  let from = 0;
  for (const { start, end } of spans) {
    parts.push(text.slice(from, start), mark.repeat(Math.max(0, end - Math.max(start, from))));
    from = Math.max(from, end);
  }
  return parts.join("") + text.slice(from);
}

function matches(text: string, pattern: RegExp): Span[] {
  return [...text.matchAll(pattern)].map((match) => ({ start: match.index, end: match.index + match[0].length }));
}

function codeBlocks(text: string): Span[] {
  const spans: Span[] = [];
  let open: { start: number; mark: string | undefined } | null = null;
  for (const match of text.matchAll(CODE_FENCE)) {
    if (open === null) open = { start: match.index, mark: match[1] };
    else if (open.mark === match[1]) {
      spans.push({ start: open.start, end: match.index + match[0].length });
      open = null;
    }
  }
  return open === null ? spans : [...spans, { start: open.start, end: text.length }];
}

/** Nested blocks count as one, which ends with the last end tag of its name, or with the text. */
function tagBlocks(text: string): Span[] {
  const spans: Span[] = [];
  const lower = text.toLowerCase();
  for (const match of text.matchAll(TAG_BLOCK)) {
    if (match.index < (spans.at(-1)?.end ?? 0)) continue;
    const close = lower.length === text.length ? lower.lastIndexOf(`</${match[1]?.toLowerCase()}`) : -1;
    const after = close > match.index ? text.indexOf(">", close) : -1;
    spans.push({ start: match.index, end: after === -1 ? text.length : after + 1 });
  }
  return spans;
}

function quotations(text: string): Span[] {
  const spans: Span[] = [];
  let limit = 0;
  OPENING_QUOTE.lastIndex = 0;
  for (let match = OPENING_QUOTE.exec(text); match !== null; match = OPENING_QUOTE.exec(text)) {
    const mark = match[0];
    if (!opens(text, match.index, mark)) continue;
    if (limit <= match.index) limit = paragraphEnd(text, match.index);
    const end = closing(text, match.index + 1, limit, QUOTE_PAIRS[mark] ?? mark);
    if (end === -1 && mark === "'") {
      OPENING_QUOTE.lastIndex = match.index + 1;
      continue;
    }
    spans.push({ start: match.index, end: end === -1 ? limit : end + 1 });
    OPENING_QUOTE.lastIndex = end === -1 ? limit : end + 1;
  }
  return spans;
}

/** After a letter or digit, a straight mark is an apostrophe, an inch sign or a closing mark. */
function opens(text: string, at: number, mark: string): boolean {
  return (mark !== "'" && mark !== '"' && mark !== "`") || !LETTER.test(text.charAt(at - 1));
}

/** The closing mark before `limit`, or -1. An apostrophe within a word does not close; a straight single mark closes in its own line only. */
function closing(text: string, from: number, limit: number, marks: string): number {
  const until = marks === "'" ? Math.min(limit, from + SINGLE_QUOTED_UNITS) : limit;
  for (let at = from; at < until; at++) {
    const unit = text.charAt(at);
    if (marks === "'" && unit === "\n") return -1;
    if (marks.includes(unit) && !(CLOSES_APOSTROPHE_LIKE.includes(unit) && LETTER.test(text.charAt(at + 1)))) return at;
  }
  return -1;
}

function paragraphEnd(text: string, from: number): number {
  const end = text.indexOf("\n\n", from);
  return end === -1 ? text.length : end;
}
