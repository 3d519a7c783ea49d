import { toNormalizedText } from "#core/language/folded";
import { cleanValue } from "./clean-value.ts";
import { words } from "./languages.ts";
import { isAsked, isOwnStatement, isTakenBack } from "./list-context.ts";
import { findListIntros, type ListIntro } from "./list-intros.ts";
import { readListItems, readSingle } from "./list-items.ts";
import { rankOf } from "./ordinals.ts";
import { plainText } from "./plain-text.ts";
import { type Item, isName, type ListItems, type Part, readSequence } from "./sequence.ts";
import { type TopicIndex, topicOfPhrase } from "./topics.ts";

export type RankedItem = Item;
/** Values of one topic by rank. `whole`: a complete list from rank 1, which replaces all earlier ranks. */
export type RankedList = { topic: string; items: RankedItem[]; whole: boolean };

const FAVOURITE = new RegExp(words("favourite"), "u");
/** How much of the text after an intro is read for its list, in UTF-16 units. */
const LOOK = 4500;
const CHAIN = 200;
const BACK = 90;
const BEFORE = new RegExp(`^(?:.*(?:[.!?;:\\n"]|。|；|(?<!\\p{L})(?:${words("clauseWords")})(?!\\p{L})))?\\s*`, "su");
const REMARK = new RegExp(`^(?:${words("remarks")})$`, "u");
/** The beginning of the clause in which another favourite is mentioned. */
const CLAUSE = new RegExp(`^.*(?:[,;.\\n]| (?:${words("joins")}) )`, "su");

/**
 * The ranked lists that a message states about its speaker, at most one per topic; later words replace earlier ones. Commas alone give no
 * order ("my favorite colors are blue, green and black" states no ranks); numbers, bullets, "then", an announced order and a "top 3" of
 * three values do.
 */
export function readLists(text: string, topicIndex: TopicIndex): RankedList[] {
  const plain = plainText(text);
  const normalizedText = toNormalizedText(plain);
  const intros = findListIntros(normalizedText);
  const lists: RankedList[] = [];
  for (const [i, intro] of intros.entries()) {
    const topic = topicOfIntro(intro, { topicIndex, before: intros.slice(0, i) });
    if (topic === null || !isOwnStatement(plain, { at: startOf(intro, plain), end: intro.end })) continue;
    const part = {
      text: plain,
      normalizedText,
      from: intro.end,
      to: boundOf(intros[i + 1], { normalizedText, from: intro.end }),
    };
    const listItems = listItemsOf(intro, { part, next: intros[i + 1] });
    if (listItems !== null && !isAsked(plain, listItems.end) && !isTakenBack(normalizedText, endOf(plain, listItems.end)))
      add(lists, listOf(topic, listItems));
  }
  return lists;
}

/** How much of a text is read to decide whether it begins with a list, in UTF-16 units. */
const BEGINNING = 600;

/** Whether a text begins with a ranked list of favourites of any topic. Such a list is stored as facts, not as a memory. */
export function beginsList(text: string): boolean {
  const plain = plainText(text.slice(0, BEGINNING));
  const normalizedText = toNormalizedText(plain);
  const [intro, next] = findListIntros(normalizedText);
  if (intro === undefined || startOf(intro, plain) > 0) return false;
  const part = { text: plain, normalizedText, from: intro.end, to: boundOf(next, { normalizedText, from: intro.end }) };
  return listItemsOf(intro, { part, next }) !== null;
}

function topicOfIntro(
  intro: ListIntro,
  { topicIndex, before }: { topicIndex: TopicIndex; before: readonly ListIntro[] },
): string | null {
  if (intro.noun !== null) return topicOfPhrase(intro.noun, { topicIndex, language: intro.language, knownOnly: intro.knownOnly });
  const last = before.at(-1);
  if (last === undefined || intro.at - last.end > CHAIN) return null;
  return topicOfIntro(last, { topicIndex, before: before.slice(0, -1) });
}

function listItemsOf(intro: ListIntro, { part, next }: { part: Part; next: ListIntro | undefined }): ListItems | null {
  const chained = next !== undefined && next.noun === null && next.at - intro.end < CHAIN;
  if (intro.form === "backward") return readBackward(intro, { part, chained });
  const rank = intro.rank === null ? null : rankOf(intro.rank);
  if (intro.form === "single") return rank === null ? null : readSingle(rank, part);
  return readListItems(intro, part) ?? (chained ? readSingle(1, part) : null);
}

/** "Purple is my third favorite color"; "blue is my favorite color, followed by green". */
function readBackward(intro: ListIntro, { part, chained }: { part: Part; chained: boolean }): ListItems | null {
  const value = cleanValue(valueBefore(intro, part.text) ?? "");
  if (value === null || !isName(value)) return null;
  const rank = intro.rank === null ? null : rankOf(intro.rank);
  if (rank !== null) return { items: [{ rank, value }], whole: false, from: intro.at, end: intro.end };
  const rest = part.text.slice(intro.end, Math.min(part.to, intro.end + 300));
  const joined = `${value}${rest}`;
  const list = readSequence(intro, { text: joined, normalizedText: toNormalizedText(joined), from: 0, to: joined.length });
  if (list !== null) return { ...list, from: intro.at, end: intro.end + list.end - value.length };
  return chained ? { items: [{ rank: 1, value }], whole: false, from: intro.at, end: intro.end } : null;
}

/** A comma before the value is part of it ("Crosby, Stills & Nash"), unless a remark or a clause precedes the comma. */
function valueBefore(intro: ListIntro, text: string): string | null {
  const window = text.slice(Math.max(0, intro.at - BACK), intro.at);
  const clause = window.slice(BEFORE.exec(toNormalizedText(window))?.[0].length ?? 0);
  const comma = clause.lastIndexOf(",");
  if (comma < 0) return clause;
  const before = toNormalizedText(clause.slice(0, comma).trim());
  return REMARK.test(before) || before.split(" ").length > 3 ? clause.slice(comma + 1) : null;
}

function startOf(intro: ListIntro, text: string): number {
  return intro.form === "backward" ? intro.at - (valueBefore(intro, text)?.length ?? 0) : intro.at;
}

/** A list ends where the next begins, or where another favourite is mentioned. */
function boundOf(next: ListIntro | undefined, { normalizedText, from }: { normalizedText: string; from: number }): number {
  const until = Math.min(normalizedText.length, from + LOOK);
  const other = from + (FAVOURITE.exec(normalizedText.slice(from, until))?.index ?? until - from);
  if (next !== undefined && next.at <= other) return next.at;
  const window = normalizedText.slice(Math.max(from, other - 60), other);
  const clause = CLAUSE.exec(window)?.[0];
  return other === until ? other : Math.max(from, clause === undefined ? other : other - window.length + clause.length);
}

function endOf(text: string, from: number): number {
  const rest = text.slice(from, from + 240);
  return from + (/[.!。！\n"\ufffc]/.exec(rest)?.index ?? rest.length);
}

/** Topics whose values are no titles: an article before them is grammar. */
const PLAIN_WORDS: ReadonlySet<string> = new Set(["favorite_colors", "favorite_cryptos", "favorite_candies"]);
const ARTICLE = new RegExp(`^(?:${words("article")})(?=[\\p{L}])`, "iu");

function listOf(topic: string, { items, whole }: ListItems): RankedList {
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
