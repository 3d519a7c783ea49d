import { toNormalizedText } from "#core/language/folded";
import { asks } from "./asks.ts";
import { add } from "./edit-additions.ts";
import { misplaced, reorder, setRank, swap } from "./edit-order.ts";
import { move } from "./edit-places.ts";
import { clear, close } from "./edit-states.ts";
import { replace } from "./edit-values.ts";
import { type Change, type Clause, type Editing, notUnderstood } from "./editing.ts";
import { type KeptItem, type KeptList, type Mention, mentionsIn } from "./kept-list.ts";
import { clausesOf, withEnumeration } from "./list-clauses.ts";
import { plainLine } from "./list-statement.ts";
import { sentencesWithMarks } from "./split-items.ts";

/** `changed`: the message speaks of the list. What it says of it may have been understood or not (`unsure`). */
export type Edited = { list: KeptList; changed: boolean };

const MAX_UNITS = 700;

/** What a later message of its speaker does to a list. */
export function applyEdit(list: KeptList, message: string): Edited {
  const plain = plainLine(message);
  if (plain.length > MAX_UNITS)
    return { list: mentionsIn(plain, list).length > 0 ? { ...list, unsure: true } : list, changed: false };
  let editing: Editing = { list, pending: [], last: [], spoken: [], changed: false };
  for (const sentence of sentencesWithMarks(plain)) {
    if (asks(sentence, list.talk)) continue;
    const ordered = reorder(editing, clauseIn(sentence, editing.list));
    if (ordered !== null) editing = ordered;
    else {
      const { clauses, isOpen } = withEnumeration(clausesOf(sentence, editing.list), editing.list);
      for (const text of clauses) editing = applyClause(editing, text);
      if (isOpen && editing.changed) editing = notUnderstood(editing);
    }
    editing = settle(editing);
  }
  return { list: withoutUnexplained(list, editing, mentionsIn(plain, list)), changed: editing.changed };
}

/**
 * In a message that changed other items, an item that is named and stays as it was may have been changed too: "did the museum, and the tarts".
 * Where the order changed, it may have been the place that something was moved to.
 */
function withoutUnexplained(before: KeptList, { list, changed }: Editing, mentions: readonly Mention[]): KeptList {
  const named = mentions.map(({ index }) => index).filter((index) => isSame(before.items[index], list.items[index]));
  const isReordered = before.items.some((item, i) => list.items[i]?.value !== item.value);
  const hasClosed = before.items.some((item, i) => list.items[i]?.state !== item.state);
  return changed && hasClosed && !isReordered ? unsureOf(list, named) : list;
}

function isSame(one: KeptItem | undefined, other: KeptItem | undefined): boolean {
  return one !== undefined && one.value === other?.value && one.state === "open" && other.state === "open";
}

const CHANGES: readonly Change[] = [clear, swap, setRank, move, replace, add, close, misplaced];

function clauseIn(text: string, list: KeptList): Clause {
  return { text, normalized: toNormalizedText(text), mentions: mentionsIn(text, list) };
}

function applyClause(editing: Editing, text: string): Editing {
  const { list } = editing;
  const clause = clauseIn(text, list);
  for (const change of CHANGES) {
    const next = change(editing, clause);
    if (next !== null) return next;
  }
  const spoken = clause.mentions.map(({ index }) => index).filter((i) => !editing.last.includes(i));
  return { ...editing, pending: [...editing.pending, ...spoken] };
}

/** Items that a sentence speaks of without a change that is understood are not sure any more. */
function settle(editing: Editing): Editing {
  if (editing.pending.length === 0) return editing;
  return { ...editing, list: unsureOf(editing.list, editing.pending), pending: [], spoken: editing.pending, changed: true };
}

function unsureOf(list: KeptList, indexes: readonly number[]): KeptList {
  return { ...list, items: list.items.map((item, i) => (indexes.includes(i) ? { ...item, unsure: true } : item)) };
}
