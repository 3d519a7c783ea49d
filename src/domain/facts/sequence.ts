import { toNormalizedText } from "#core/language/folded";
import { cleanValue, endOfSentence } from "./clean-value.ts";
import type { ListIntro } from "./list-intros.ts";
import { ORDINAL, rankOf } from "./ordinals.ts";

export type Item = { rank: number; value: string };
/** `end`: the offset at which the last value begins, from which the text after the list is read. */
export type ListItems = { items: Item[]; whole: boolean; from: number; end: number };
/** A part of a message, with the normalized text of the whole message. */
export type Part = { text: string; normalizedText: string; from: number; to: number };

const CLAUSE_START =
  /^(?:i|i'm|we|he|she|they|you|it|there|my|your|his|her|that|this|which|what|who|when|if|ich|wir|er|sie|es|du|mein\p{L}*|yo|mi|je|tu|il|elle|on|mon|ma|getting|becoming|being|going|changing|based|very|so|too|really|all|both|much|quite|always|dont|don't|no|keine?|got|to|had|have|was|were|went|hard|easy|difficult|tough|impossible|the same|either|whatever|up to|different) /u;
const NO_NAME = /^(?:that|this|it|which|what|who|there|he|she|they|something|anything|one|的)$/u;
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
    !(value === lower && / (?:or|oder|ou) /.test(lower))
  );
}

const SENTENCE = 600;
const THEN =
  /(?:,? ?(?:(?:and|und|y|et) )?(?:then|next up|next(?! (?:to|week|month|year|time|door|day))|followed (?:closely )?by|after that|afterwards|finally|lastly|dann|danach|gefolgt von|anschliessend|anschließend|schliesslich|schließlich|zuletzt|zum schluss|luego|despues|seguid[oa]s? (?:del?|por)|por ultimo|finalmente|puis|ensuite|suivie?s? (?:de|du|des|par)|enfin|apres)(?: (?:comes|come|is|it's|by|kommt|ist|viene|vient|el|la|le))?(?:[ ,:]+)|,?(?:然后|然後|其次|再次|再来|再(?=是)|接着|接下来|最后|最後|之后)(?:才?是|就是)?[, ]?| ?(?:>+|(?<!-)-+>|=>|→|➡️?) ?)/gu;
const FIRST =
  /^(?:first(?:ly)?(?: of all)?|to start|zuerst|als erstes|primero|en primer lugar|d'abord|en premier|首先)(?:是)?[ ,:]*/u;
const IN_ORDER =
  /,? ?\(?(?:in (?:that|this|exactly that) order|in order|ranked|in dieser reihenfolge|en (?:ese|este) orden|dans cet ordre|按(?:这个)?顺序)\)?\s*$/u;
/** Words that end the list and begin another clause. */
const ELSE =
  /,? (?:but|and (?:i|my|you|your|he|she|they|we|that's|it's)|while|whereas|although|though|so|which|aber|und (?:ich|mein\w*)|pero|y (?:mi|mis|yo)|mais|et (?:je|mon|ma|mes|toi))(?![\p{L}])/u;
const COMMA = /, ?(?:(?:and|und|y|et) )?|、|，| ?;/u;
const AND = / (?:and|und|y|et|&) |和|以及/u;
const PLACE = new RegExp(
  ` (?:is |ist |es |est )?(?:in |on |auf |an |en )?(?:the )?(?<n>${ORDINAL.en}|${ORDINAL.de}|${ORDINAL.es}|${ORDINAL.fr}|last|zuletzt|al final|en dernier)(?: place| spot| platz| stelle| lugar)?$`,
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

/** After the last "then", a comma begins a remark, unless one word or "and" follows it. */
function lastParts(segment: string): string[] {
  const comma = /[,，、](?! ?(?:and|und|y|et) | ?[^\s,]{1,60}$)/u.exec(segment);
  return (comma === null ? segment : segment.slice(0, comma.index)).split(COMMA);
}

function placeOf(part: string): { value: string; rank: number | "last" | null } {
  const match = PLACE.exec(toNormalizedText(part.trimEnd()));
  const word = match?.groups?.n;
  if (match === null || word === undefined) return { value: part, rank: null };
  return { value: part.trimEnd().slice(0, match.index), rank: rankOf(word) ?? "last" };
}
