import { breaksRule } from "./errors.ts";

/** A page of a list, with the cursor of the next one; `null` on the last. */
export type Page<T> = { items: T[]; nextCursor: string | null };

/** All lists that have cursors. A cursor names its list, so that no list accepts the cursor of another. */
export const LISTS = [
  "audit",
  "audit-erase",
  "doctor",
  "entities",
  "episodes",
  "facts",
  "files",
  "forgettings",
  "jobs",
  "jobs-rerun",
  "keys",
  "memories",
  "mentions",
  "people",
  "projects",
  "review",
  "sessions",
  "sources",
  "topics",
  "tree",
] as const;
export type List = (typeof LISTS)[number];

/** Opaque to clients, but not secret: it may only hold what the list itself shows (positions, times, public ids). */
export function encodeCursor(list: List, position: readonly (string | number)[]): string {
  return btoa(encodeURIComponent(JSON.stringify([list, ...position])))
    .replaceAll("+", "-")
    .replaceAll("/", "_")
    .replaceAll("=", "");
}

/**
 * Parses a cursor of the list, whose parts have these types.
 * @throws unprocessable, naming the field.
 */
export function decodeCursor(list: List, cursor: string, types: readonly ("string" | "number")[]): (string | number)[] {
  const [of, ...position] = partsOf(cursor);
  if (of !== list || position.length !== types.length || !position.every((part, i) => typeof part === types[i]))
    throw breaksRule("cursor", "This cursor was not made by this list.");
  return position;
}

function partsOf(cursor: string): (string | number)[] {
  try {
    const parsed: unknown = JSON.parse(decodeURIComponent(atob(cursor.replaceAll("-", "+").replaceAll("_", "/"))));
    return Array.isArray(parsed) ? parsed : [];
  } catch {
    return [];
  }
}

/** Cuts rows fetched with `limit + 1` to a page: the extra row only shows that there are more. */
export function toPage<Row, T>(
  rows: readonly Row[],
  limit: number,
  view: { list: List; item: (row: Row) => T; position: (row: Row) => (string | number)[] },
): Page<T> {
  const shown = rows.slice(0, limit);
  const last = shown.at(-1);
  return {
    items: shown.map(view.item),
    nextCursor: rows.length > limit && last !== undefined ? encodeCursor(view.list, view.position(last)) : null,
  };
}
