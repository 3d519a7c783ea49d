import { HAN_LETTERS, LETTERS } from "#core/language/list-words";
import { cleanValue, endOfSentence } from "./clean-value.ts";
import { words } from "./languages.ts";
import type { ListIntro } from "./list-intros.ts";
import { CARDINAL, ORDINALS, rankOf } from "./ordinals.ts";
import { isName, type ListItems, type Part, readSequence } from "./sequence.ts";

const MAX_LIST_CHARACTERS = 4000;
const ITEM = 240;
const AT = `(?<=^|[\\s,;:(.。、；》"\\ufffc${HAN_LETTERS}])`;
const AND = `(?:(?:${words("and", "spaced").replace("&|", "").replace("|&", "")}) )?`;
const is = (verbs: string | undefined) => `(?:,? (?:${verbs})(?![${LETTERS}]))?`;

/** Kinds of markers, the most certain first; a list uses one kind. */
const MARKERS: readonly RegExp[] = [
  `${AT}[([]?(?<n>\\d{1,2})[.)\\]、](?!\\d)[)-]?[ :]*`,
  `${AT}${AND}(?:#|${words("rankWords")})(?<n>${CARDINAL})(?![${LETTERS}\\d])[.):,]?${is(words("is", "spaced"))} ?-? ?`,
  ...ORDINALS.map(({ spaced, lists, source }) =>
    spaced
      ? `${AT}${AND}(?:${lists.beforeOrdinal})?(?<n>${source})(?![${LETTERS}\\d])(?:${lists.afterOrdinal})?[:,.)-]?${is(lists.is)}[ :,-]*`
      : `(?<n>${source})(?:${lists.afterOrdinal})?(?:${lists.is})?[、:,. ]*`,
  ),
  `${AT}(?<n>\\d{1,2})(?: ?[-–—:=] ?| )(?=[^\\s\\d])`,
].map((source) => new RegExp(source, "gu"));
/** A comma that is not part of a name such as "Tyler, The Creator" or "Crosby, Stills & Nash". */
const NAMES = `(?:\\p{Lu}[\\p{L}.'-]*|${words("nameWords")}|&)`;
const REMARK = new RegExp(`[,，](?! ?${NAMES}(?: ${NAMES})*[.!]?$)`, "u");
const BULLET = /^[-*•–·‣◦▪+] ?(?=\S)/u;

/** The ranked values that follow an intro, if their ranks are certain. */
export function readListItems(intro: ListIntro, part: Part): ListItems | null {
  const from = part.from + (/^\s*/.exec(part.text.slice(part.from, part.to))?.[0].length ?? 0);
  const to = Math.min(part.to, from + MAX_LIST_CHARACTERS);
  const bounded = { text: part.text, normalizedText: part.normalizedText.slice(0, to), from, to };
  const marked = MARKERS.map((marker) => readMarked(marker, bounded)).find((rest) => rest !== null) ?? null;
  if (marked !== null && marked.items.length > 1) return marked;
  return readBullets(bounded) ?? readSequence(intro, bounded) ?? marked;
}

/** The one value that follows "my third favorite color is". */
export function readSingle(rank: number, part: Part): ListItems | null {
  const sentence = clause(part.text.slice(part.from, Math.min(part.to, part.from + ITEM)));
  const value = cleanValue(sentence);
  if (value === null || !isName(value)) return null;
  return { items: [{ rank, value }], whole: false, from: part.from, end: part.from + sentence.length };
}

type Mark = { rank: number; at: number; end: number };

function readMarked(marker: RegExp, part: Part): ListItems | null {
  const { marks, to } = marksOf(marker, part);
  const [first] = marks;
  if (first === undefined) return null;
  const raws = marks.map(({ end }, i) =>
    lastTrimmed(
      part.text.slice(end, Math.min(marks[i + 1]?.at ?? to, end + 2 * ITEM)),
      i === marks.length - 1,
      isLines(marks, part),
    ),
  );
  const items = marks.flatMap(({ rank }, i) => {
    const value = cleanValue(raws[i] ?? "");
    return value === null || (/\?/.test(raws[i]?.split("\n")[0] ?? "") && value.split(" ").length < 3) ? [] : [{ rank, value }];
  });
  const ranks = items.map(({ rank }) => rank).toSorted((a, b) => a - b);
  const whole = items.length > 1 && items.length === marks.length && ranks.every((rank, i) => rank === i + 1);
  const last = marks.at(-1)?.end ?? first.end;
  return items.length === 0 ? null : { items: items.toSorted((a, b) => a.rank - b.rank), whole, from: first.at, end: last };
}

/** Markers that count up or down by one, from the beginning of the part. */
function marksOf(marker: RegExp, { normalizedText, from, to }: Part): { marks: Mark[]; to: number } {
  const marks: Mark[] = [];
  let step = 0;
  marker.lastIndex = from;
  for (let match = marker.exec(normalizedText); match !== null && match.index < to; match = marker.exec(normalizedText)) {
    const last = marks.at(-1);
    if (match.index > (last?.end ?? from) + (last === undefined ? 0 : ITEM)) break;
    const rank = rankOf(match.groups?.n ?? "");
    if (rank === null) continue;
    if (last === undefined || isNext(rank - last.rank, step)) {
      if (last !== undefined) step = rank - last.rank;
      marks.push({ rank, at: match.index, end: match.index + match[0].length });
    } else if (rank === 1) return { marks, to: match.index };
  }
  return { marks, to };
}

function isNext(difference: number, step: number): boolean {
  return step === 0 ? Math.abs(difference) === 1 : difference === step;
}

function isLines(marks: readonly Mark[], { text }: Part): boolean {
  return marks.every(({ at }, i) => i === 0 || text.charAt(at - 1) === "\n");
}

/** In running text the sentence continues after the last value: a comma ends the value, unless a name continues. */
function lastTrimmed(raw: string, isLast: boolean, lines: boolean): string {
  if (!isLast || lines) return raw;
  const line = raw.split("\n")[0] ?? "";
  const sentence = line.slice(0, endOfSentence(line) + 1);
  const comma = REMARK.exec(sentence)?.index;
  return comma === undefined ? sentence : sentence.slice(0, comma) + (sentence.endsWith("?") ? "?" : "");
}

function readBullets({ text, from, to }: Part): ListItems | null {
  if (!BULLET.test(text.slice(from, from + 4))) return null;
  const rest = text.slice(from, to);
  const inline = rest.startsWith("•") && (rest.split("\n")[0]?.match(/•/g)?.length ?? 0) > 1;
  const raws = inline ? (rest.split("\n")[0] ?? "").split("•").slice(1) : bulletLines(rest);
  const values = raws.map(cleanValue);
  const items = values.flatMap((value, i) => (value === null ? [] : [{ rank: i + 1, value }]));
  if (items.length < 2 || items.length < values.length) return null;
  return { items, whole: true, from, end: to };
}

function bulletLines(rest: string): string[] {
  const lines = rest.split("\n");
  const end = lines.findIndex((line, i) => line !== "" && !BULLET.test(line) && i > 0);
  return lines.slice(0, end < 0 ? lines.length : end).flatMap((line) => (BULLET.test(line) ? [line.replace(BULLET, "")] : []));
}

function clause(text: string): string {
  const line = text.split("\n")[0] ?? "";
  const sentence = line.slice(0, endOfSentence(line));
  const comma = REMARK.exec(sentence)?.index;
  return comma === undefined ? sentence : sentence.slice(0, comma);
}
