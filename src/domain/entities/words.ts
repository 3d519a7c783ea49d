import { indexTokens } from "#core/text/analyse";

export type Worded = { type: string; name: string; notes: string | null };

/** The text of an entity that is embedded. */
export function textOf({ type, name, notes }: Worded): string {
  return notes === null ? `${name} (${type})` : `${name} (${type}): ${notes}`;
}

/** The text column of the index. */
export function wordsOf(entity: Worded): string {
  return indexTokens(textOf(entity), null);
}
