import { toNormalizedText } from "#core/language/folded";
import { IRREGULAR_FORMS } from "#core/text/irregular-forms";
import { rankOf } from "../ordinals.ts";
import { type ItemState, type KeptItem, type KeptList, type Mention, mentionsIn, nameStems, stemsOf } from "./kept-list.ts";
import { plainLine } from "./read-statement.ts";
import { cleanItem, sentencesOf } from "./split-items.ts";
import { contentWords, type Span, sameStem, type Talk, type TalkClass, wordsIn } from "./talk-words.ts";

/** `changed`: the message speaks of the list. What it says of it may have been understood or not (`unsure`). */
export type Edited = { list: KeptList; changed: boolean };

const MAX_UNITS = 700;
const MAX_NEW_WORDS = 8;
const MAX_NEW_ITEMS = 6;
/** So few words that name nothing speak of what the sentence before named: "gone", "cross him off". */
const SHORT_WORDS = 5;

type Clause = { text: string; normalized: string; mentions: Mention[] };
/** A list in the middle of a message: items that were spoken of without a verb yet, and the last ones that were changed. */
type Editing = { list: KeptList; pending: number[]; last: number[]; spoken: number[]; changed: boolean };

/** What a later message of its speaker does to a list. */
export function applyEdit(list: KeptList, message: string): Edited {
  const plain = plainLine(message);
  if (plain.length > MAX_UNITS)
    return { list: mentionsIn(plain, list).length > 0 ? { ...list, unsure: true } : list, changed: false };
  let editing: Editing = { list, pending: [], last: [], spoken: [], changed: false };
  for (const sentence of sentencesWithMarks(plain)) {
    if (asks(sentence, list)) continue;
    for (const text of clausesOf(sentence, editing.list)) editing = applyClause(editing, text);
    editing = settle(editing);
  }
  return { list: editing.list, changed: editing.changed };
}

/** Whether a sentence is a question, and not a remark with a question mark. */
function asks(sentence: string, { talk }: KeptList): boolean {
  const normalized = toNormalizedText(sentence);
  return (
    /[?？]\s*$/u.test(sentence) &&
    (!talk.spaced || (["polar", "what", "who", "howMany"] as const).some((name) => talk.leads(name, normalized) > 0))
  );
}

function sentencesWithMarks(text: string): string[] {
  const marked: string[] = [];
  for (const sentence of sentencesOf(text)) {
    const at = text.indexOf(sentence);
    const mark = /^[^\p{L}\p{N}]*/u.exec(text.slice(at + sentence.length))?.[0] ?? "";
    marked.push(`${sentence}${mark.includes("?") || mark.includes("？") ? "?" : ""}`);
  }
  return marked;
}

/** Parts of a sentence between commas, and before "and" if a verb of a change follows it. */
function clausesOf(sentence: string, list: KeptList): string[] {
  const { talk } = list;
  return sentence.split(/(?<!\d),|,(?!\d)|[，、；;]/u).flatMap((part) => {
    const normalized = toNormalizedText(part);
    const cuts = talk
      .find("and", normalized)
      .filter(
        ({ start, end }) =>
          contentWords(normalized.slice(0, start), talk, ["empty"]).length > 0 &&
          beginsChange(normalized.slice(end).trimStart(), list),
      );
    const starts = [0, ...cuts.map(({ start }) => start)];
    return starts.map((start, i) => part.slice(start, cuts[i]?.start ?? part.length));
  });
}

function beginsChange(rest: string, list: KeptList): boolean {
  const lead = Math.max(...VERBS.map((name) => list.talk.leads(name, rest)));
  return lead > 0 && !mentionsIn(rest, list).some(({ start }) => start < lead);
}

const VERBS: readonly TalkClass[] = ["add", "remove", "swap", "clear"];

/** Items that a sentence speaks of without a change that is understood are not sure any more. */
function settle(editing: Editing): Editing {
  if (editing.pending.length === 0) return editing;
  return { ...editing, list: unsureOf(editing.list, editing.pending), pending: [], spoken: editing.pending, changed: true };
}

function unsureOf(list: KeptList, indexes: readonly number[]): KeptList {
  return { ...list, items: list.items.map((item, i) => (indexes.includes(i) ? { ...item, unsure: true } : item)) };
}

function applyClause(editing: Editing, text: string): Editing {
  const { list } = editing;
  const clause = { text, normalized: toNormalizedText(text), mentions: mentionsIn(text, list) };
  for (const change of CHANGES) {
    const next = change(editing, clause);
    if (next !== null) return next;
  }
  const spoken = clause.mentions.map(({ index }) => index).filter((i) => !editing.last.includes(i));
  return { ...editing, pending: [...editing.pending, ...spoken] };
}

type Change = (editing: Editing, clause: Clause) => Editing | null;

const done = (editing: Editing, list: KeptList, last: number[], spoken: number[] = last): Editing => ({
  ...editing,
  list,
  last,
  spoken,
  pending: [],
  changed: true,
});
const notUnderstood = (editing: Editing): Editing => done(editing, { ...editing.list, unsure: true }, []);

function has(editing: Editing, name: TalkClass, { normalized }: Pick<Clause, "normalized">): boolean {
  return editing.list.talk.has(name, normalized);
}

/** "Clear the list", "wipe the rest". */
const clear: Change = (editing, clause) => {
  const { talk } = editing.list;
  const [verb] = talk.find("clear", clause.normalized);
  if (verb === undefined || clause.mentions.length > 0) return null;
  const rest = clause.normalized.slice(verb.end);
  const whole = talk.find("all", rest)[0];
  if (whole === undefined || has(editing, "not", { normalized: clause.normalized.slice(0, verb.start) })) return null;
  const named = nameStems(editing.list);
  const between = contentWords(rest.slice(0, whole.start), talk, ["empty", "generic", "all"]);
  if (between.some(({ stem }) => !named.some((each) => sameStem(each, stem)))) return null;
  const items = editing.list.items.map((item) =>
    item.state === "open" ? { ...item, state: "gone" as const, unsure: false } : item,
  );
  return done(editing, { ...editing.list, items, unsure: false }, []);
};
/** "Swap 1 and 2", "tea and cake swap": two items change places; of items with labels, the values do. */
const swap: Change = (editing, clause) => {
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
function swappedParts([first, second]: readonly [KeptItem, KeptItem], normalized: string, { talk }: KeptList): [string, string] | null {
  const spoken = wordsIn(normalized, talk);
  const said = ({ value }: KeptItem) => {
    const words = wordsIn(toNormalizedText(value), talk);
    const named = words.filter(({ stem }) => spoken.some((word) => sameStem(word.stem, stem)));
    const [from, to] = [named[0], named.at(-1)];
    return from === undefined || to === undefined || named.length === words.length ? null : { start: from.start, end: to.end };
  };
  const [a, b] = [said(first), said(second)];
  if (a === null || b === null) return null;
  const put = (value: string, at: Span, other: string, from: Span) => value.slice(0, at.start) + other.slice(from.start, from.end) + value.slice(at.end);
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

export function openIndexes({ items }: Pick<KeptList, "items">): number[] {
  return items.flatMap(({ state }, i) => (state === "open" ? [i] : []));
}

/** "The second is plum", "change 3 to …". */
const setRank: Change = (editing, clause) => {
  const { list } = editing;
  if (clause.mentions.length > 0 || !list.ordered) return null;
  const [verb] = list.talk.find("replaceBy", clause.normalized);
  const found =
    /^(?<before>.{0,30}?)(?<![\p{L}\d])(?<rank>#?\d{1,2}|[a-z]{3,9})(?: one| choice| pick)? (?:is|to|becomes|should be|es|ist|est|zu|a)(?: now)? (?<value>.+)$/u.exec(
      clause.normalized,
    );
  const rank = found?.groups === undefined ? null : rankOf(found.groups.rank?.replace("#", "") ?? "");
  const value = found?.groups?.value;
  if (rank === null || value === undefined) return verb === undefined ? null : null;
  const [said] = newItems(clause.text.slice(clause.text.length - value.length), list);
  const at = openIndexes(list)[rank - 1];
  if (said === undefined || at === undefined) return notUnderstood(editing);
  return done(
    editing,
    { ...list, items: list.items.map((item, i) => (i === at ? { ...item, value: said, unsure: false } : item)) },
    [at],
  );
};

/** "Swap the pears for plums", "call it 30", "tea instead of cake", "not tea but cake". */
const replace: Change = (editing, clause) => {
  const { list } = editing;
  const { talk } = list;
  const changes = (["swap", "change", "instead"] as const).some((name) => has(editing, name, clause));
  const spans = talk.find("replaceBy", clause.normalized);
  const old = clause.mentions.length > 0 ? clause.mentions : [];
  const [mention, ...others] = old;
  const pendingOne = editing.pending.length === 1 ? editing.pending[0] : undefined;
  const before = editing.last.length > 0 ? editing.last : editing.spoken;
  const index = mention?.index ?? pendingOne ?? (before.length === 1 ? before[0] : undefined);
  if (others.length > 0 || index === undefined) return null;
  const [over] = talk.find("insteadOf", clause.normalized);
  const denies =
    over !== undefined && mention !== undefined && over.end <= mention.start &&
    contentWords(clause.normalized.slice(over.end, mention.start), talk).length === 0;
  if (over !== undefined && mention !== undefined && denies) {
    const before = over.end <= mention.start ? clause.text.slice(0, over.start) : "";
    const after = clause.text.slice(mention.end).replace(/^\s*(?:but|it was|sondern|sino|mais)\s/iu, "");
    const [said] = newItems(before.trim() === "" ? after : before, list);
    return said === undefined ? null : done(editing, valued(list, index, said), [index]);
  }
  const span = spans.find(({ start }) => mention === undefined || start >= mention.end);
  if (span !== undefined && has(editing, "not", { normalized: clause.normalized.slice(0, span.start) })) return null;
  if (span === undefined) return null;
  const [said] = [...quantityIn(clause.text.slice(span.end), list), ...newItems(clause.text.slice(span.end), list)];
  const strong = changes || talk.leads("becomes", clause.normalized.slice(span.start)) > 0;
  if (said === undefined || !strong) return null;
  return done(editing, valued(list, index, said), [index]);
};

/** "30 she forgot the rest": a number alone is a new amount of what is there. */
function quantityIn(text: string, { talk }: KeptList): string[] {
  const [remark] = talk.find("remark", toNormalizedText(text));
  const value = cleanItem(text.slice(0, remark?.start ?? text.length), talk);
  return QUANTITY.test(value) ? [value] : [];
}

const QUANTITY = /^\d[\d.,]*(?: ?\p{L}{1,6})?$/u;

/** A number changes the number of an item; anything else takes its place, and what stood there is gone. */
function valued(list: KeptList, index: number, said: string): KeptList {
  const old = list.items[index];
  if (old === undefined) return list;
  const isQuantity = QUANTITY.test(said);
  const value = !isQuantity ? said : NUMBER.test(old.value) ? old.value.replace(NUMBER, said) : `${old.value} ${said}`;
  const items = list.items.map((item, i): KeptItem => (i === index ? { ...item, value, state: "open", unsure: false } : item));
  return { ...list, items: isQuantity ? items : [...items, { ...old, state: "gone", unsure: false }] };
}

const NUMBER = /\d[\d.,]*(?: ?(?:kg|g|l|ml|lbs?|packs?|litres?))?(?!\p{L})/u;

/** "Hobnob goes to number 1", "put the roof between …": an item that is there takes another place. */
const move: Change = (editing, clause) => {
  const { list } = editing;
  const place = placeIn(clause, list);
  if (place === null || deniedIn(clause.normalized, list) || has(editing, "again", clause)) return null;
  const indexes = clause.mentions.map(({ index }) => index).filter((i) => i !== place.anchor);
  const names = contentWords(clause.normalized, list.talk, [
    "empty",
    "generic",
    "add",
    "verbs",
    "toTop",
    "toEnd",
    "before",
    "after",
    "may",
  ]);
  if (indexes.length === 0 && names.length > clause.mentions.length)
    return place.anchor !== null && !has(editing, "add", clause) ? notUnderstood(editing) : null;
  const [from, ...others] =
    indexes.length > 0 ? indexes : ([editing.pending, editing.last, editing.spoken].find((spoken) => spoken.length === 1) ?? []);
  if (from === undefined || others.length > 0) return null;
  return done(editing, moved(list, from, place), []);
};

/** Whether a clause denies, before a remark. */
function deniedIn(normalized: string, { talk }: KeptList): boolean {
  const remark = talk.find("remark", normalized).find(({ start }) => start > 0);
  return talk.has("not", normalized.slice(0, remark?.start ?? normalized.length));
}

type Place = { kind: "top" | "end" | "before" | "after"; anchor: number | null };

function placeIn({ normalized, mentions }: Clause, { talk }: KeptList): Place | null {
  for (const kind of ["before", "after"] as const)
    for (const { end } of talk.find(kind, normalized)) {
      const anchor = mentions.find(({ start }) => start >= end && start - end < 14);
      if (anchor !== undefined) return { kind, anchor: anchor.index };
    }
  if (talk.has("toTop", normalized) || endsWith("first", normalized, talk)) return { kind: "top", anchor: null };
  return talk.has("toEnd", normalized) || endsWith("last", normalized, talk) ? { kind: "end", anchor: null } : null;
}

/** "First" and "last" name a place only at the end of a clause: "last night" does not. */
function endsWith(name: "first" | "last", normalized: string, talk: KeptList["talk"]): boolean {
  return talk.find(name, normalized).some(({ end }) => {
    const rest = normalized.slice(end).trim();
    return !/[\p{L}\p{N}]/u.test(rest) || talk.leads("remark", rest) > 0;
  });
}

function moved(list: KeptList, from: number, { kind, anchor }: Place): KeptList {
  const item = list.items[from];
  if (item === undefined) return list;
  const rest = list.items.filter((_, i) => i !== from);
  const other = anchor === null ? undefined : list.items[anchor];
  const beside = other === undefined ? -1 : rest.indexOf(other);
  const at = kind === "top" ? 0 : kind === "end" || beside < 0 ? rest.length : kind === "before" ? beside : beside + 1;
  return { ...list, items: [...rest.slice(0, at), item, ...rest.slice(at)] };
}

/** "Add X", "oh and X", "X too". */
const add: Change = (editing, clause) => {
  const { list } = editing;
  const { talk } = list;
  const normalized = clause.normalized;
  const opening = /^\s*/.exec(normalized)?.[0].length ?? 0;
  const first = talk.leads("addFirst", normalized.slice(opening));
  const [verb] = talk.find("add", normalized);
  const [tail] = talk
    .find("addLast", normalized)
    .filter(({ start, end }) => start > 0 && !/[\p{L}\p{N}]/u.test(normalized.slice(end)));
  if (first === 0 && verb === undefined && tail === undefined) return null;
  if (isClosed(editing, clause, { verb, first })) return null;
  const from = Math.max(opening + first, verb?.end ?? 0);
  const values = newItems(clause.text.slice(from), list);
  const place = placeIn(clause, list);
  const spoken = clause.mentions.filter(({ index }) => index !== place?.anchor);
  // "Swap tea and cake, cake needs to come early": a remark about what was changed.
  if (spoken.length > 0 && verb !== undefined && spoken.every(({ index, end }) => end <= verb.start && editing.last.includes(index))) return null;
  if (talk.has("between", normalized) || talk.has("again", normalized) || (verb !== undefined && deniedIn(normalized.slice(verb.end), list))) return notUnderstood(editing);
  if (contentWords(normalized.slice(from), talk, ["empty", "addLast"]).length === 0) return null;
  if (values.length === 0 || values.length > MAX_NEW_ITEMS)
    return clause.mentions.length > 0 || first === 0 ? notUnderstood(editing) : null;
  const label = spoken.every(({ by }) => by === "label")
    ? (list.items[spoken[0]?.index ?? -1]?.label ?? null)
    : null;
  const [again] = spoken;
  if (again !== undefined && label === null) return addedAgain(editing, clause, values);
  const fresh = values.map((value): KeptItem => ({ label, value, state: "open", unsure: false }));
  const labelled = list.items.some(({ label }) => label !== null);
  const next = { ...list, items: [...list.items, ...fresh], unsure: list.unsure || (labelled && label === null) };
  const added = fresh.map((_, i) => list.items.length + i);
  if (place === null) return done(editing, next, added, []);
  return done(editing, added.reduce<KeptList>((kept) => moved(kept, next.items.length - 1, place), next), [], []);
};

/** A clause that takes away adds nothing, whatever its first word is. */
function isClosed(
  editing: Editing,
  { normalized, mentions }: Clause,
  { verb, first }: { verb: Span | undefined; first: number },
): boolean {
  if (verb !== undefined) return editing.list.talk.has("not", normalized.slice(0, verb.start));
  if (first > 0 && mentions.length === 0)
    return editing.list.talk.leads("remove", normalized.trimStart().slice(first).trimStart()) > 0 && first < 6;
  return (["remove", "done", "doneActive"] as const).some((name) => editing.list.talk.has(name, normalized));
}

/** What is there already is open again; more than its words is something else beside it. */
function addedAgain(editing: Editing, { mentions }: Clause, values: readonly string[]): Editing {
  const { list } = editing;
  const indexes = mentions.map(({ index }) => index);
  const known = indexes.flatMap((i) => stemsOf(list.items[i]?.value ?? "", list.talk));
  const more = values.some((value) => stemsOf(value, list.talk).some((stem) => !known.some((each) => sameStem(each, stem))));
  if (more) return notUnderstood(editing);
  return done(editing, stated(list, indexes, "open"), indexes);
}

/** The new items in a text: without remarks, places and words that only say that they are new. */
export function newItems(text: string, { talk }: Pick<KeptList, "talk">): string[] {
  const normalized = toNormalizedText(text);
  const lasts = talk.find("addLast", normalized).filter(({ end }) => contentWords(normalized.slice(end), talk).length === 0);
  const ends = (["remark", "toTop", "toEnd", "before", "after", "instead"] as const).flatMap((name) =>
    talk.find(name, normalized))
    .concat(lasts)
    .filter(({ start }) => /[\p{L}\p{N}]/u.test(normalized.slice(0, start)));
  const end = Math.min(normalized.length, ...ends.map(({ start }) => start));
  const kept = text.slice(0, end);
  const spans = talk.find("and", toNormalizedText(kept));
  const starts = [0, ...spans.map((span) => span.end)];
  const values = starts
    .map((start, i) => cleanItem(withoutLead(kept.slice(start, spans[i]?.start ?? kept.length), talk), talk))
    .filter((value) => value !== "");
  return values.every((value) => isNewItem(value, talk)) ? values : [];
}

/** A value without words before it that only say that it is new. */
function withoutLead(text: string, talk: Talk): string {
  let kept = text.trimStart();
  for (let before = ""; before !== kept; ) {
    before = kept;
    const lower = toNormalizedText(kept);
    const lead = LEADS.map((name) => talk.leads(name, lower)).find((length) => length > 0);
    if (lead !== undefined && lead < lower.length) kept = kept.slice(lead).trimStart();
  }
  return kept;
}

const LEADS: readonly TalkClass[] = ["add", "addFirst", "needs", "lead"];

function isNewItem(value: string, talk: Talk): boolean {
  const normalized = toNormalizedText(value);
  const content = contentWords(normalized, talk, ["empty", "generic", "number"]);
  return value.split(" ").length <= MAX_NEW_WORDS && talk.leads("remark", normalized) === 0 && content.length > 0;
}

/** "X is done", "got the X", "cross X off", "no X". */
const close: Change = (editing, clause) => {
  const { list } = editing;
  const state = stateIn(editing, clause);
  if (state === null) return null;
  const named = clause.mentions.map(({ index }) => index);
  if (state === "open") return named.length === 0 ? null : { ...done(editing, stated(list, named, state), named), pending: editing.pending };
  const own = [...editing.pending, ...named];
  const indexes = own.length > 0 ? own : wordsIn(clause.normalized, list.talk).length <= SHORT_WORDS ? editing.spoken : [];
  if (indexes.length === 0) return null;
  if (has(editing, "may", clause)) return null;
  return done(editing, stated(list, indexes, state), indexes);
};

function stateIn(editing: Editing, clause: Clause): ItemState | null {
  const { talk } = editing.list;
  const { normalized, mentions } = clause;
  if (talk.has("back", normalized)) return "open";
  const [mention] = mentions;
  const last = mentions.at(-1);
  const denied = (span: Span) => talk.find("not", normalized).some(({ end }) => end <= span.start);
  const named = mentions.flatMap(({ index }) => stemsOf(editing.list.items[index]?.value ?? "", talk));
  // "The scratch" of a list of damages takes nothing off.
  const isName = (span: Span) => wordsIn(normalized.slice(span.start, span.end), talk).every(({ stem }) => named.some((each) => sameStem(each, stem)));
  const gone = talk.find("remove", normalized).filter((span) => isNear(span, clause, editing.list) && !isName(span));
  const finished = [
    ...talk.find("done", normalized),
    ...talk.find("doneActive", normalized).filter(({ end }) => mention !== undefined && end <= mention.start && contentWords(normalized.slice(end, mention.start), talk).length === 0),
    ...deedsIn(clause, editing.list),
    ...(mention === undefined || last === undefined
      ? []
      : talk
          .find("doneForm", normalized)
          .filter(
            ({ start, end }) =>
              (end <= mention.start && mention.start - end < 12) || (start >= last.end && wordsIn(normalized, talk).length <= 5),
          )),
  ].filter((span) => isNear(span, clause, editing.list) && !isOfItem(normalized.slice(span.start, span.end), editing.list, mentions));
  if (finished.length > 0) return finished.some((span) => denied(span) || talk.has("future", normalized)) ? null : "done";
  if (gone.length > 0) return gone.some(denied) ? null : "gone";
  if (mention === undefined) return null;
  return /(?:^|\s)(?:no|nix|kein\w*|pas de|sin)\s+(?:more )?(?:the |any )?$/.test(normalized.slice(0, mention.start))
    ? "gone"
    : null;
}

/** Whether a verb stands near what it is said of, or the clause is short. */
function isNear(span: Span, { normalized, mentions }: Clause, { talk }: KeptList): boolean {
  if (mentions.length === 0 || wordsIn(normalized, talk).length <= SHORT_CLAUSE) return true;
  return mentions.some(({ start, end }) => {
    const between = normalized.slice(Math.min(end, span.end), Math.max(start, span.start));
    return wordsIn(between, talk).length <= NEAR_WORDS;
  });
}

const SHORT_CLAUSE = 9;
const NEAR_WORDS = 5;

/** The item's own verb in the past: "I have ridden a camel" of "ride a camel". */
function deedsIn({ normalized, mentions }: Clause, { talk, items }: KeptList): Span[] {
  if (talk.code !== "en") return [];
  const own = mentions.flatMap(({ index }) => wordsIn(toNormalizedText(items[index]?.value ?? ""), talk));
  const surface = new Set(mentions.flatMap(({ index }) => toNormalizedText(items[index]?.value ?? "").split(/[^a-z']+/)));
  return wordsIn(normalized, talk).filter(({ start, end, stem }) => {
    const word = normalized.slice(start, end);
    const isPast = /[a-z]{3}ed$/.test(word) || IRREGULAR_FORMS.has(word);
    return isPast && !surface.has(word) && own.some((each) => each.stem === stem);
  });
}

/** Whether a verb stands in the item in this very form: "pay the rent" is not done because somebody says "pay". */
function isOfItem(verb: string, { items }: KeptList, mentions: readonly Mention[]): boolean {
  return mentions.some(({ index }) =>
    new RegExp(`(?<!\\p{L})${verb.replace(/[^\p{L} '-]/gu, ".")}(?!\\p{L})`, "u").test(toNormalizedText(items[index]?.value ?? "")),
  );
}

function stated(list: KeptList, indexes: readonly number[], state: ItemState): KeptList {
  return { ...list, items: list.items.map((item, i) => (indexes.includes(i) ? { ...item, state, unsure: false } : item)) };
}

/** "Make it b, a, c": all open items and nothing else, in another order. */
const reorder: Change = (editing, { mentions }) => {
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
const misplaced: Change = (editing, clause) => {
  const { talk } = editing.list;
  const places = (["toTop", "toEnd", "swap"] as const).some((name) => talk.has(name, clause.normalized));
  return places && clause.mentions.length === 0 && editing.last.length === 0 && editing.list.ordered
    ? notUnderstood(editing)
    : null;
};

const CHANGES: readonly Change[] = [clear, swap, reorder, setRank, move, replace, add, close, misplaced];
