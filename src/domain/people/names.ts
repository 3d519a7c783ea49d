import { nameKey } from "#core/text/normalize";

export type Named = { name: string; aliases: readonly string[] };

/** A person's names, and the app's id of a user, which also finds their own person. */
export type Findable = Named & { userId: string | null };

/** The keys by which a person is looked up. */
export function keysOf({ name, aliases, userId }: Findable): string[] {
  const keys = [name, ...aliases, ...(userId === null ? [] : [userId])].map(nameKey);
  return [...new Set(keys)].filter((key) => key !== "");
}

/** The aliases without those that are looked up like the name or like an earlier alias. */
export function distinctAliases({ name, aliases }: Named): string[] {
  return newNames([nameKey(name)], aliases);
}

/** The survivor's aliases after a merge, and which of them it did not have before. */
export function joinNames(into: Findable, from: Named): { aliases: string[]; added: string[] } {
  const added = newNames(keysOf(into), [from.name, ...from.aliases]);
  return { aliases: [...into.aliases, ...added], added };
}

function newNames(known: readonly string[], names: readonly string[]): string[] {
  const keys = new Set(known);
  return names.filter((name) => {
    const key = nameKey(name);
    const isNew = !keys.has(key);
    keys.add(key);
    return isNew;
  });
}

/** A later merge into the same survivor: the names it added, and the names of the merged person. */
type LaterMerge = { id: number; added: readonly string[]; names: readonly string[] };

/**
 * The survivor's aliases after undoing a merge that had added some. A name that a person merged later has too is kept, and counts as added
 * by that merge from now on: `inherited` has the later merges whose added names change.
 */
export function partNames(
  { aliases, added }: { aliases: readonly string[]; added: readonly string[] },
  later: readonly LaterMerge[],
): { aliases: string[]; inherited: { id: number; added: string[] }[] } {
  const leaving = new Map(aliases.filter((alias) => added.includes(alias)).map((alias) => [nameKey(alias), alias]));
  const inherited = later.flatMap((merge) => {
    const kept = [...new Set(merge.names.map(nameKey))].flatMap((key) => {
      const alias = leaving.get(key);
      leaving.delete(key);
      return alias ?? [];
    });
    return kept.length === 0 ? [] : [{ id: merge.id, added: [...merge.added, ...kept] }];
  });
  const gone = new Set(leaving.values());
  return { aliases: aliases.filter((alias) => !gone.has(alias)), inherited };
}
