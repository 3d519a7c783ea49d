/**
 * Requires a value that JSON holds whole. A field that is undefined may be left out: it reads the same.
 *
 * @throws TypeError for any other.
 */
export function requireJson(value: unknown): void {
  if (typeof value !== "object" || value === null) throw lost(value);
  requireInner(value, []);
}

function requireInner(value: unknown, within: readonly object[]): void {
  if (value === null || typeof value === "string" || typeof value === "boolean") return;
  if (typeof value === "number" && Number.isFinite(value) && !Object.is(value, -0)) return;
  if (typeof value !== "object" || !isPlain(value)) throw lost(value);
  if (within.includes(value))
    throw new TypeError("A value is stored as JSON, which cannot hold an object that is within itself.");
  const path = [...within, value];
  if (Array.isArray(value)) for (const inner of value) requireInner(inner, path);
  else for (const inner of Object.values(value)) if (inner !== undefined) requireInner(inner, path);
}

/** Whether JSON returns the same kind of object with all of its properties. Objects of other realms count. */
function isPlain(value: object): boolean {
  const names = Object.keys(value).length;
  if (Array.isArray(value)) return names === value.length && Reflect.ownKeys(value).length === names + 1;
  const prototype: unknown = Object.getPrototypeOf(value);
  const isRecord = prototype === null || Object.getPrototypeOf(prototype) === null;
  return isRecord && Reflect.ownKeys(value).length === names;
}

/** Names the kind of what would be lost, not its content. */
function lost(value: unknown): TypeError {
  return new TypeError(
    `A value is stored as JSON, which cannot hold ${kindOf(value)} as it is. Put texts, finite numbers, true, false, null, and lists and plain objects of these.`,
  );
}

function kindOf(value: unknown): string {
  if (Object.is(value, -0)) return "-0";
  if (Array.isArray(value)) return "a list with holes or with fields of its own";
  if (typeof value !== "object" || value === null) return typeof value === "number" ? String(value) : `the ${typeof value} in it`;
  return isInstance(value)
    ? `the ${value.constructor.name || "instance of a class"} in it`
    : "the hidden fields of an object in it";
}

function isInstance(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype !== null && prototype !== Object.prototype && typeof value.constructor === "function";
}
