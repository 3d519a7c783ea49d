import { cleanValue } from "./clean-value.ts";
import { readBody, readSingle } from "./list-body.ts";
import { isAsked, isOwnStatement, isTakenBack } from "./list-context.ts";
import { findHeads, type Head } from "./list-heads.ts";
import { type Body, type Item, isName, type Part } from "./list-part.ts";
import { rankOf } from "./ordinals.ts";
import { plainText, shadowOf } from "./plain-text.ts";
import { readSequence } from "./sequence.ts";
import { topicOfPhrase } from "./topic-of-phrase.ts";
import type { TopicBook } from "./topics.ts";

export type RankedItem = Item;
/** Ranks of one topic. `whole`: a complete list from rank 1, which takes the place of all that was said before. */
export type RankedList = { topic: string; items: RankedItem[]; whole: boolean };

const FAVOURITE = /(?<!\p{L})fav|lieblings|preferee?s?(?!\p{L})|preferid|最喜|最爱/u;
/** How far a list may reach. */
const LOOK = 4500;
const CHAIN = 200;
const BACK = 90;
const BEFORE =
  /^(?:.*(?:[.!?;:\n"]|。|；|(?<!\p{L})(?:and|but|so|because|also|und|aber|y|pero|et|mais|i think|i guess|i'd say|i believe|ich glaube|creo que|je pense que|que)(?!\p{L})))?\s*/su;
const REMARK =
  /^(?:well|ok|okay|oh|hey|hi|yes|yeah|no|nah|actually|honestly|also|btw|fyi|hmm|sure|hallo|also|ja|nein|hola|bueno|si|salut|bon|oui|eh bien)$/u;

/**
 * The ranked lists that a message states of its speaker, at most one a topic; what is said later counts.
 * Commas alone give no order ("my favorite colors are blue, green and black" states no rank); numbers, bullets, "then", an announced order and a "top 3" of three do.
 */
export function readLists(text: string, book: TopicBook): RankedList[] {
  const plain = plainText(text);
  const shadow = shadowOf(plain);
  const heads = findHeads(shadow);
  const lists: RankedList[] = [];
  for (const [i, head] of heads.entries()) {
    const topic = topicOfHead(head, { book, before: heads.slice(0, i) });
    if (topic === null || !isOwnStatement(plain, { shadow, at: startOf(head, plain) })) continue;
    const part = { text: plain, shadow, from: head.end, to: boundOf(heads[i + 1], { shadow, from: head.end }) };
    const body = bodyOf(head, { part, next: heads[i + 1] });
    if (body !== null && !isAsked(plain, body.end) && !isTakenBack(shadow, endOf(plain, body.end)))
      add(lists, listOf(topic, body));
  }
  return lists;
}

/** How far a favourite is read to tell whether it begins a list. */
const BEGINNING = 600;

/** Whether a text begins with a ranked list of favourites, of whatever topic: a list is kept as facts and not as a sentence. */
export function beginsList(text: string): boolean {
  const plain = plainText(text.slice(0, BEGINNING));
  const shadow = shadowOf(plain);
  const [head, next] = findHeads(shadow);
  if (head === undefined || startOf(head, plain) > 0) return false;
  const part = { text: plain, shadow, from: head.end, to: boundOf(next, { shadow, from: head.end }) };
  return bodyOf(head, { part, next }) !== null;
}

function topicOfHead(head: Head, { book, before }: { book: TopicBook; before: readonly Head[] }): string | null {
  if (head.noun !== null) return topicOfPhrase(head.noun, { book, language: head.language, knownOnly: head.knownOnly });
  const last = before.at(-1);
  if (last === undefined || head.at - last.end > CHAIN) return null;
  return topicOfHead(last, { book, before: before.slice(0, -1) });
}

function bodyOf(head: Head, { part, next }: { part: Part; next: Head | undefined }): Body | null {
  const chained = next !== undefined && next.noun === null && next.at - head.end < CHAIN;
  if (head.form === "backward") return readBackward(head, { part, chained });
  const rank = head.rank === null ? null : rankOf(head.rank);
  if (head.form === "single") return rank === null ? null : readSingle(rank, part);
  return readBody(head, part) ?? (chained ? readSingle(1, part) : null);
}

/** "Purple is my third favorite color"; "blue is my favorite color, followed by green". */
function readBackward(head: Head, { part, chained }: { part: Part; chained: boolean }): Body | null {
  const value = cleanValue(valueBefore(head, part.text) ?? "");
  if (value === null || !isName(value)) return null;
  const rank = head.rank === null ? null : rankOf(head.rank);
  if (rank !== null) return { items: [{ rank, value }], whole: false, from: head.at, end: head.end };
  const rest = part.text.slice(head.end, Math.min(part.to, head.end + 300));
  const joined = `${value}${rest}`;
  const list = readSequence(head, { text: joined, shadow: shadowOf(joined), from: 0, to: joined.length });
  if (list !== null) return { ...list, from: head.at, end: head.end + list.end - value.length };
  return chained ? { items: [{ rank: 1, value }], whole: false, from: head.at, end: head.end } : null;
}

/** A comma before the value belongs to it ("Crosby, Stills & Nash"), unless a remark or a clause stands before the comma. */
function valueBefore(head: Head, text: string): string | null {
  const window = text.slice(Math.max(0, head.at - BACK), head.at);
  const clause = window.slice(BEFORE.exec(shadowOf(window))?.[0].length ?? 0);
  const comma = clause.lastIndexOf(",");
  if (comma < 0) return clause;
  const before = shadowOf(clause.slice(0, comma).trim());
  return REMARK.test(before) || before.split(" ").length > 3 ? clause.slice(comma + 1) : null;
}

function startOf(head: Head, text: string): number {
  return head.form === "backward" ? head.at - (valueBefore(head, text)?.length ?? 0) : head.at;
}

/** A list ends where the next begins, or where somebody's favourites are spoken of. */
function boundOf(next: Head | undefined, { shadow, from }: { shadow: string; from: number }): number {
  const until = Math.min(shadow.length, from + LOOK);
  const other = from + (FAVOURITE.exec(shadow.slice(from, until))?.index ?? until - from);
  if (next !== undefined && next.at <= other) return next.at;
  const window = shadow.slice(Math.max(from, other - 60), other);
  const clause = /^.*(?:[,;.\n]| (?:and|while|y|und|et|but) )/su.exec(window)?.[0];
  return other === until ? other : Math.max(from, clause === undefined ? other : other - window.length + clause.length);
}

function endOf(text: string, from: number): number {
  const rest = text.slice(from, from + 240);
  return from + (/[.!。！\n"\ufffc]/.exec(rest)?.index ?? rest.length);
}

/** Topics whose values are no titles: an article before them is grammar. */
const PLAIN_WORDS: ReadonlySet<string> = new Set(["favorite_colors", "favorite_cryptos", "favorite_candies"]);
const ARTICLE = /^(?:(?:el|la|los|las|le|les|des|du|del|das|der|die|the colou?r|die farbe) |l')(?=[\p{L}])/iu;

function listOf(topic: string, { items, whole }: Body): RankedList {
  const values = PLAIN_WORDS.has(topic) ? items.map(({ rank, value }) => ({ rank, value: value.replace(ARTICLE, "") })) : items;
  return { topic, items: values, whole };
}

function add(lists: RankedList[], list: RankedList): void {
  const at = lists.findIndex(({ topic }) => topic === list.topic);
  const before = lists[at];
  if (before === undefined) lists.push(list);
  else lists[at] = list.whole ? list : merged(before, list);
}

function merged(before: RankedList, after: RankedList): RankedList {
  const ranks = new Set(after.items.map(({ rank }) => rank));
  const items = [...before.items.filter(({ rank }) => !ranks.has(rank)), ...after.items].toSorted((a, b) => a.rank - b.rank);
  return { topic: before.topic, items, whole: before.whole };
}
