import type { ItemState, KeptList, Mention } from "./kept-list.ts";
import type { TalkClass } from "./talk-words.ts";

export type Clause = { text: string; normalized: string; mentions: Mention[] };

/** A list in the middle of a message: items that were spoken of without a verb yet, and the last ones that were changed. */
export type Editing = { list: KeptList; pending: number[]; last: number[]; spoken: number[]; changed: boolean };

export type Change = (editing: Editing, clause: Clause) => Editing | null;

export const done = (editing: Editing, list: KeptList, last: number[], spoken: number[] = last): Editing => ({
  ...editing,
  list,
  last,
  spoken,
  pending: [],
  changed: true,
});

export const notUnderstood = (editing: Editing): Editing => done(editing, { ...editing.list, unsure: true }, []);

export function has(editing: Editing, name: TalkClass, { normalized }: Pick<Clause, "normalized">): boolean {
  return editing.list.talk.has(name, normalized);
}

export function stated(list: KeptList, indexes: readonly number[], state: ItemState): KeptList {
  return { ...list, items: list.items.map((item, i) => (indexes.includes(i) ? { ...item, state, unsure: false } : item)) };
}

export function openIndexes({ items }: Pick<KeptList, "items">): number[] {
  return items.flatMap(({ state }, i) => (state === "open" ? [i] : []));
}
