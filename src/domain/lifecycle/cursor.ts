import type { z } from "zod";
import { invalid } from "#core/errors";

/** Reads where a walk stands. The doctor's cursors go through the hands of callers, who may have made one up. */
export function readCursor<T>(schema: z.ZodType<T>, cursor: string): T {
  const parsed = schema.safeParse(parsedOf(cursor));
  if (!parsed.success) throw invalid("cursor", "This cursor was not made by this list.");
  return parsed.data;
}

function parsedOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
