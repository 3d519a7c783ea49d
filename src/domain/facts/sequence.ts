import { toNormalizedText } from "#core/language/folded";
import { cleanValue, endOfSentence } from "./clean-value.ts";
import { LANGUAGES, words } from "./languages.ts";
import type { ListIntro } from "./list-intros.ts";
import { ORDINALS, rankOf } from "./ordinals.ts";

export type Item = { rank: number; value: string };
/** `end`: the offset at which the last value begins, from which the text after the list is read. */
export type ListItems = { items: Item[]; whole: boolean; from: number; end: number };
/** A part of a message, with the normalized text of the whole message. */
export type Part = { text: string; normalizedText: string; from: number; to: number };

const CLAUSE_START = new RegExp(`^(?:${words("clauseStart")}) `, "u");
const NO_NAME = new RegExp(`^(?:${words("noName")})$`, "u");
const OR = new RegExp(` (?:${words("or")}) `, "u");
const NAME_WORDS = 7;

/** Whether the value can be a name rather than a clause; in a title the second word has a capital letter. */
export function isName(value: string): boolean {
  const lower = value.toLowerCase();
  const title = /^\p{Lu}\S* \p{Lu}/u.test(value);
  return (
    value.split(" ").length <= NAME_WORDS &&
    !NO_NAME.test(lower) &&
    !/: /.test(value) &&
    (title || !CLAUSE_START.test(lower)) &&
    !(value === lower && OR.test(lower))
  );
}

const SENTENCE = 600;
const JOINS = words("and", "spaced");
const THEN = new RegExp(
  `(?:,? ?(?:(?:${JOINS}) )?(?:${words("next", "spaced")})(?: (?:${words("comes")}))?(?:[ ,:]+)|,?(?:${words("next", "unspaced")})[, ]?| ?(?:>+|(?<!-)-+>|=>|→|➡️?) ?)`,
  "gu",
);
const FIRST = new RegExp(`^(?:${words("firstly")})[ ,:]*`, "u");
const IN_ORDER = new RegExp(`,? ?\\(?(?:${words("inOrder")})\\)?\\s*$`, "u");
/** Words that end the list and begin another clause. */
const ELSE = new RegExp(`,? (?:${words("otherwise")})(?![\\p{L}])`, "u");
const COMMA = new RegExp(`, ?(?:(?:${JOINS}) )?|、|，| ?;`, "u");
const AND = new RegExp(` (?:${JOINS}) |${words("and", "unspaced")}`, "u");
/** After the last "then", a comma begins a remark, unless one word or "and" follows it. */
const LAST_REMARK = new RegExp(`[,，、](?! ?(?:${JOINS}) | ?[^\\s,]{1,60}$)`, "u");
const placed = (name: "before" | "last" | "after") => LANGUAGES.flatMap(({ lists }) => lists.placed?.[name] ?? []).join("|");
const PLACE = new RegExp(
  ` (?:${placed("before")})(?<n>${ORDINALS.flatMap(({ spaced, source }) => (spaced ? source : [])).join("|")}|${placed("last")})(?:${placed("after")})?$`,
  "u",
);

/** "Blue, then green, then black", "blue first, green second", and plain lists whose order was announced. */
export function readSequence(intro: ListIntro, part: Part): ListItems | null {
  const sentence = sentenceOf(intro, part);
  const order = IN_ORDER.exec(toNormalizedText(sentence));
  const text = order === null ? sentence : sentence.slice(0, order.index);
  const opening = FIRST.exec(toNormalizedText(text))?.[0].length ?? 0;
  const { parts, stepped } = split(text.slice(opening));
  const placed = parts.map(placeOf);
  if (placed.some(({ rank }, i) => rank !== null && rank !== "last" && rank !== i + 1)) return null;
  if (placed.some(({ rank }, i) => rank === "last" && i !== placed.length - 1)) return null;
  const certain =
    stepped || intro.ordered || order !== null || placed[0]?.rank === 1 || (intro.top !== null && intro.top === parts.length);
  const values = placed.map(({ value }) => cleanValue(value));
  const items = values.flatMap((value, i) => (value !== null && isName(value) ? [{ rank: i + 1, value }] : []));
  if (!certain || items.length < 2 || items.length < values.length) return null;
  return { items, whole: true, from: part.from, end: part.from + sentence.length };
}

/** The sentence that lists the values; where lines follow an announced order, the lines. */
function sentenceOf(intro: ListIntro, { text, normalizedText, from, to }: Part): string {
  const rest = text.slice(from, Math.min(to, from + SENTENCE));
  if ((intro.ordered || intro.top !== null) && text.charAt(from - 1) === "\n")
    return (rest.split("\n\n")[0] ?? "").replaceAll("\n", ", ");
  const line = rest.split("\n")[0] ?? "";
  const sentence = line.slice(0, endOfSentence(line));
  const other = ELSE.exec(normalizedText.slice(from, from + sentence.length))?.index;
  return other === undefined ? sentence : sentence.slice(0, other);
}

function split(text: string): { parts: string[]; stepped: boolean } {
  const normalizedText = toNormalizedText(text);
  const steps = [...normalizedText.matchAll(THEN)];
  const starts = [0, ...steps.map(({ index, 0: step }) => index + step.length)];
  const segments = starts.map((start, i) => text.slice(start, steps[i]?.index ?? text.length));
  const parts = segments
    .flatMap((segment, i) => (i > 0 && i === segments.length - 1 ? lastParts(segment) : segment.split(COMMA)))
    .filter((each) => each.trim() !== "");
  if (steps.length > 0) return { parts, stepped: true };
  const last = parts.at(-1) ?? "";
  return { parts: [...parts.slice(0, -1), ...last.split(AND)], stepped: false };
}

function lastParts(segment: string): string[] {
  const comma = LAST_REMARK.exec(segment);
  return (comma === null ? segment : segment.slice(0, comma.index)).split(COMMA);
}

function placeOf(part: string): { value: string; rank: number | "last" | null } {
  const match = PLACE.exec(toNormalizedText(part.trimEnd()));
  const word = match?.groups?.n;
  if (match === null || word === undefined) return { value: part, rank: null };
  return { value: part.trimEnd().slice(0, match.index), rank: rankOf(word) ?? "last" };
}
