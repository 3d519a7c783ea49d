import { z } from "zod";
import { breaksRule } from "#core/errors";

/** Reads where a walk stands. The doctor's cursors go through the hands of callers, who may have made one up. */
export function readCursor<T>(schema: z.ZodType<T>, cursor: string): T {
  const parsed = schema.safeParse(parsedOf(cursor));
  if (!parsed.success) throw breaksRule("cursor", "This cursor was not made by this list.");
  return parsed.data;
}

/** The internal id of the last row that a walk has done; 0 at the start. */
export function rowOfCursor(cursor: string): number {
  return cursor === "" ? 0 : readCursor(z.number().int(), cursor);
}

function parsedOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
