import { sha256 } from "#core/key";

/** Stands before the first row. */
export const GENESIS = "0".repeat(64);

/** What the chain covers of an audit row: all of it but the time of an erasure. */
export type ChainRow = {
  seq: number;
  id: string;
  at: number;
  actorKind: string;
  actorId: string;
  workspaceId: string | null;
  action: string;
  objectId: string;
  requestId: string;
  /** Content, as stored: the internal id of the user and the text of the detail. */
  userId: number | null;
  detail: string | null;
  salt: string | null;
  contentHash: string | null;
  erased: boolean;
};

/**
 * SHA-256 in hex over the salt, a line feed and the JSON array `[userId, detail]`, where detail is its stored text or null.
 * Null for a row of which no hash can be told: its salt is gone though it was not erased.
 */
export async function contentHashOf(row: Pick<ChainRow, "userId" | "detail" | "salt">): Promise<string | null> {
  return row.salt === null ? null : await sha256(`${row.salt}\n${JSON.stringify([row.userId, row.detail])}`);
}

/**
 * SHA-256 in hex over the hash of the row before, a line feed and the JSON array `[seq, id, at, actorKind, actorId, workspaceId,
 * action, objectId, requestId, contentHash]` without blanks, `at` in Unix milliseconds.
 */
export async function nextHash(before: string, row: ChainRow, contentHash: string): Promise<string> {
  const { seq, id, at, actorKind, actorId, workspaceId, action, objectId, requestId } = row;
  const record = [seq, id, at, actorKind, actorId, workspaceId, action, objectId, requestId, contentHash];
  return await sha256(`${before}\n${JSON.stringify(record)}`);
}

/** Either the hash, or the first row that the chain cannot go through: one that is not there, or one that is neither whole nor erased. */
export type Walk = { hash: string } | { brokenAt: number; kind: "missing_row" | "changed_row" };

/** The chain from a row's hash over the rows that must follow it one by one. `reached` is told of each. */
export async function walk(
  start: { seq: number; hash: string },
  rows: readonly ChainRow[],
  reached: (seq: number, hash: string) => void = () => undefined,
): Promise<Walk> {
  const contents = await Promise.all(rows.map(contentHashIn));
  let { seq, hash } = start;
  for (const [i, row] of rows.entries()) {
    seq += 1;
    if (row.seq !== seq) return { brokenAt: seq, kind: "missing_row" };
    const contentHash = contents[i] ?? null;
    if (contentHash === null) return { brokenAt: seq, kind: "changed_row" };
    hash = await nextHash(hash, row, contentHash);
    reached(seq, hash);
  }
  return { hash };
}

/** The hash of the content, or the one that took its place; null for a row that is half of each. */
async function contentHashIn(row: ChainRow): Promise<string | null> {
  if (!row.erased) return row.contentHash === null ? await contentHashOf(row) : null;
  const empty = row.userId === null && row.detail === null && row.salt === null;
  return empty ? row.contentHash : null;
}
