import { breaksRule } from "#core/errors";
import { normalizeText } from "#core/text/normalize";
import { trimEnds } from "#core/text/trim-ends";

/** UTF-16 units. */
export const MAX_PATH = 500;

// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what it refuses.
const CONTROL = /[\u0000-\u001f\u007f]/;

/**
 * The path of a file inside its source: relative, with "/" between the parts, in Unicode's composed form (NFC), so that a name that macOS
 * writes in another form is the same name. Parts "." and empty ones are left out; upper and lower case are kept.
 * @throws unprocessable for any path that leaves the source or cannot be stored; `field` is where the path was.
 */
export function parsePath(path: string, field = "path"): string {
  const reason = reasonAgainst(path);
  if (reason !== null) throw breaksRule(field, reason);
  return partsOf(path).join("/");
}

/**
 * The path of a folder; "" for the source itself.
 * @throws unprocessable as `parsePath` does.
 */
export function parseFolder(path: string): string {
  return /^[./]*$/.test(path) && !path.includes("..") ? "" : parsePath(trimEnds(path, { end: SLASH }));
}

const SLASH: ReadonlySet<string> = new Set("/");

function partsOf(path: string): string[] {
  return normalizeText(path, "NFC")
    .split("/")
    .filter((part) => part !== "" && part !== ".");
}

function reasonAgainst(path: string): string | null {
  if (!path.isWellFormed() || path.includes("\ufffd"))
    return "It holds half a surrogate pair or U+FFFD, which stands for bytes that are no UTF-8.";
  if (CONTROL.test(path)) return "It holds a control character.";
  if (path.includes("\\")) return "It holds a backslash. Write / between folders.";
  if (path.startsWith("/") || /^[A-Za-z]:\//.test(path))
    return "It is absolute. Name the file relative to the source, as notes/today.md.";
  if (path.split("/").includes("..")) return "It holds .., which leaves the source.";
  if (path.endsWith("/")) return "It ends with /, as a folder. Name a file.";
  const parts = partsOf(path);
  if (parts.length === 0) return "It names no file.";
  if (parts.join("/").length > MAX_PATH) return `It has more than ${MAX_PATH} characters.`;
  return null;
}
