/** Opening braces at which an object is looked for. */
const MAX_TRIES = 20;

type Json = Record<string, unknown> | unknown[];

const FENCE_OPEN = /```(?:json)?[^\S\n]*\n/iu;
const FENCE = "```";

/**
 * The JSON of a reply: the whole reply, the content of its code fence, or the longest object between other words. A list counts only if it
 * is the whole reply or fence: elsewhere it may be a part of a broken object.
 */
export function findJson(text: string): Json | undefined {
  const whole = parsed(text.trim()) ?? parsed(fencedIn(text));
  if (whole !== undefined) return whole;
  let best: Json | undefined;
  let longest = 0;
  let from = 0;
  for (let tries = 0; tries < MAX_TRIES; tries += 1) {
    const start = text.indexOf("{", from);
    if (start === -1) break;
    const end = endOf(text, start);
    const json = end === undefined ? undefined : parsed(text.slice(start, end));
    if (json !== undefined && end !== undefined && end - start > longest) {
      best = json;
      longest = end - start;
    }
    from = json !== undefined && end !== undefined ? end : start + 1;
  }
  return best;
}

/** The content of the first code fence, up to a fence that begins a line; "" without one. */
function fencedIn(text: string): string {
  const open = FENCE_OPEN.exec(text);
  if (open === null) return "";
  const start = open.index + open[0].length;
  for (let end = text.indexOf(FENCE, start); end !== -1; end = text.indexOf(FENCE, end + 1)) {
    const inside = text.slice(start, end);
    const said = inside.trimEnd();
    if (said === "" || inside.slice(said.length).includes("\n")) return said;
  }
  return "";
}

/** The offset after the brace that closes the one at `start`; braces in strings do not count. */
function endOf(text: string, start: number): number | undefined {
  let depth = 0;
  for (const { 0: part, index } of text.slice(start).matchAll(/"[^"\\]*(?:\\.[^"\\]*)*(?:"|\\?$)|[{}[\]]/gs)) {
    if (part === "{" || part === "[") depth += 1;
    if (part === "}" || part === "]") depth -= 1;
    if (depth === 0) return start + index + part.length;
  }
  return undefined;
}

function parsed(text: string): Json | undefined {
  try {
    const json: unknown = JSON.parse(text);
    return isJson(json) ? json : undefined;
  } catch {
    return undefined;
  }
}

function isJson(value: unknown): value is Json {
  return typeof value === "object" && value !== null;
}
