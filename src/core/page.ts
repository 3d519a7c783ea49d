import { breaksRule } from "./errors.ts";

/** A page of a list, with the cursor of the next one; `null` on the last. */
export type Page<T> = { items: T[]; nextCursor: string | null };

/** Opaque to clients, but not secret: it may only hold what the list itself shows (positions, times, public ids). */
export function encodeCursor(position: readonly (string | number)[]): string {
  return btoa(encodeURIComponent(JSON.stringify(position)))
    .replaceAll("+", "-")
    .replaceAll("/", "_")
    .replaceAll("=", "");
}

/** Reads a cursor whose parts have these types, or throws `unprocessable` naming the field. */
export function decodeCursor(cursor: string, types: readonly ("string" | "number")[]): (string | number)[] {
  try {
    const parsed: unknown = JSON.parse(decodeURIComponent(atob(cursor.replaceAll("-", "+").replaceAll("_", "/"))));
    if (Array.isArray(parsed) && parsed.length === types.length && parsed.every((part, i) => typeof part === types[i]))
      return parsed;
  } catch {
    throw breaksRule("cursor", "This cursor was not made by this list.");
  }
  throw breaksRule("cursor", "This cursor was not made by this list.");
}

/** Cuts rows fetched with `limit + 1` to a page: the one row too many only tells that there is more. */
export function toPage<Row, T>(
  rows: readonly Row[],
  limit: number,
  view: { item: (row: Row) => T; position: (row: Row) => (string | number)[] },
): Page<T> {
  const shown = rows.slice(0, limit);
  const last = shown.at(-1);
  return {
    items: shown.map(view.item),
    nextCursor: rows.length > limit && last !== undefined ? encodeCursor(view.position(last)) : null,
  };
}
