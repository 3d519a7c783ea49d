import { misconfigured, upstreamFailed } from "#core/errors";
import { toUnitVector } from "./vectors.ts";

/** Some models refuse an empty text; a space is the shortest text that all of them accept. */
export const BLANK = " ";

export type ExpectedVectors = { count: number; dimensions: number; who: string };

/** Checks a model's rows and scales each to unit length; their values never enter an error message. */
export function readVectors(rows: readonly unknown[], { count, dimensions, who }: ExpectedVectors): Float32Array[] {
  if (rows.length !== count) throw upstreamFailed(`${who} answered ${rows.length} vectors for ${count} texts.`);
  return rows.map((row) => {
    if (!isNumbers(row)) throw upstreamFailed(`${who} answered something that is no vector.`);
    if (row.length !== dimensions) throw wrongDimension(row.length, dimensions, who);
    const vector = toUnitVector(row);
    if (!vector) throw upstreamFailed(`${who} answered a vector that has no direction.`);
    return vector;
  });
}

function wrongDimension(found: number, configured: number, who: string) {
  return misconfigured(
    `${who} makes vectors of ${found} dimensions, but ${configured} are configured. ` +
      `Set EMBEDDING_DIMENSIONS to ${found}, or choose a model that makes ${configured}.`,
  );
}

function isNumbers(row: unknown): row is number[] {
  return Array.isArray(row) && row.every((value) => typeof value === "number");
}
