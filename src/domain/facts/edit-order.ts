import { toNormalizedText } from "#core/language/folded";
import { type Change, done, has, notUnderstood, openIndexes, stated } from "./editing.ts";
import type { KeptItem, KeptList } from "./kept-list.ts";
import { newItems } from "./new-items.ts";
import { rankOf } from "./ordinals.ts";
import { contentWords, type Span, sameStem, wordsIn } from "./talk-words.ts";

/** "Swap 1 and 2", "tea and cake swap": two items change places; of items with labels, the values do. */
export const swap: Change = (editing, clause) => {
  const { list } = editing;
  if (!has(editing, "swap", clause)) return null;
  const two = [...clause.mentions.map(({ index }) => index), ...editing.pending];
  const ranks = two.length === 0 ? ranksIn(clause.normalized, list) : [];
  const [a, b, ...more] = two.length === 0 ? ranks : two;
  if (a === undefined || b === undefined || more.length > 0 || a === b) return null;
  const [first, second] = [list.items[a], list.items[b]];
  if (first === undefined || second === undefined) return null;
  const labelled = first.label !== null && second.label !== null;
  const parts = labelled || list.ordered ? null : swappedParts([first, second], clause.normalized, list);
  const items = list.items.map((item, i) => {
    if (parts !== null && (i === a || i === b)) return { ...item, value: i === a ? parts[0] : parts[1] };
    if (i === a) return labelled ? { ...first, value: second.value, state: second.state } : second;
    return i === b ? (labelled ? { ...second, value: first.value, state: first.state } : first) : item;
  });
  return done(editing, { ...list, items }, [a, b]);
};

/** In lists without an order "Ann salad" and "Bob crisps" exchange the words that were said of them, not their places. */
function swappedParts(
  [first, second]: readonly [KeptItem, KeptItem],
  normalized: string,
  { talk }: KeptList,
): [string, string] | null {
  const spoken = wordsIn(normalized, talk);
  const said = ({ value }: KeptItem) => {
    const words = wordsIn(toNormalizedText(value), talk);
    const named = words.filter(({ stem }) => spoken.some((word) => sameStem(word.stem, stem)));
    const [from, to] = [named[0], named.at(-1)];
    return from === undefined || to === undefined || named.length === words.length ? null : { start: from.start, end: to.end };
  };
  const [a, b] = [said(first), said(second)];
  if (a === null || b === null) return null;
  const put = (value: string, at: Span, other: string, from: Span) =>
    value.slice(0, at.start) + other.slice(from.start, from.end) + value.slice(at.end);
  return [put(first.value, a, second.value, b), put(second.value, b, first.value, a)];
}

/** Indexes of the open items whose ranks a text names. */
function ranksIn(normalized: string, list: KeptList): number[] {
  const open = openIndexes(list);
  return wordsIn(normalized, list.talk).flatMap(({ start, end }) => {
    const rank = rankOf(normalized.slice(start, end));
    const index = rank === null ? undefined : open[rank - 1];
    return index === undefined ? [] : [index];
  });
}

/** "The second is plum", "change 3 to …". */
export const setRank: Change = (editing, clause) => {
  const { list } = editing;
  if (clause.mentions.length > 0) return null;
  const found = rankSaid(clause.normalized, list);
  if (found === null) return null;
  const rest = clause.normalized.slice(found.end);
  const place = openIndexes(list)[found.rank - 1];
  // "2 is done" says how what stands there is, and names nothing.
  if (
    place !== undefined &&
    list.talk.has("done", rest) &&
    contentWords(rest, list.talk, ["empty", "generic", "done"]).length === 0
  )
    return done(editing, stated(list, [place], "done"), [place]);
  if (!list.ordered) return null;
  const [said] = newItems(clause.text.slice(found.end), list);
  const at = openIndexes(list)[found.rank - 1];
  if (said === undefined || at === undefined) return notUnderstood(editing);
  const items = list.items.map((item, i) => (i === at ? { ...item, value: said, unsure: false } : item));
  return done(editing, { ...list, items }, [at]);
};

/** A rank after which its new value follows. */
function rankSaid(normalized: string, { talk }: KeptList): { rank: number; end: number } | null {
  const figures = [...normalized.matchAll(/(?<![\p{L}\d])#?\d{1,2}(?![\p{L}\d])/gu)].map(({ index, 0: figure }) => ({
    start: index,
    end: index + figure.length,
  }));
  for (const { start, end } of [...talk.ordinals(normalized), ...figures]) {
    const rank = rankOf(normalized.slice(start, end).replace(/^\D+(?=\d)/u, ""));
    const rest = normalized.slice(end).replace(/^ (?:one )?/, "");
    const verb = talk.leads("isAt", rest);
    if (rank !== null && verb > 0) return { rank, end: normalized.length - rest.length + verb };
  }
  return null;
}

/** "Make it b, a, c": all open items and nothing else, in another order. */
export const reorder: Change = (editing, { mentions }) => {
  const { list } = editing;
  const open = openIndexes(list);
  const named = mentions.map(({ index }) => index).filter((i) => open.includes(i));
  if (!list.ordered || open.length < 3 || named.length < open.length) return null;
  const order = mentions
    .toSorted((a, b) => a.start - b.start)
    .flatMap(({ index }) => (open.includes(index) ? (list.items[index] ?? []) : []));
  const rest = list.items.filter((_, i) => !open.includes(i));
  return done(editing, { ...list, items: [...order, ...rest] }, []);
};

/** A place or a rank for something that is not known. */
export const misplaced: Change = (editing, clause) => {
  const { talk } = editing.list;
  const places = (["toTop", "toEnd", "swap"] as const).some((name) => talk.has(name, clause.normalized));
  const isMove = places && editing.last.length === 0 && editing.list.ordered;
  // "No more museum. Instead a boat trip": something took the place of what went.
  const isInstead = editing.changed && talk.has("instead", clause.normalized);
  return clause.mentions.length === 0 && (isMove || isInstead) ? notUnderstood(editing) : null;
};
