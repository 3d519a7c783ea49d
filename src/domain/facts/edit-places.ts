import { type Change, type Clause, done, has, notUnderstood } from "./editing.ts";
import type { KeptList } from "./kept-list.ts";
import { contentWords } from "./talk-words.ts";

/** "Hobnob goes to number 1", "put the roof between …": an item that is there takes another place. */
export const move: Change = (editing, clause) => {
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
export function deniedIn(normalized: string, { talk }: KeptList): boolean {
  const remark = talk.find("remark", normalized).find(({ start }) => start > 0);
  return talk.has("not", normalized.slice(0, remark?.start ?? normalized.length));
}

type Place = { kind: "top" | "end" | "before" | "after"; anchor: number | null };

export function placeIn({ normalized, mentions }: Clause, { talk }: KeptList): Place | null {
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

export function moved(list: KeptList, from: number, { kind, anchor }: Place): KeptList {
  const item = list.items[from];
  if (item === undefined) return list;
  const rest = list.items.filter((_, i) => i !== from);
  const other = anchor === null ? undefined : list.items[anchor];
  const beside = other === undefined ? -1 : rest.indexOf(other);
  const at = kind === "top" ? 0 : kind === "end" || beside < 0 ? rest.length : kind === "before" ? beside : beside + 1;
  return { ...list, items: [...rest.slice(0, at), item, ...rest.slice(at)] };
}
