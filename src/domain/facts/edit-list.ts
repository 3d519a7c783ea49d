import { toNormalizedText } from "#core/language/folded";
import { asks } from "./asks.ts";
import { add } from "./edit-additions.ts";
import { misplaced, reorder, setRank, swap } from "./edit-order.ts";
import { move } from "./edit-places.ts";
import { clear, close } from "./edit-states.ts";
import { replace } from "./edit-values.ts";
import type { Change, Clause, Editing } from "./editing.ts";
import { type KeptList, mentionsIn } from "./kept-list.ts";
import { clausesOf } from "./list-clauses.ts";
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
    else for (const text of clausesOf(sentence, editing.list)) editing = applyClause(editing, text);
    editing = settle(editing);
  }
  return { list: editing.list, changed: editing.changed };
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
