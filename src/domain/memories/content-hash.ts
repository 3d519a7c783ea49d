import { sha256 } from "#core/ids";
import { normalizeText } from "#core/text/normalize";
import type { UserRef } from "#domain/tenants";

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

/** The hash of words that wait for review under a key which holds other words: both are stored. */
export async function guessHash(hash: string, key: string | null): Promise<string | null> {
  return key === null ? null : await sha256(JSON.stringify([hash, "guess", key]));
}

/** Hash including subjects, used when the same words exist about someone else. The subjects are the ids that the input names. */
export async function aboutHash(hash: string, subjects: readonly string[] | undefined): Promise<string | null> {
  if (subjects === undefined || subjects.length === 0) return null;
  return await sha256(JSON.stringify([hash, ...[...new Set(subjects)].sort()]));
}

/** How many hashes one text may have, beside its own. */
export const ALTERNATE_HASHES = 4;

/**
 * Hashes of words of which there is a memory that the writer may not know of: the first is taken that is free, so that the same words by
 * somebody else find it again. The last is the writer's own.
 */
export async function alternateHashesOf(hash: string, user: UserRef | null): Promise<string[]> {
  const names = Array.from({ length: ALTERNATE_HASHES }, (_, i) => (i === ALTERNATE_HASHES - 1 ? user : i));
  return await Promise.all(names.map((name) => sha256(JSON.stringify([hash, "apart", name]))));
}

/** The first hash that nobody has; a new one if all are taken. */
export async function freeHash(
  hash: string,
  { taken, user, publicId }: { taken: ReadonlySet<string>; user: UserRef | null; publicId: string },
): Promise<string> {
  const free = [hash, ...(await alternateHashesOf(hash, user))].find((each) => !taken.has(each));
  return free ?? (await sha256(JSON.stringify([hash, "apart", publicId])));
}
