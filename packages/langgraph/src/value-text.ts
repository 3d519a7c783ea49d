/** The most characters of a memory's words. */
const MAX_CHARACTERS = 4_000;

type Leaf = { name: string; text: string };

/**
 * The text by which a value is searched for: that of its fields, or of those that `index` names. One field is its own text, several are
 * lines with names. Empty if there is none.
 *
 * @throws TypeError for a path that it cannot follow.
 */
export function textOf(value: Readonly<Record<string, unknown>>, index?: readonly string[]): string {
  const leaves = (index ?? ["$"]).flatMap((path) => leavesOf(path, value));
  const [only] = leaves;
  const lines = leaves.length === 1 && only !== undefined ? [only.text] : leaves.map(({ name, text }) => `${name}: ${text}`);
  return lines.join("\n").slice(0, MAX_CHARACTERS).toWellFormed();
}

function leavesOf(path: string, value: unknown): Leaf[] {
  const steps = stepsOf(path);
  return followed(value, steps).flatMap((found) => leavesIn(found, steps.findLast((step) => !step.startsWith("[")) ?? ""));
}

/** `chapters[*].title` as `chapters`, `[*]`, `title`. */
function stepsOf(path: string): string[] {
  if (path === "$") return [];
  const steps = path.match(/\[(?:\*|-?\d+)\]|[^.[\]{}]+/g) ?? [];
  if (steps.join("") !== path.replaceAll(".", "") || steps.length === 0)
    throw new TypeError(
      `EdgewiseStore cannot index by a path like this. Write fields and elements: "title", "author.name", "chapters[*].title", "tags[0]".`,
    );
  return steps;
}

function followed(value: unknown, [step, ...rest]: readonly string[]): unknown[] {
  if (step === undefined) return [value];
  if (step === "[*]") return Array.isArray(value) ? value.flatMap((inner) => followed(inner, rest)) : [];
  if (step.startsWith("[")) {
    const inner: unknown = Array.isArray(value) ? value.at(Number(step.slice(1, -1))) : undefined;
    return inner === undefined ? [] : followed(inner, rest);
  }
  if (typeof value !== "object" || value === null || !Object.hasOwn(value, step)) return [];
  return followed(Reflect.get(value, step), rest);
}

/** The texts, numbers and truth values in a value, each under the name of its field. */
function leavesIn(value: unknown, name: string): Leaf[] {
  if (typeof value === "string") return value.trim() === "" ? [] : [{ name, text: value.trim() }];
  if (typeof value === "number" || typeof value === "boolean") return [{ name, text: String(value) }];
  if (Array.isArray(value)) return value.flatMap((inner) => leavesIn(inner, name));
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([field, inner]) => leavesIn(inner, field));
}
