import path from "node:path";
import { parseSync } from "oxc-parser";
import type { Plugin } from "vitest/config";

type Node = { type: string; start: number; end: number; [field: string]: unknown };

/** What a counted function calls first, with its id; nothing happens while nobody listens. */
const REPORT = "globalThis.reportEntry?.";

/** Makes every function of the source files under `root` report its entry to `globalThis.reportEntry`. */
export function countFunctions(root: string): Plugin {
  return {
    name: "count-functions",
    enforce: "pre",
    transform(code, id) {
      const file = path.relative(root, id.split("?")[0] ?? id).replaceAll("\\", "/");
      if (!file.startsWith("src/") || !file.endsWith(".ts")) return null;
      return { code: reportEntries(file, code), map: null };
    },
  };
}

/**
 * The module with a call at the start of every function, arrow, method, accessor and constructor; no line moves.
 * An id is `file:line:column name`; a declared function is `function name`, an arrow or a function without a name a `callback`.
 */
export function reportEntries(file: string, code: string): string {
  const { program, errors } = parseSync(file, code);
  if (errors.length > 0) throw new Error(`${file} cannot be parsed: ${errors[0]?.message}`);
  const insertions: { at: number; text: string }[] = [];
  const visit = (value: unknown, name: string): void => {
    if (Array.isArray(value)) for (const item of value) visit(item, name);
    if (!isNode(value)) return;
    const { body } = value;
    if (isFunction(value) && isNode(body)) {
      const before = code.slice(0, value.start).split("\n");
      const place = `${file}:${before.length}:${(before.at(-1)?.length ?? 0) + 1}`;
      const id = `${place} ${value.type === "FunctionDeclaration" ? "function " : ""}${nameOf(value) ?? name}`;
      const call = `${REPORT}(${JSON.stringify(id)})`;
      if (body.type === "BlockStatement") insertions.push({ at: body.start + 1, text: `${call};` });
      else insertions.push({ at: body.start, text: `(${call},` }, { at: body.end, text: ")" });
    }
    for (const [field, child] of Object.entries(value)) {
      const isNamed = field === "init" || field === "value";
      visit(child, isNamed ? (nameOf(value) ?? "callback") : "callback");
    }
  };
  visit(program, "callback");
  const sorted = insertions.toSorted((a, b) => a.at - b.at);
  const parts = sorted.map(({ at, text }, i) => code.slice(sorted[i - 1]?.at ?? 0, at) + text);
  return parts.join("") + code.slice(sorted.at(-1)?.at ?? 0);
}

function isNode(value: unknown): value is Node {
  return typeof value === "object" && value !== null && "type" in value && "start" in value && "end" in value;
}

function isFunction({ type }: Node): boolean {
  return type === "FunctionDeclaration" || type === "FunctionExpression" || type === "ArrowFunctionExpression";
}

/** The name that a declaration, a variable or a property gives. */
function nameOf({ id, key }: Node): string | null {
  const named = isNode(id) ? id : key;
  return isNode(named) && typeof named.name === "string" ? named.name : null;
}
