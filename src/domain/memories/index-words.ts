import { type SQL, sql } from "drizzle-orm";
import { wordsAskedBy } from "#core/language/asked-words";
import { analyse, indexTokens } from "#core/text/analyse";
import { SUMMARY_SOURCE } from "#db/schema/memories";
import type { StoredMemory } from "./rows.ts";

/**
 * Before words of a memory's key and metadata in the text index. Memories from elsewhere are shown without these, so only searches of the
 * viewer's own spaces look for words with it. It is no letter or digit, so no text has such a word.
 */
export const MARK = "†";

/** The values of `source` in metadata that extraction writes. */
const EXTRACTORS: ReadonlySet<string> = new Set(["rules", "judge", "model"]);

/** Words of the key and the metadata of one memory. */
const MAX_MARKS = 200;

type Indexed = Pick<StoredMemory, "content" | "key" | "metadata">;

/** The words of a memory in the text index: those of its content, and with `MARK` those of its key and of texts in its metadata. */
export function indexedWords({ content, key, metadata }: Indexed): string {
  const beside = [...(key === null ? [] : [wordsAskedBy(key)]), ...textsIn(metadata)].join("\n");
  const marks = [...new Set(analyse(beside))].slice(0, MAX_MARKS).map((word) => `${MARK}${word}`);
  return [indexTokens(content, null), ...marks].join(" ");
}

/** The texts in metadata. Extraction's own notes on how it found a memory, and what a summary cites, are nobody's words. */
function textsIn(metadata: Record<string, unknown>): string[] {
  const { source, category, ...others } = metadata;
  if (source === SUMMARY_SOURCE) return [];
  const isNote = typeof source === "string" && EXTRACTORS.has(source);
  const texts: string[] = [];
  const walk = (value: unknown): void => {
    if (typeof value === "string") texts.push(value);
    else if (typeof value === "object" && value !== null) for (const inner of Object.values(value)) walk(inner);
  };
  walk(isNote ? others : metadata);
  return texts;
}

/**
 * The token of a space's memories of one type, of the row `m`. Every entry of the text index has it, except those that were written before
 * it was, which also lack the words of key and metadata.
 */
export const typeTokenOf: SQL = sql`('s' || m.space_id || m.type)`;

/** A MATCH for the memories of one type in one space. */
export function ownTypeMatch(spaceId: SQL, type: SQL): SQL {
  return sql`'space : "s' || ${spaceId} || ${type} || '"'`;
}
