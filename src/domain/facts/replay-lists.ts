import { toNormalizedText } from "#core/language/folded";
import { askLists } from "./asked-list.ts";
import { asks } from "./asks.ts";
import { CHANGE_MODELS } from "./change-model.ts";
import type { ChangeModels } from "./change-models.ts";
import { isSame } from "./change-text.ts";
import { applyEdit } from "./edit-list.ts";
import { openIndexes } from "./editing.ts";
import { type KeptItem, type KeptList, mentionsIn, nameStems, type ReplayedList } from "./kept-list.ts";
import { learnedChange } from "./learned-change.ts";
import { readStatement, type SaidList } from "./list-statement.ts";
import { type RankedList, readLists } from "./read-lists.ts";
import { type SaidItem, sentencesOf } from "./split-items.ts";
import { cachingWords, contentWords, sameStem, talkIn, wordsIn } from "./talk-words.ts";
import { createTopicIndex, labelOf, type TopicIndex } from "./topics.ts";

/** A message of a speaker, and the chat in which it was said. */
export type ListTurn = { text: string; session: number; at: number };

const MAX_LISTS = 30;

/** The lists that messages state and change, oldest message first; the one spoken of last comes first. */
export function replayLists(
  turns: readonly ListTurn[],
  topicIndex: TopicIndex = NO_TOPICS,
  models: ChangeModels | null = CHANGE_MODELS,
): ReplayedList[] {
  return cachingWords(() => replay(turns, topicIndex, models));
}

function replay(turns: readonly ListTurn[], topicIndex: TopicIndex, models: ChangeModels | null): ReplayedList[] {
  let lists: ReplayedList[] = [];
  for (const [i, turn] of turns.entries()) {
    const favourites = asks(turn.text, talkIn(toNormalizedText(turn.text))) ? [] : readLists(turn.text, topicIndex);
    const said = statedIn(turn, { favourites, lists });
    lists = withRanks(lists, { favourites, turn, i });
    if (said.length === 0 && favourites.length > 0) continue;
    if (said.length === 0 && isQuestion(turn.text, lists, turn.session)) continue;
    lists = said.length > 0 ? stateAll(lists, { said, turn, i }) : edited(lists, { turn, i, models });
  }
  return lists.toSorted((a, b) => b.touched - a.touched);
}

const NO_TOPICS = createTopicIndex([]);

type Reading = { favourites: readonly RankedList[]; lists: readonly ReplayedList[] };

/** The lists that a message states: of favourites with ranks as facts are read, of everything else by their form. */
function statedIn(turn: ListTurn, { favourites, lists }: Reading): SaidList[] {
  const whole = favourites.filter((list) => list.whole);
  if (whole.length > 0) return whole.map((list) => toSaidList(list, turn.text));
  if (favourites.length > 0) return [];
  const [recent] = lists.filter(({ session }) => session === turn.session).toSorted((a, b) => b.touched - a.touched);
  return readStatement(turn.text, recent?.talk).filter(
    (list) => !isEdit(list, lists, turn) && !isAddition(list, lists, turn) && !isShort(list, recent),
  );
}

/** In a chat that has a list, "new in: a lamp" names no other list. */
function isShort({ items, head, talk, topic }: SaidList, recent: ReplayedList | undefined): boolean {
  if (recent === undefined || topic !== undefined || recent.talk.code !== LEARNED) return false;
  return items.length < ENOUGH_WITHOUT_KIND && !talk.has("kinds", toNormalizedText(head));
}

const ENOUGH_WITHOUT_KIND = 3;

/** "We also need milk and rolls" adds to the list that this chat has; with a name it is a list of its own. */
function isAddition({ head, talk }: SaidList, lists: readonly ReplayedList[], { session }: ListTurn): boolean {
  const normalized = toNormalizedText(head);
  const isMore = talk.has("addLast", normalized) || talk.leads("addFirst", normalized) > 0;
  return isMore && !talk.has("listNamed", normalized) && lists.some((list) => list.session === session);
}

function toSaidList({ topic, items }: RankedList, text: string): SaidList {
  const talk = talkIn(toNormalizedText(text));
  return { talk, head: labelOf(topic), topic, items: items.map(({ value }) => ({ label: null, value })), ordered: true };
}

/** "My second favorite color is plum": of a list of that topic, the rank has another value. */
function withRanks(
  lists: readonly ReplayedList[],
  { favourites, turn, i }: { favourites: readonly RankedList[]; turn: ListTurn; i: number },
): ReplayedList[] {
  const parts = favourites.filter(({ whole }) => !whole);
  return lists.map((list) => {
    const part = parts.find(({ topic }) => topic === list.topic);
    if (part === undefined || list.session !== turn.session) return list;
    const open = openIndexes(list);
    const items = list.items.map((item, index) => {
      const said = part.items.find(({ rank }) => open[rank - 1] === index);
      return said === undefined ? item : { ...item, value: said.value, unsure: false };
    });
    const isWithin = part.items.every(({ rank }) => rank <= open.length);
    return { ...list, items, unsure: list.unsure || !isWithin, touched: i, touchedAt: turn.at, edited: true };
  });
}

type Stating = { said: readonly SaidList[]; turn: ListTurn; i: number };

function stateAll(lists: readonly ReplayedList[], { said, turn, i }: Stating): ReplayedList[] {
  const stated = said.map(
    (list, n): ReplayedList => ({
      ...list,
      topic: list.topic ?? null,
      items: list.items.map((item) => firstState(item, list)),
      unsure: false,
      odds: 1,
      orderOdds: 1,
      session: turn.session,
      statedAt: turn.at,
      touchedAt: turn.at,
      changed: [],
      edited: false,
      ruled: null,
      touched: i + n / 100,
    }),
  );
  const kept = lists.filter((list) => list.session !== turn.session || !stated.some((each) => isSameTopic(each, list)));
  return [...kept, ...stated].slice(-MAX_LISTS);
}

/** Whether a message that names no item asks what these lists can answer: "jobs left", "ranking please". */
function isQuestion(text: string, lists: readonly ReplayedList[], session: number): boolean {
  if (lists.some((list) => list.session === session && mentionsIn(text, list).length > 0)) return false;
  return (
    askLists(
      text,
      lists.toSorted((a, b) => b.touched - a.touched),
      session,
      { certain: false },
    ) !== null
  );
}

/** "Done so far: …, to go: …" say how items stand. */
function firstState({ label, value }: SaidItem, { talk }: SaidList): KeptItem {
  const normalized = label === null ? "" : toNormalizedText(label);
  const isState = label !== null && contentWords(normalized, talk, ["empty", "generic", "isDone", "left"]).length === 0;
  const isDone = isState && talk.has("isDone", normalized) && !talk.has("left", normalized);
  const isLeft = isState && talk.has("left", normalized);
  return { label: isDone || isLeft ? null : label, value, state: isDone ? "done" : "open", unsure: false, odds: 1 };
}

/** Whether words before a colon name a change or an item of a list that this chat has, and no list of their own. */
function isEdit({ head, talk }: SaidList, lists: readonly ReplayedList[], { session }: ListTurn): boolean {
  const here = lists.filter((list) => list.session === session);
  const normalized = toNormalizedText(head);
  const changes = namesChange(normalized, talk);
  return here.some(
    (list) =>
      mentionsIn(head, list).length > 0 || ((changes || talk.ordinals(normalized).length > 0) && !talk.has("kinds", normalized)),
  );
}

/** Whether two lists have the same name, so that the later takes the place of the earlier. */
function isSameTopic(a: ReplayedList, b: ReplayedList): boolean {
  if (a.topic !== null || b.topic !== null) return a.topic === b.topic;
  const [one, other] = [nameStems(a), nameStems(b)];
  return one.length === other.length && one.every((stem) => other.includes(stem));
}

/** A change of an item finds its list by the item; what names no item is said of the list that the chat spoke of last. */
function edited(lists: readonly ReplayedList[], { turn, i, models }: Editing): ReplayedList[] {
  const here = lists.filter((list) => list.session === turn.session).toSorted((a, b) => b.touched - a.touched);
  const named = here.filter((list) => mentionsIn(turn.text, list).length > 0);
  const elsewhere = lists.filter((list) => list.session !== turn.session && isNamedIn(turn.text, list));
  const meant = elsewhere.length > 0 ? elsewhere : named.length > 0 ? named : here.slice(0, 1);
  const next = meant.map((list) => {
    const others = meant.filter((other) => other !== list);
    return editedOne(list, { turn: { ...turn, text: partFor(list, others, turn.text) }, i, models, shared: others.length > 0 });
  });
  const isAdded = models !== null && next.some((list, k) => list.items.length > (meant[k]?.items.length ?? 0));
  return lists.map((list) => {
    const changed = next[meant.indexOf(list)];
    if (changed !== undefined) return changed;
    // What is added in a chat with several lists may be for any of them.
    return isAdded && here.includes(list) ? { ...list, odds: list.odds * OTHER_LIST_ODDS } : list;
  });
}

/** The probability that what is added in a chat with several lists is for the one that was spoken of last, or is named. */
const OTHER_LIST_ODDS = 0.5;

/** The sentences of a message that speak of a list, and those that speak of no other. */
function partFor(list: ReplayedList, others: readonly ReplayedList[], text: string): string {
  if (others.length === 0) return text;
  const isFor = (sentence: string) =>
    mentionsIn(sentence, list).length > 0 || !others.some((other) => mentionsIn(sentence, other).length > 0);
  return sentencesOf(text).filter(isFor).join(". ");
}

type Editing = { turn: ListTurn; i: number; models: ChangeModels | null };

function editedOne(list: ReplayedList, editing: Editing & { shared: boolean }): ReplayedList {
  const { models } = editing;
  return models !== null && list.talk.code === LEARNED ? learned(list, { ...editing, models }) : byRules(list, editing);
}

function byRules(list: ReplayedList, { turn, i, shared }: Omit<Editing, "models"> & { shared: boolean }): ReplayedList {
  const { list: next, changed } = applyEdit(list, turn.text);
  const spoken = { touched: i, touchedAt: turn.at, changed: [], edited: true };
  if (shared && next.items.length > list.items.length) return { ...list, ...spoken, unsure: true };
  if (changed) return { ...list, ...next, ...spoken };
  // What directly follows and is not understood may have changed it.
  const mayHave = (list.touched === i - 1 && list.session === turn.session && mayChange(turn.text, list)) || next.unsure;
  return mayHave ? { ...list, unsure: true, edited: true } : list;
}

/** The language of the talk from which the models learned. */
const LEARNED = "en";
/** From here on a message that changes nothing for sure is taken to have spoken of the list. */
const LEAST_DOUBT = 0.1;

type Learning = { turn: ListTurn; i: number; models: ChangeModels; shared: boolean };

function learned(list: ReplayedList, { turn, i, models, shared }: Learning): ReplayedList {
  const before = list.items.flatMap(({ value }, index) => (list.changed.includes(value) ? [index] : []));
  const next = learnedChange(list, turn.text, { ruled: applyEdit(list, turn.text), before, models });
  const ruled = byRules(list.ruled ?? list, { turn, i, shared });
  const fresh = next.items.filter((item) => !list.items.some((old) => isSame(old, item)));
  const other = next.items.filter((item) => list.items.some((old) => isSame(old, item) && old.state !== item.state));
  const isSpoken = fresh.length + other.length > 0 || mentionsIn(turn.text, list).length > 0;
  if (!isSpoken && next.odds > list.odds * (1 - LEAST_DOUBT)) return { ...list, ...next, ruled };
  // An item that is added in words that speak of two lists may be for either.
  const odds = shared && fresh.length > 0 ? 0 : next.odds;
  const spoken = isSpoken ? { touched: i, touchedAt: turn.at, changed: [...fresh, ...other].map(({ value }) => value) } : {};
  return { ...list, ...next, odds, ...spoken, edited: true, ruled };
}

/** Whether a message in another chat names a list: "add eggs to my shopping list". */
function isNamedIn(text: string, { talk, head }: KeptList): boolean {
  const normalized = toNormalizedText(text);
  const named = contentWords(toNormalizedText(head), talk, ["empty", "generic"]).map(({ stem }) => stem);
  const spoken = wordsIn(normalized, talk);
  return (
    talk.has("listNamed", normalized) &&
    named.length > 0 &&
    named.some((stem) => spoken.some((word) => sameStem(word.stem, stem)))
  );
}

/**
 * Whether a message that names no item may change a list: it says something, and is no question and no thanks. Favourites with ranks change
 * only by words for a change or a rank: what follows them is mostly about something else.
 */
function mayChange(text: string, { talk, topic }: ReplayedList): boolean {
  const normalized = toNormalizedText(text);
  if (asks(text, talk)) return false;
  if (topic !== null && !namesChange(normalized, talk) && talk.ordinals(normalized).length === 0) return false;
  const content = contentWords(normalized, talk, ["empty", "generic"]);
  return content.length > 0 && !/[?？]\s*$/u.test(text) && wordsIn(normalized, talk).length <= 40;
}

function namesChange(normalized: string, talk: KeptList["talk"]): boolean {
  return (["add", "addFirst", "remove", "swap", "done", "clear"] as const).some((name) => talk.has(name, normalized));
}
