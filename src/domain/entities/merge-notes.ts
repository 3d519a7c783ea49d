import { nameKey } from "#core/text/normalize";

/** What an entity gathers of notes; what comes when it is full is left out. */
export const MAX_MERGED_CHARACTERS = 1_000;

/**
 * What was noted before and what is noted now, each on a line of its own. What says nothing new (the same words in the same order)
 * adds nothing, and what says all that was known and more takes its place. Doing it again changes nothing.
 */
export function mergeNotes(known: string | null, added: string | null): string | null {
  const addedKey = nameKey(added ?? "");
  if (added === null || addedKey === "") return known;
  const knownKey = nameKey(known ?? "");
  if (known === null || holds(addedKey, knownKey)) return added;
  if (holds(knownKey, addedKey)) return known;
  const both = `${known}\n${added}`;
  return both.length > MAX_MERGED_CHARACTERS ? known : both;
}

/** Whether the words of one are in the other, in their order. */
function holds(whole: string, part: string): boolean {
  return ` ${whole} `.includes(` ${part} `);
}
