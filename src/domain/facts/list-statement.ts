import { toNormalizedText } from "#core/language/folded";
import { materialOf } from "#core/language/frames";
import { normalizeText } from "#core/text/normalize";
import { trimEnds } from "#core/text/trim-ends";
import { asks } from "./asks.ts";
import { cleanItem, firstSentence, type SaidItem, sentencesOf, sentencesWithMarks, splitItems } from "./split-items.ts";
import { contentWords, type Talk, talkIn, wordsIn } from "./talk-words.ts";

/** A list as a message states it. */
export type SaidList = {
  talk: Talk /** The words that name it. */;
  head: string;
  items: SaidItem[];
  ordered: boolean;
  topic?: string;
};

const MAX_UNITS = 4000;
const MAX_HEAD_WORDS = 22;
const ENOUGH = 3;
const MAX_ITEMS = 50;

/** A message as it is read for lists. */
export function plainLine(text: string): string {
  return normalizeText(text.slice(0, MAX_UNITS), "NFC")
    .replace(/\r\n?/g, "\n")
    .replace(/[\u2018\u2019\u02bc\u00b4]/g, "'")
    .replace(/[\u00bf\u00a1]/g, "")
    .replace(/[^\S\n]+/g, " ")
    .trim();
}

/** Dictated marks as marks, in a text that has some. */
function withMarks(plain: string, talk: Talk): string {
  const marks = (["spokenComma", "spokenStop"] as const).map((name) => talk.find(name, toNormalizedText(plain)));
  if ((marks[0]?.length ?? 0) < 2) return plain;
  const spans = marks.flatMap((found, i) => found.map((span) => ({ ...span, mark: i === 0 ? "," : "." })));
  return spans
    .toSorted((a, b) => b.start - a.start)
    .reduce((text, { start, end, mark }) => text.slice(0, start).trimEnd() + mark + text.slice(end), plain);
}

/** The list that a message states: words that name it, then two or more short items. Null for a question, a task or anything else. `like`: the language of the chat. */
export function readStatement(text: string, like?: Talk): SaidList[] {
  const plain = plainLine(text);
  const normalized = toNormalizedText(plain);
  if (plain.length < 6 || materialOf(normalized) !== null) return [];
  const talk = talkIn(normalized, like);
  const marked = withMarks(plain, talk);
  // "Can you keep a list of films: …" asks for nothing but the list.
  const [first = ""] = sentencesWithMarks(marked);
  if (asks(first, talk) && (/[?？]/u.test(first) || talk.leads("request", toNormalizedText(first)) === 0)) return [];
  for (const read of [groups, numbered, lines, colon, dash, spoken, needed, copula, enumerated]) {
    const lists = read(marked, talk).filter(isList);
    if (lists.length > 0) return lists;
  }
  return [];
}

function isList({ head, items, talk }: SaidList): boolean {
  const normalized = toNormalizedText(head);
  const words = wordsIn(normalized, talk).length;
  // "Also: a lamp, a rug" names nothing.
  if (talk.spaced && contentWords(normalized, talk, ["empty"]).length === 0 && !talk.has("kinds", normalized)) return false;
  return items.length > 0 && items.length <= MAX_ITEMS && words > 0 && words <= MAX_HEAD_WORDS && !/[?？]\s*$/.test(head);
}

const LABEL =
  /(?:^|[.;,!\n。；，]|\.{2,3}|…)\s{0,3}(?<label>[^\s.,:;!?。；，：][^.,:;!?\n。；，：]{0,29}?)\s?[:：](?=\s|[^\d\s/])/gu;

/** "Table 1: a, b. Table 2: c, d": parts with labels after the words that name the whole; without such words, several lists. */
function groups(plain: string, talk: Talk): SaidList[] {
  const labels = [...plain.matchAll(LABEL)];
  const [first] = labels;
  if (first === undefined || labels.length < 2) return [];
  const parts = labels.map(({ index, 0: whole, groups: named }, i) => ({
    label: cleanItem(named?.label ?? "", talk),
    items: splitItems(plain.slice(index + whole.length, labels[i + 1]?.index ?? plain.length), talk),
  }));
  if (parts.some(({ items }) => items === null)) return [];
  const named = cleanHead(plain.slice(0, first.index));
  const first_ = labels.length > 1 && named === "" ? parts[0] : undefined;
  // "Kitchen: Ann: pans, Bob: pots": the first label, which has nothing of its own, names the whole.
  const head = named === "" && first_?.items?.length === 0 ? first_.label : named;
  const items = parts.flatMap(({ label, items: own }) => (own ?? []).map(({ value }) => ({ label, value })));
  if (head === "") return parts.map(({ label, items: own }) => ({ talk, head: label, items: own ?? [], ordered: false }));
  return items.length < 2 ? [] : [{ talk, head, items, ordered: false }];
}

const HEAD_ENDS: ReadonlySet<string> = new Set(" \t\n\r\u00a0.,:;!…–—=-");

function cleanHead(text: string): string {
  return trimEnds(text, { end: HEAD_ENDS }).trim();
}

const MARKER = /(?:^|[\s,.:;(])(?:#|no\.? ?)?(?<n>\d{1,2})(?:[.)](?!\d)\s*|[:、]\s*|\s+)(?=[\p{L}"'(])/gu;

/** "1 custard cream 2 bourbon 3 hobnob", "1) … 2) …". */
function numbered(plain: string, talk: Talk): SaidList[] {
  const marks: { start: number; end: number; sure: boolean }[] = [];
  for (const { index, 0: whole, groups: found } of plain.matchAll(MARKER))
    if (Number(found?.n) === marks.length + 1)
      marks.push({ start: index, end: index + whole.length, sure: /[.):、]/.test(whole.slice(1)) });
  const [first] = marks;
  if (first === undefined || marks.length < (marks.every(({ sure }) => sure) ? 2 : ENOUGH)) return [];
  const values = marks.map(({ end }, i) => {
    const part = plain.slice(end, marks[i + 1]?.start ?? plain.length);
    return cleanItem(i === marks.length - 1 ? firstSentence(part) : (part.split("\n")[0] ?? part), talk);
  });
  if (values.some((value) => value === "" || value.length > 90)) return [];
  return [
    { talk, head: cleanHead(plain.slice(0, first.start)), items: values.map((value) => ({ label: null, value })), ordered: true },
  ];
}

const BULLET = /^\s*[-*•–·]\s*/u;

/** Lines after a first line that names the list. */
function lines(plain: string, talk: Talk): SaidList[] {
  const [head = "", ...rest] = plain.split("\n").filter((line) => line.trim() !== "");
  const bulleted = rest.filter((line) => BULLET.test(line));
  const items = bulleted.length > 1 ? bulleted : rest;
  if (items.length < 2 || (bulleted.length < 2 && (!/[:：]\s*$/.test(head) || items.some((line) => line.length > 60)))) return [];
  const split = items.map((line) => cleanItem(line.replace(BULLET, ""), talk));
  return [{ talk, head: cleanHead(head), items: split.map((value) => ({ label: null, value })), ordered: isRanked(head, talk) }];
}

function colon(plain: string, talk: Talk): SaidList[] {
  const at = plain.search(/(?<!\d)[:：]|[:：](?!\d)/u);
  if (at < 0 || plain.slice(at, at + 3) === "://") return [];
  const before = plain.slice(0, at);
  const items = splitItems(plain.slice(at + 1), talk);
  if (items === null || items.length < (isNamed(before, talk) ? 1 : 2)) return [];
  return [listOf(headOf(before), items, talk)];
}

/** The sentence before the items, and the one before it if it says what they are for. */
function headOf(before: string): string {
  return cleanHead(sentencesOf(before).at(-1) ?? before);
}

function dash(plain: string, talk: Talk): SaidList[] {
  const found = / [-–—] |(?:\.{2,}|…)\s*/u.exec(plain);
  if (found === null) return [];
  const head = headOf(plain.slice(0, found.index));
  const items = splitItems(plain.slice(found.index + found[0].length), talk);
  return items === null || items.length < ENOUGH || !talk.has("kinds", toNormalizedText(head)) ? [] : [listOf(head, items, talk)];
}

/** "Packing for the lake. Tent, stove, matches": a sentence that names a list, then its items. */
function spoken(plain: string, talk: Talk): SaidList[] {
  const sentences = sentencesOf(plain);
  for (const [i, head] of sentences.slice(0, 2).entries()) {
    const rest = plain.slice(plain.indexOf(sentences[i + 1] ?? "", plain.indexOf(head) + head.length));
    if (sentences[i + 1] === undefined) continue;
    const items = splitItems(rest, talk);
    if (!talk.has("kinds", toNormalizedText(head)) && items?.every(({ label }) => label !== null) !== true) continue;
    const short = items?.filter(({ value }) => value.split(" ").length <= 8 && !startsClause(value, talk)) ?? [];
    if (
      items !== null &&
      items.length >= (items.every(({ label }) => label !== null) ? 2 : ENOUGH) &&
      short.length >= items.length * 0.7
    )
      return [listOf(head, items, talk)];
  }
  return [];
}

function startsClause(value: string, talk: Talk): boolean {
  return talk.leads("remark", toNormalizedText(value)) > 0;
}

/** "I need olives, tape and a tap": what is needed, without another name. */
function needed(plain: string, talk: Talk): SaidList[] {
  const normalized = toNormalizedText(plain);
  for (const { end } of talk.find("needs", normalized)) {
    const items = splitItems(plain.slice(end), talk);
    const fit = items?.every(({ value }) => value.split(" ").length <= 6 && !startsClause(value, talk)) === true;
    const commas = firstSentence(plain.slice(end)).split(/[,，、]/u).length - 1;
    if (items !== null && fit && items.length >= ENOUGH && commas > 0) return [listOf(plain.slice(0, end), items, talk)];
  }
  return [];
}

/** "The shopping list is eggs and butter"; "my favourite colour is teal". */
function copula(plain: string, talk: Talk): SaidList[] {
  const normalized = toNormalizedText(plain);
  for (const { start, end } of talk.find("are", normalized)) {
    const head = lastClause(headOf(plain.slice(0, start)));
    if (!isNamed(head, talk)) continue;
    const items = splitItems(plain.slice(end), talk);
    if (items !== null && items.length > 0 && items.every(({ value }) => !startsClause(value, talk)))
      return [listOf(head, items, talk)];
  }
  return [];
}

/** "Things for the boat, rope, torch, flares": the first of many parts names the list. */
function enumerated(plain: string, talk: Talk): SaidList[] {
  for (const sentence of sentencesOf(plain)) {
    const [head = "", ...rest] = sentence.split(/[,，、]/u);
    if (rest.length < ENOUGH || !isNamed(head, talk) || startsClause(head, talk)) continue;
    const items = splitItems(rest.join(", "), talk);
    const fit = items?.every(({ value }) => value.split(" ").length <= 6 && !startsClause(value, talk)) === true;
    if (items !== null && fit && items.length >= ENOUGH) return [listOf(head, items, talk)];
  }
  return [];
}

function lastClause(text: string): string {
  return text.split(/, | (?:so|and) (?=the |my )/u).at(-1) ?? text;
}

const MAX_NAME = 9;

/** Whether words name a list rather than say something: they have a word for a list and are few. */
function isNamed(head: string, talk: Talk): boolean {
  const normalized = toNormalizedText(headOf(head));
  const words = wordsIn(normalized, talk);
  return (
    words.length > 0 &&
    words.length <= MAX_NAME &&
    talk.has("kinds", normalized) &&
    contentWords(normalized, talk, ["empty"]).length > 0
  );
}

function listOf(head: string, items: SaidItem[], talk: Talk): SaidList {
  return { talk, head, items, ordered: isRanked(head, talk) };
}

function isRanked(head: string, talk: Talk): boolean {
  return talk.has("ranked", toNormalizedText(head));
}
