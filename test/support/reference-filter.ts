import type { VectorFilter, VectorMetadata } from "#ports/vector-index";

type Value = string | number;
type Operators = Record<string, unknown>;

/** The meaning of a filter, written as plainly as possible; every index must agree with it. */
export function passes(metadata: Readonly<Record<string, unknown>>, filter: Readonly<Record<string, unknown>>): boolean {
  return Object.entries(filter).every(([key, condition]) => {
    if (condition === undefined) return true;
    const stored = metadata[key];
    if (!isValue(stored)) return false;
    return Object.entries(asOperators(condition)).every(([operator, operand]) => holds(stored, operator, operand));
  });
}

/** `passes` for the port's own types. */
export function passesFilter(metadata: VectorMetadata, filter: VectorFilter): boolean {
  return passes(metadata, filter);
}

function asOperators(condition: unknown): Operators {
  return typeof condition === "object" && condition !== null ? { ...condition } : { $eq: condition };
}

function holds(stored: Value, operator: string, operand: unknown): boolean {
  if (operand === undefined) return true;
  switch (operator) {
    case "$eq":
      return stored === operand;
    case "$ne":
      return stored !== operand;
    case "$in":
      return Array.isArray(operand) && operand.includes(stored);
    case "$nin":
      return Array.isArray(operand) && !operand.includes(stored);
    case "$lt":
      return isValue(operand) && compare(stored, operand) < 0;
    case "$lte":
      return isValue(operand) && compare(stored, operand) <= 0;
    case "$gt":
      return isValue(operand) && compare(stored, operand) > 0;
    case "$gte":
      return isValue(operand) && compare(stored, operand) >= 0;
    default:
      throw new Error(`no such operator: ${operator}`);
  }
}

/** Texts by their UTF-8 bytes, as SQLite and Vectorize order them; a number and a text are never in order. */
function compare(a: Value, b: Value): number {
  if (typeof a === "number" && typeof b === "number") return a - b;
  if (typeof a === "string" && typeof b === "string")
    return compareBytes(new TextEncoder().encode(a), new TextEncoder().encode(b));
  return Number.NaN;
}

function compareBytes(a: Uint8Array, b: Uint8Array): number {
  const at = a.findIndex((byte, position) => byte !== b[position]);
  return at === -1 ? a.length - b.length : (a[at] ?? 0) - (b[at] ?? -1);
}

function isValue(value: unknown): value is Value {
  return typeof value === "string" || typeof value === "number";
}
