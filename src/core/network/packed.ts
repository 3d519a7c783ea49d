/** A table as it is stored: signed bytes in base64, in units of `scale`. */
export type PackedTable = { weights: string; scale: number };

export function unpackTable({ weights, scale }: PackedTable): Float32Array {
  return Float32Array.from(atob(weights), (unit) => ((unit.charCodeAt(0) << 24) >> 24) * scale);
}
