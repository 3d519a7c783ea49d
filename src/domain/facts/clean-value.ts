import { toNormalizedText } from "#core/language/folded";
import { alternatives } from "#core/language/patterns";
import { words } from "./languages.ts";

const MAX_VALUE = 100;
const MAX_WORDS = 12;

/** The end of a sentence; not the period of an abbreviation. */
export const SENTENCE_END = new RegExp(
  `(?<![\\s.]\\p{L}|^\\p{L}|\\b(?:${alternatives(({ abbreviations }) => abbreviations)}|feat|vol|pt))\\.(?=[\\s"]|$)|[!?](?=[\\s"]|$)|[。！？；;\\ufffc]`,
  "u",
);
/** The beginning of a reason, a contrast or another sentence. */
const ASIDE = new RegExp(
  `(?:,? (?:${words("aside", "spaced")})(?![\\p{L}\\p{N}'])| (?:${words("insteadOf")})(?![\\p{L}\\p{N}'])|, (?:${words("remarkAfterComma")})(?![\\p{L}\\p{N}'])| [-–—]+ |(?:,|，)? ?(?:${words("aside", "unspaced")}))`,
  "u",
);
/** One filler, mark or emoji after a value. */
const NOISE = new RegExp(
  `(?:[\\s,;:.!?、。，…~"]{1,40}|(?<!\\p{L})(?:${words("noise")})(?!\\p{L})|\\p{Extended_Pictographic}|\\ufe0f|\\u200d|<3|[:;]-?[)DPp(])$`,
  "u",
);
/** Fillers are removed one by one; none is longer. */
const NOISE_UNITS = 40;
const LEADING = new RegExp(`^(?:[\\s,;:.="–—-]|(?:${words("leading", "spaced")})(?= )|${words("leading", "unspaced")})+`, "i");
const EMPTY = new RegExp(`^(?:${words("noValue")})$`);
const NOT_A_VALUE = new RegExp(words("notAValue"), "u");

/** The value of a list item, without marks, comments and punctuation; null if it states nothing certain. */
export function cleanValue(raw: string): string | null {
  const line = withoutComments((raw.split("\n")[0] ?? "").slice(0, 400));
  const end = cutAside(line.slice(0, endOfSentence(line)));
  const value = withoutNoise(end.replace(LEADING, "").replace(/^["《\s]+|(?<!["》\s])["》\s]+$/g, ""))
    .replace(/(?<![》"])[》"]+$/g, "")
    .replace(/^[*•_]+ ?/, "")
    .trim();
  return isValue(value) ? value : null;
}

function withoutNoise(text: string): string {
  let length = text.length;
  for (let before = -1; before !== length; ) {
    before = length;
    length -= NOISE.exec(text.slice(Math.max(0, length - NOISE_UNITS), length))?.[0].length ?? 0;
  }
  return text.slice(0, length);
}

export function endOfSentence(text: string): number {
  return SENTENCE_END.exec(text)?.index ?? text.length;
}

function isValue(value: string): boolean {
  const normalizedText = toNormalizedText(value);
  if (value.length === 0 || value.length > MAX_VALUE || value.split(" ").length > MAX_WORDS) return false;
  return /[\p{L}\p{N}\p{Extended_Pictographic}]/u.test(value) && !EMPTY.test(normalizedText) && !NOT_A_VALUE.test(normalizedText);
}

/** Removes remarks in brackets; a year, a country or a ticker ("(US)", "(BTC)") is part of the name. */
function withoutComments(text: string): string {
  return text.replace(/ ?\(([^()]{0,200})\)/g, (whole, inner: string) =>
    /^(?:[A-Z]{2,5}|(?:19|20)\d\d(?:-\d*)?)$/.test(inner) ? whole : "",
  );
}

function cutAside(text: string): string {
  const at = ASIDE.exec(toNormalizedText(text))?.index ?? text.length;
  return /^,? ?\p{Lu}/u.test(text.slice(at)) ? text : text.slice(0, at);
}
