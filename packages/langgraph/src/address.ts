import type { MatchCondition } from "@langchain/langgraph-checkpoint";

/** Marks the memories of stores among a user's others: their `scopeType`. */
export const SCOPE_TYPE = "langgraph";

/** What the service takes for a key and a scope, in UTF-16 code units. */
const MAX_ID_CHARACTERS = 200;

/** The key of a memory for a place in the store. A readable one if it fits, else a hash; the memory's metadata has the place itself. */
export async function keyOf(namespace: readonly string[], key: string): Promise<string> {
  return await idOf("langgraph:", JSON.stringify([...namespace, key]));
}

/** The scope's id: the first label of the namespace, by which a search within a namespace is narrowed. */
export async function scopeIdOf(label: string): Promise<string> {
  return await idOf("", label);
}

async function idOf(prefix: string, text: string): Promise<string> {
  const id = `${prefix}${text}`;
  return id.length <= MAX_ID_CHARACTERS && isPlain(id) ? id : `${prefix}sha256:${await sha256(text)}`;
}

/** Whether it is an id for the service: no control characters, no halves of surrogate pairs, no U+FFFD, neither "." nor "..". */
function isPlain(id: string): boolean {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what it looks for.
  return id.isWellFormed() && !/[\u0000-\u001f\u007f\ufffd]/.test(id) && id !== "" && !/^\.{1,2}$/.test(id);
}

async function sha256(text: string): Promise<string> {
  const digest = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(text));
  return Array.from(new Uint8Array(digest), (byte) => byte.toString(16).padStart(2, "0")).join("");
}

export function isUnder(namespace: readonly string[], prefix: readonly string[]): boolean {
  return prefix.length <= namespace.length && prefix.every((label, i) => label === namespace[i]);
}

/** Whether a namespace begins or ends with the condition's path, in which `*` is any label. */
export function meets(namespace: readonly string[], { matchType, path }: MatchCondition): boolean {
  if (matchType !== "prefix" && matchType !== "suffix")
    throw new TypeError("EdgewiseStore matches namespaces by `prefix` and `suffix` only.");
  const start = matchType === "prefix" ? 0 : namespace.length - path.length;
  return path.length <= namespace.length && path.every((label, i) => label === "*" || label === namespace[start + i]);
}

/** Different namespaces, cut to a depth, in the order of their names. */
export function distinct(namespaces: readonly (readonly string[])[], maxDepth: number | undefined): string[][] {
  const byName = new Map(namespaces.map((namespace) => namespace.slice(0, maxDepth)).map((cut) => [cut.join(":"), cut]));
  return [...byName].sort(([a], [b]) => a.localeCompare(b)).map(([, namespace]) => [...namespace]);
}
