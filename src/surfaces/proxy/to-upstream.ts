/** Client headers that are sent on to the upstream: no credential, no cookie, and no header of ours. */
const TO_UPSTREAM = [
  "accept",
  "idempotency-key",
  "openai-organization",
  "openai-project",
  "openai-beta",
  // OpenRouter identifies applications by these.
  "http-referer",
  "x-title",
];

export function headersToUpstream(headers: Headers): Record<string, string> {
  return Object.fromEntries(
    TO_UPSTREAM.flatMap((name) => [headers.get(name)].flatMap((value) => (value ? [[name, value]] : []))),
  );
}

/** The position of a value in a JSON text. */
export type Span = { start: number; end: number };

/** A change of one member of an object: `write` makes its new JSON text from the present one, or from null if there is none. */
export type Edit = { name: string; write: (json: string | null) => string };

export function setMember(name: string, value: unknown): Edit {
  return { name, write: () => JSON.stringify(value) };
}

/**
 * The JSON text of an object with these changes and every other byte unchanged, because parsing and serializing may change numbers. If the
 * members cannot be located, the text is parsed and serialized.
 */
export function spliceBody(text: string, edits: readonly Edit[]): string {
  if (edits.length === 0) return text;
  const members = membersOf(text);
  if (members === null) return writtenAnew(text, edits);
  const cuts = edits.flatMap(({ name, write }) => {
    const span = members.get(name);
    return span === undefined ? [] : [{ ...span, put: write(text.slice(span.start, span.end)) }];
  });
  const added = edits.flatMap(({ name, write }) => (members.has(name) ? [] : [`${JSON.stringify(name)}:${write(null)}`]));
  const at = text.indexOf("{") + 1;
  if (added.length > 0) cuts.push({ start: at, end: at, put: added.join(",") + (members.size > 0 ? "," : "") });
  return cuts
    .toSorted((a, b) => b.start - a.start)
    .reduce((spliced, { start, end, put }) => spliced.slice(0, start) + put + spliced.slice(end), text);
}

function writtenAnew(text: string, edits: readonly Edit[]): string {
  const given: Record<string, unknown> = JSON.parse(text);
  const changed = edits.map(({ name, write }) => {
    const json = Object.hasOwn(given, name) ? JSON.stringify(given[name]) : null;
    return [name, JSON.parse(write(json))] as const;
  });
  return JSON.stringify({ ...given, ...Object.fromEntries(changed) });
}

/** The values of an object's own members by name; if a name occurs twice, the last, as in JSON.parse. Null for anything but an object. */
function membersOf(text: string): Map<string, Span> | null {
  const start = skipBlanks(text, 0);
  if (text[start] !== "{") return null;
  const members = new Map<string, Span>();
  let at = skipBlanks(text, start + 1);
  while (text[at] === '"') {
    const keyEnd = endOfString(text, at);
    const colon = skipBlanks(text, keyEnd);
    if (text[colon] !== ":") return null;
    const value = skipBlanks(text, colon + 1);
    const end = endOfValue(text, value);
    members.set(JSON.parse(text.slice(at, keyEnd)), { start: value, end });
    at = skipBlanks(text, end);
    if (text[at] === "}") return members;
    at = skipBlanks(text, at + 1);
  }
  return text[at] === "}" ? members : null;
}

/** The items of a JSON text of a list; null for anything else. */
export function itemsOf(text: string): Span[] | null {
  const start = skipBlanks(text, 0);
  if (text[start] !== "[") return null;
  const items: Span[] = [];
  let at = skipBlanks(text, start + 1);
  if (text[at] === "]") return items;
  while (at < text.length) {
    const end = endOfValue(text, at);
    items.push({ start: at, end });
    at = skipBlanks(text, end);
    if (text[at] === "]") return items;
    if (text[at] !== ",") return null;
    at = skipBlanks(text, at + 1);
  }
  return null;
}

const BLANKS = /[ \t\r\n]*/y;
/** A number, true, false or null. */
const SCALAR = /[^\s,\]}]*/y;
const MARK = /["{}[\]]/g;

function skipBlanks(text: string, at: number): number {
  return match(BLANKS, text, at);
}

function match(pattern: RegExp, text: string, at: number): number {
  pattern.lastIndex = at;
  pattern.test(text);
  return Math.max(pattern.lastIndex, at);
}

/** The index after the value that begins here. */
function endOfValue(text: string, at: number): number {
  if (text[at] === '"') return endOfString(text, at);
  if (text[at] !== "{" && text[at] !== "[") return match(SCALAR, text, at);
  let depth = 0;
  MARK.lastIndex = at;
  for (let mark = MARK.exec(text); mark !== null; mark = MARK.exec(text)) {
    if (mark[0] === '"') MARK.lastIndex = endOfString(text, mark.index);
    else depth += mark[0] === "{" || mark[0] === "[" ? 1 : -1;
    if (depth === 0) return MARK.lastIndex;
  }
  return text.length;
}

/** The index after the string that begins here: a quote with an odd number of backslashes before it does not end it. */
function endOfString(text: string, at: number): number {
  for (let quote = text.indexOf('"', at + 1); quote !== -1; quote = text.indexOf('"', quote + 1)) {
    let backslash = quote;
    while (text[backslash - 1] === "\\") backslash -= 1;
    if ((quote - backslash) % 2 === 0) return quote + 1;
  }
  return text.length;
}
