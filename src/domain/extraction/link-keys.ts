import { lowerCase } from "#core/language/folded";
import { endsSoon } from "#core/language/frames";
import { correctsItself, namesSeveral, returnsIn } from "#core/language/slots";
import type { Replaceable } from "./find-replaceable.ts";
import type { Statement } from "./to-memory-draft.ts";
import { saysEnd } from "./updates/find-replaced.ts";
import { readStatement } from "./updates/read-statement.ts";

/** A memory of the speaker's own that may have a key, with the contents that its key had before. */
export type Keyed = Pick<Replaceable, "content" | "key" | "validFrom" | "earlier">;

/** What is meant otherwise is said so within so many milliseconds. */
const CORRECTED_WITHIN_MS = 10 * 60_000;
/** A longer correction says something else as well. */
const MAX_CORRECTION_WORDS = 10;

/** Whether the keys of earlier memories may decide the key of a statement. */
export function mayTakeKey(content: string): boolean {
  return returnsIn(content).length > 0 || correctsItself(content) || saysEnd(content);
}

/**
 * The key of a statement among the speaker's earlier memories. One that goes back to a value which a key had before, or corrects the value that
 * it got just now, gets that key; one that ends one value of several, or a value that the key does not have, gets none.
 */
export function keyAmong(
  { content, key, at }: Pick<Statement, "content" | "key" | "at">,
  known: readonly Keyed[],
): string | null {
  const keyed = known.filter((memory) => isOwnValue(memory.key) && memory.validFrom <= at);
  if (key !== null) return endsAnother(content, { key, known }) ? null : key;
  return keyOfReturn(content, keyed) ?? keyOfCorrection(content, keyed, at);
}

/** Whether a key is of a value that only the speaker themselves can change. */
export function isOwnValue(key: string | null): key is string {
  return key !== null && (key.startsWith("identity:") || key.startsWith("preference:favorite_"));
}

function keyOfReturn(content: string, keyed: readonly Keyed[]): string | null {
  if (endsSoon(lowerCase(content))) return null;
  const stems = returnsIn(content).flatMap((clause) => [...readStatement(clause).stems]);
  const keys = keyed.flatMap(({ key, content: current, earlier }) => {
    const now = readStatement(current).stems;
    const before = new Set(earlier.flatMap((value) => [...readStatement(value).stems]));
    return stems.some((stem) => before.has(stem) && !now.has(stem)) ? [key] : [];
  });
  return keys.length === 1 ? (keys[0] ?? null) : null;
}

function keyOfCorrection(content: string, keyed: readonly Keyed[], at: number): string | null {
  const { stems, tokens } = readStatement(content);
  if (tokens > MAX_CORRECTION_WORDS || stems.size === 0 || !correctsItself(content)) return null;
  const recent = keyed
    .filter(({ validFrom }) => at - validFrom <= CORRECTED_WITHIN_MS)
    .toSorted((a, b) => b.validFrom - a.validFrom);
  const named = recent.filter(({ content: current }) => shares(readStatement(current).stems, stems));
  return (named.length > 0 ? named : recent)[0]?.key ?? null;
}

function endsAnother(content: string, { key, known }: { key: string; known: readonly Keyed[] }): boolean {
  if (!saysEnd(content)) return false;
  const { stems, names } = readStatement(content);
  if (known.some((memory) => namesSeveral(memory.content) && shares(readStatement(memory.content).stems, stems))) return true;
  const holder = known.find((memory) => memory.key === key);
  const held = holder === undefined ? null : readStatement(holder.content);
  return held !== null && held.names.size > 0 && names.size > 0 && !shares(held.stems, stems);
}

function shares(a: ReadonlySet<string>, b: ReadonlySet<string>): boolean {
  return [...a].some((stem) => b.has(stem));
}
