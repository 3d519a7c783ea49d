/** Where a text stops being JSON. Line and column count from 1, columns in UTF-16 code units. */
export type JsonPosition = { line: number; column: number };

const SPACE = /[\t\n\r ]*/y;
// biome-ignore lint/suspicious/noControlCharactersInRegex: a string of JSON may not hold them.
const PLAIN = /[^"\\\u0000-\u001f]*/y;
const ESCAPE = /\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})/y;
const LITERAL = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null/y;
const MARKS = "{}[],:";

/** Lists and objects inside each other, beyond which no position is looked for. */
const MAX_DEPTH = 1_000;

/** Finds the first character at which a text is no JSON value, or the end of a text that ends too early; null for JSON, and for one that is nested too deep. */
export function findJsonError(text: string): JsonPosition | null {
  const offset = errorOffset(text);
  if (offset === null) return null;
  let line = 1;
  let begin = 0;
  for (let end = text.indexOf("\n"); end !== -1 && end < offset; end = text.indexOf("\n", begin)) {
    line += 1;
    begin = end + 1;
  }
  return { line, column: offset - begin + 1 };
}

/** What may come next: in an object `key` or its end, then a colon; in a list a value or its end; after a value a comma or the end. */
type Expected = "value" | "value or ]" | "key" | "key or }" | ":" | ", or end";

type Kind = "string" | "literal" | "{" | "}" | "[" | "]" | "," | ":";

function errorOffset(text: string): number | null {
  const open: Kind[] = [];
  let expected: Expected = "value";
  for (let at = endOf(SPACE, text, 0); ; at = endOf(SPACE, text, at)) {
    if (at === text.length) return expected === ", or end" && open.length === 0 ? null : at;
    const { kind, end } = tokenAt(text, at);
    const next: Expected | null = kind === null ? null : nextAfter(kind, expected, open);
    if (open.length > MAX_DEPTH) return null;
    if (next === null) return kind === null ? end : at;
    expected = next;
    at = end;
  }
}

/** The token that begins there, and its end; null for none, with the position of the error. */
function tokenAt(text: string, at: number): { kind: Kind | null; end: number } {
  const first = text.charAt(at);
  if (isMark(first)) return { kind: first, end: at + 1 };
  if (first !== '"') {
    const end = endOf(LITERAL, text, at);
    return { kind: end > at ? "literal" : null, end };
  }
  for (let end = at + 1; ; ) {
    end = endOf(PLAIN, text, end);
    if (text[end] === '"') return { kind: "string", end: end + 1 };
    const behind = endOf(ESCAPE, text, end);
    if (behind === end) return { kind: null, end };
    end = behind;
  }
}

function isMark(character: string): character is "{" | "}" | "[" | "]" | "," | ":" {
  return character !== "" && MARKS.includes(character);
}

function nextAfter(kind: Kind, expected: Expected, open: Kind[]): Expected | null {
  const takesValue = expected === "value" || expected === "value or ]";
  const takesKey = expected === "key" || expected === "key or }";
  switch (kind) {
    case "string":
      return takesKey ? ":" : takesValue ? ", or end" : null;
    case "literal":
      return takesValue ? ", or end" : null;
    case "{":
    case "[":
      if (!takesValue) return null;
      open.push(kind);
      return kind === "{" ? "key or }" : "value or ]";
    case ":":
      return expected === ":" ? "value" : null;
    case ",":
      if (expected !== ", or end" || open.length === 0) return null;
      return open.at(-1) === "{" ? "key" : "value";
    case "}":
    case "]":
      if (
        open.at(-1) !== (kind === "}" ? "{" : "[") ||
        (expected !== ", or end" && expected !== (kind === "}" ? "key or }" : "value or ]"))
      )
        return null;
      open.pop();
      return ", or end";
  }
}

/** Where a sticky pattern's match ends; where it began if there is none. */
function endOf(sticky: RegExp, text: string, at: number): number {
  sticky.lastIndex = at;
  return sticky.test(text) ? sticky.lastIndex : at;
}
