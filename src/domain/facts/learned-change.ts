import { toNormalizedText } from "#core/language/folded";
import { readTags } from "#core/network/tags";
import { addsInput, fateInput, messageFeatures, tagInput } from "./change-features.ts";
import { type ChangeModels, fateOdds, oddsOf, tagScores } from "./change-models.ts";
import { type ChangeText, changeTextOf, isSame, type RuledFate } from "./change-text.ts";
import type { Edited } from "./edit-list.ts";
import { type ItemState, type KeptItem, type KeptList, stemsOf } from "./kept-list.ts";
import { cleanItem } from "./split-items.ts";
import { sameStem } from "./talk-words.ts";

/** What a message is taken to do to a list, with probabilities. */
export type Judgement = {
  /** Of each item, that it goes from the list if it is on it, that it comes back if it is not, and that it is done if it goes. */
  goes: readonly number[];
  returns: readonly number[];
  done: readonly number[];
  added: readonly { value: string; odds: number }[];
  /** That these are the added items and no others. */
  addedOdds: number;
  /** That something changes beside the items that are named. */
  beyond: number;
  /** That the items are in the order in which the rules leave them. */
  order: number;
};

/** From here on a message is taken to add items. */
const LEAST_ADDS = 0.4;
/** How much of the probability that something else changed is each item's own. */
const SHARE_BEYOND = 0.5;
/** A message that names more items is read by rules alone, which keeps its cost low, and is less sure. */
const MOST_JUDGED = 12;
const RULED_ODDS = 0.8;

/**
 * What a message does to a list: rules and models together. `ruled`: what rules make of it, which the models know and may overrule; `before`:
 * the items that the message before changed.
 */
export function learnedChange(
  list: KeptList,
  message: string,
  { ruled, before, models }: { ruled: Edited; before: readonly number[]; models: ChangeModels },
): KeptList {
  const change = changeTextOf(list, message, ruled);
  if (list.items.filter((_, i) => isJudged(change, i)).length > MOST_JUDGED)
    return { ...ruled.list, odds: list.odds * RULED_ODDS };
  const judgement = judge(change, before, models);
  if (!isReordered(list, ruled)) return changedList(change, judgement);
  return { ...ruled.list, odds: list.odds * (1 - judgement.beyond), orderOdds: list.orderOdds * judgement.order };
}

/** Whether rules, which are sure of it, find the same items in another order or with other labels. */
function isReordered(list: KeptList, { list: next, changed }: Edited): boolean {
  if (!changed || next.unsure || next.items.some(({ unsure }) => unsure)) return false;
  const values = ({ items }: KeptList) => items.map(({ value, state }) => `${state} ${value}`);
  const [before, after] = [values(list), values(next)];
  const isOther = list.items.some((item, i) => !isSame(item, next.items[i] ?? item));
  return isOther && before.toSorted().join("\n") === after.toSorted().join("\n");
}

/** Whether an item is judged by itself: it is named, or the rules change it. */
export function isJudged({ mentions, fates }: ChangeText, index: number): boolean {
  return fates[index] !== "same" || mentions.some((mention) => mention.index === index);
}

function judge(change: ChangeText, before: readonly number[], models: ChangeModels): Judgement {
  const { tokens, text, list } = change;
  const features = messageFeatures(change);
  const adds = fateOdds(models.adds, addsInput(change, features));
  const { spans, odds } = adds < LEAST_ADDS ? { spans: [], odds: 1 } : readTags(tagScores(models.added, tagInput(change)));
  const wordsOf = ({ from, to }: { from: number; to: number }) => text.slice(tokens[from]?.start, tokens[to - 1]?.end);
  const inputs = list.items.map((_, i) => (isJudged(change, i) ? fateInput(withOpen(change, i), i, before) : null));
  return {
    goes: inputs.map((input) => (input === null ? 0 : fateOdds(models.fate, input))),
    returns: list.items.map((item, i) =>
      item.state === "open" || !isJudged(change, i) ? 0 : returnOdds(change, i, { before, models }),
    ),
    done: inputs.map((input) => (input === null ? 0 : oddsOf(models.done, input.linear))),
    added: spans.map((span) => ({ value: wordsOf(span), odds: span.odds * adds })),
    addedOdds: odds * (spans.length > 0 ? adds : 1 - adds),
    beyond: oddsOf(models.beyond, features),
    order: oddsOf(models.order, features),
  };
}

/** The message as it would be read if the item were on the list. */
function withOpen(change: ChangeText, index: number): ChangeText {
  const items = change.list.items.map((item, i): KeptItem => (i === index ? { ...item, state: "open" } : item));
  return change.list.items[index]?.state === "open" ? change : { ...change, list: { ...change.list, items } };
}

/** What comes back is rare in talk, so that rules have to say it too where it is to count as likely. */
const MOST_RETURN = 0.4;

function returnOdds(
  change: ChangeText,
  index: number,
  { before, models }: { before: readonly number[]; models: ChangeModels },
): number {
  if (change.fates[index] === "done" || change.fates[index] === "gone") return 0;
  const odds = fateOdds(models.fate, fateInput(change, index, before));
  return change.fates[index] === "open" ? Math.max(odds, LEAST_KNOWN) : Math.min(odds, MOST_RETURN);
}

/** The list as a judged message leaves it: in the order in which the rules leave it, with the items that are taken to be on it. */
export function changedList(change: ChangeText, judgement: Judgement): KeptList {
  const { list, ruled } = change;
  const next = list.items.map((item, i) => changedItem(item, { change, judgement, i }));
  const found = judgement.added.flatMap(({ value, odds }) => newItem(value, odds, list));
  const isAgreed = areAlike(found, change);
  const fresh = isAgreed ? found.map((item) => ({ ...item, odds: surer(item.odds) })) : found;
  const used = new Set<KeptItem>();
  const placed = ruled.list.items.flatMap((item, at): KeptItem[] => {
    const same = list.items.findIndex((other) => isSame(item, other));
    if (same >= 0) return take(next[same], used);
    const added = fresh.find((each) => !used.has(each) && isLike(each.value, item.value, list));
    if (added !== undefined) {
      used.add(added);
      return [{ ...added, value: item.value, label: item.label }];
    }
    const old = list.items[at];
    if (old === undefined || change.fates[at] !== "replaced") return [];
    const kept = next[at];
    if (kept === undefined) return [];
    used.add(kept);
    return [isLike(old.value, item.value, list) ? { ...kept, value: item.value } : kept];
  });
  const rest = next.filter((item) => !used.has(item));
  const more = fresh.filter((item) => !used.has(item));
  return {
    ...list,
    items: [...inPlace(placed, more, list), ...rest],
    odds: list.odds * oddsOfAdditions(judgement, fresh, isAgreed) * (1 - judgement.beyond),
    orderOdds: list.orderOdds * judgement.order,
  };
}

/** Whether rules, which understood all of the message, find the same new items. */
function areAlike(found: readonly KeptItem[], { added, ruled, list }: ChangeText): boolean {
  const isUnsure = ruled.list.unsure || ruled.list.items.some(({ unsure }) => unsure);
  return (
    !isUnsure &&
    found.length > 0 &&
    found.length === added.length &&
    found.every(({ value }) => added.some((one) => isLike(value, one, list)))
  );
}

/** How much surer it is what two readers find alike, as a ratio of odds. Chosen on authors left out of the training. */
const AGREED_RATIO = 6;

function surer(odds: number): number {
  const ratio = (AGREED_RATIO * odds) / Math.max(1 - odds, Number.EPSILON);
  return ratio / (1 + ratio);
}

/** The probability that the new items are these and no others, given that each of them is one: the items have their own. */
function oddsOfAdditions({ addedOdds }: Judgement, fresh: readonly KeptItem[], isAgreed: boolean): number {
  const whole = isAgreed ? surer(addedOdds) : addedOdds;
  return Math.min(1, whole / fresh.reduce((product, { odds }) => product * odds, 1));
}

function take(item: KeptItem | undefined, used: Set<KeptItem>): KeptItem[] {
  if (item === undefined) return [];
  used.add(item);
  return [item];
}

/** A new item takes the place of the one item that went with the same message; else it comes last. */
function inPlace(placed: readonly KeptItem[], more: readonly KeptItem[], list: KeptList): KeptItem[] {
  const wasOpen = (item: KeptItem) => list.items.some((old) => isSame(old, item) && old.state === "open");
  const [went, ...others] = placed.filter((item) => item.state !== "open" && wasOpen(item));
  const [single, ...rest] = more;
  if (went === undefined || others.length > 0 || single === undefined || rest.length > 0) return [...placed, ...more];
  return placed.flatMap((item) => (item === went ? [single, item] : [item]));
}

function changedItem(
  item: KeptItem,
  { change, judgement, i }: { change: ChangeText; judgement: Judgement; i: number },
): KeptItem {
  const isOpen = item.state === "open";
  const open = isOpen ? item.odds : 1 - item.odds;
  if (!isJudged(change, i)) return { ...item, odds: item.odds * (1 - judgement.beyond * SHARE_BEYOND) };
  const now = open * (1 - (judgement.goes[i] ?? 0)) + (1 - open) * (judgement.returns[i] ?? 0);
  if (now >= 0.5) return { ...item, state: "open", unsure: false, odds: now };
  return {
    ...item,
    state: isOpen ? closedAs(judgement.done[i] ?? 0, change.fates[i] ?? "same") : item.state,
    unsure: false,
    odds: 1 - now,
  };
}

/** From here on it is known whether what went from a list is done. */
const LEAST_KNOWN = 0.8;

/** Where the rules say it, it takes as much to doubt it. */
function closedAs(done: number, ruled: RuledFate): ItemState {
  const [isDone, isGone] = [done >= LEAST_KNOWN, 1 - done >= LEAST_KNOWN];
  if (isDone || (ruled === "done" && !isGone)) return "done";
  return isGone || ruled === "gone" ? "gone" : "off";
}

function newItem(said: string, odds: number, list: KeptList): KeptItem[] {
  const value = cleanItem(said, list.talk);
  const isKnown = list.items.some((item) => item.state === "open" && toNormalizedText(item.value) === toNormalizedText(value));
  return !/\p{L}/u.test(value) || isKnown || odds < LEAST_ADDS
    ? []
    : [{ label: null, value, state: "open", unsure: false, odds }];
}

/** Whether one text has all words of the other that are its content, figures aside. */
function isLike(one: string, other: string, { talk }: KeptList): boolean {
  const [a, b] = [one, other].map((text) => stemsOf(text, talk).filter((stem) => !/^\d/.test(stem)));
  if (a === undefined || b === undefined || a.length === 0 || b.length === 0) return false;
  const within = (some: readonly string[], all: readonly string[]) =>
    some.every((stem) => all.some((each) => sameStem(each, stem)));
  return within(a, b) || within(b, a);
}
