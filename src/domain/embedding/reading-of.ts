import type { Ctx } from "#context";
import type { Reading } from "#ports/embedder";

/** The built-in embedder knows words of English only: a question without them is compared by its letters. */
export function readingOf({ embedder }: Ctx<"embedder">, query: string): Reading {
  return embedder.readingOf?.(query) ?? embedder;
}
