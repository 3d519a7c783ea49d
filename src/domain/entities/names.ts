import { findSecrets } from "#core/safety/find-secrets";
import { nameKey, normalise, storable } from "#core/text/normalize";

export const MAX_NAME = 200;
export const MAX_TYPE = 40;
/** For one mention; an entity may collect twice as much. */
export const MAX_NOTES = 500;

export type EntityInput = { type: string; name: string; notes?: string | null | undefined };

/** A name as it is stored; `key` identifies an entity within its project and type. */
export type EntityDraft = { type: string; name: string; key: string; notes: string | null };

/** A type is one word or a few in lower case: "Tool " and "tool" are one. */
export function entityType(type: string): string {
  return oneLine(normalise(type)).toLowerCase();
}

/** `nameKey`, but the signs that distinguish names of tools count: C, C++, C# and .NET are four. */
export function entityKey(name: string): string {
  return nameKey(
    name
      .replaceAll(/[#♯]/g, " sharp ")
      .replaceAll("+", " plus ")
      .replace(/^\s*\.(?=\p{L})/u, "dot "),
  );
}

/** The storable form of a mention: null if its name or type is empty after cleaning, or one of its texts holds a secret. */
export function parseEntityInput(input: EntityInput): EntityDraft | null {
  const name = cut(oneLine(storable(input.name)), MAX_NAME);
  const notes = cut(storable(input.notes ?? "").trim(), MAX_NOTES);
  const type = cut(entityType(storable(input.type)), MAX_TYPE);
  const key = entityKey(name);
  if (key === "" || type === "") return null;
  if ([type, name, notes, `${name} ${notes}`].some((text) => findSecrets(text).length > 0)) return null;
  return { type, name, key, notes: notes === "" ? null : notes };
}

function oneLine(text: string): string {
  return text.replace(/\s+/gu, " ").trim();
}

/** Cuts at a blank if there is one in the last fifth, and never inside a surrogate pair. */
function cut(text: string, limit: number): string {
  if (text.length <= limit) return text;
  const blank = text.lastIndexOf(" ", limit);
  const end = blank > limit * 0.8 ? blank : limit;
  return text
    .slice(0, end)
    .replace(/[\ud800-\udbff]$/, "")
    .trim();
}
