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

/**
 * SHA-256 that identifies duplicates in one space: scope, type and normalized words. A memory without a scope has the same hash as one with
 * the scope `global`.
 */
export async function contentHash({ content, type, workspaceId, scopeType, scopeId }: Hashed): Promise<string> {
  const scope = scopeType === "global" ? null : scopeType;
  return await sha256(JSON.stringify([workspaceId, scope, scopeId, type, normaliseContent(content)]));
}

/** Case, width, white space and a final stop do not make words different. */
export function normaliseContent(content: string): string {
  return normalizeText(content, "NFKC")
    .toLowerCase()
    .replace(/\s+/gu, " ")
    .trim()
    .replace(/(?<![\s.!。！｡])[\s.!。！｡]+$/u, "");
}

/** The hash of words that wait for review under a key that currently holds other words: both are stored. */
export async function guessHash(hash: string, key: string | null): Promise<string | null> {
  return key === null ? null : await sha256(JSON.stringify([hash, "guess", key]));
}

/** Hash including subjects, used when the same words exist about someone else. The subjects are the ids that the input names. */
export async function aboutHash(hash: string, subjects: readonly string[] | undefined): Promise<string | null> {
  if (subjects === undefined || subjects.length === 0) return null;
  return await sha256(JSON.stringify([hash, ...[...new Set(subjects)].sort()]));
}

/** How many alternate hashes one text may have. */
export const ALTERNATE_HASHES = 4;

/**
 * Alternate hashes for words of which a memory exists that the writer may not know of. The first free one is taken, so that the same words
 * from another user find that memory again. The last one is unique to the writer.
 */
export async function alternateHashesOf(hash: string, user: UserRef | null): Promise<string[]> {
  const names = Array.from({ length: ALTERNATE_HASHES }, (_, i) => (i === ALTERNATE_HASHES - 1 ? user : i));
  return await Promise.all(names.map((name) => sha256(JSON.stringify([hash, "apart", name]))));
}

/** The first free hash; a random one if all are taken. */
export async function freeHash(
  hash: string,
  { taken, user, publicId }: { taken: ReadonlySet<string>; user: UserRef | null; publicId: string },
): Promise<string> {
  const free = [hash, ...(await alternateHashesOf(hash, user))].find((each) => !taken.has(each));
  return free ?? (await sha256(JSON.stringify([hash, "apart", publicId])));
}
