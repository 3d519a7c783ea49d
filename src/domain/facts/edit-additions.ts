import { toNormalizedText } from "#core/language/folded";
import { rankSpans } from "./ask-rank.ts";
import { deniedIn, moved, placeIn } from "./edit-places.ts";
import { type Change, type Clause, done, type Editing, notUnderstood, stated } from "./editing.ts";
import { type KeptItem, type KeptList, stemsOf } from "./kept-list.ts";
import { newItems } from "./new-items.ts";
import { contentWords, type Span, sameStem } from "./talk-words.ts";

const MAX_NEW_ITEMS = 6;

/** "Add X", "oh and X", "X too". */
export const add: Change = (editing, clause) => {
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
  if (
    spoken.length > 0 &&
    verb !== undefined &&
    spoken.every(({ index, end }) => end <= verb.start && editing.last.includes(index))
  )
    return null;
  if (
    talk.has("between", normalized) ||
    talk.has("again", normalized) ||
    isToldOfOthers(clause, verb, list) ||
    (verb !== undefined && deniedIn(normalized.slice(verb.end), list))
  )
    return notUnderstood(editing);
  if (contentWords(normalized.slice(from), talk, ["empty", "addLast"]).length === 0) return null;
  // "Put Horses at number 2" says a place that is not understood.
  if (place === null && values.some((value) => rankSpans(toNormalizedText(value), talk).length > 0))
    return notUnderstood(editing);
  if (values.length === 0 || values.length > MAX_NEW_ITEMS)
    return clause.mentions.length > 0 || first === 0 ? notUnderstood(editing) : null;
  const label = spoken.every(({ by }) => by === "label") ? (list.items[spoken[0]?.index ?? -1]?.label ?? null) : null;
  const [again] = spoken;
  if (again !== undefined && label === null) return addedAgain(editing, clause, values);
  const fresh = values.map((value): KeptItem => ({ label, value, state: "open", unsure: false, odds: 1 }));
  const labelled = list.items.some(({ label }) => label !== null);
  const next = { ...list, items: [...list.items, ...fresh], unsure: list.unsure || (labelled && label === null) };
  const added = fresh.map((_, i) => list.items.length + i);
  if (place === null) return done(editing, next, added, []);
  return done(
    editing,
    added.reduce<KeptList>((kept) => moved(kept, next.items.length - 1, place), next),
    [],
    [],
  );
};

/** "Somebody put an offer in" is no order to put something on the list. */
function isToldOfOthers({ normalized, mentions }: Clause, verb: Span | undefined, { talk }: KeptList): boolean {
  if (verb === undefined || talk.has("needs", normalized.slice(verb.start, verb.end))) return false;
  const before = contentWords(normalized.slice(0, verb.start), talk);
  return before.some((word) => !mentions.some(({ start, end }) => start <= word.start && word.end <= end));
}

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
