import { sha256 } from "#core/key";
import { normalizeText } from "#core/text/normalize";

export type Hashed = {
  content: string;
  type: string;
  workspaceId: string | null;
  scopeType: string | null;
  scopeId: string | null;
};

/** SHA-256 of what makes two memories of one space the same: scope, type and words. No scope and the scope `global` are one. */
export async function contentHash({ content, type, workspaceId, scopeType, scopeId }: Hashed): Promise<string> {
  const scope = scopeType === "global" ? null : scopeType;
  return await sha256(JSON.stringify([workspaceId, scope, scopeId, type, normaliseContent(content)]));
}

/** Case, width, white space and the final stop do not make another memory. */
export function normaliseContent(content: string): string {
  return normalizeText(content, "NFKC")
    .toLowerCase()
    .replace(/\s+/gu, " ")
    .trim()
    .replace(/(?<![\s.!。！｡])[\s.!。！｡]+$/u, "");
}

/** The hash of words that are a guess at what a key holds: they wait beside the words that are known. */
export async function guessHash(hash: string, key: string | null): Promise<string | null> {
  return key === null ? null : await sha256(JSON.stringify([hash, "guess", key]));
}

/** The hash of words that are there about somebody else: with the persons, by the ids that the draft names them with. */
export async function aboutHash(hash: string, subjects: readonly string[] | undefined): Promise<string | null> {
  if (subjects === undefined || subjects.length === 0) return null;
  return await sha256(JSON.stringify([hash, ...[...new Set(subjects)].sort()]));
}
