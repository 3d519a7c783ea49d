import { type SQL, sql } from "drizzle-orm";
import { sha256 } from "#core/ids";
import { type Query, select } from "#db/client";
import { flag, nullable, type RowOf, row, text } from "#db/row";
import { AUDIT } from "#db/schema/tenants";

/** The hash before the first row. */
export const GENESIS = "0".repeat(64);

/** From `audit a`: everything that the chain covers, which is all but the time of an erasure. */
const CHAIN_ROW = row({
  ...AUDIT.of(sql`a`, "seq", "id", "at", "actorKind", "actorId", "workspaceId", "action", "objectId", "requestId"),
  // Content: the internal id of the user, the detail and the salt.
  ...AUDIT.of(sql`a`, "userId", "salt", "contentHash"),
  // The text as it is stored, because it is what was hashed.
  detail: nullable(text(sql`a.detail`)),
  erased: flag(sql`a.erased_at is not null`),
});

export type ChainRow = RowOf<typeof CHAIN_ROW>;

/** The tenant's rows after a seq, in order, as the chain needs them. */
export function selectChainRows(tenantId: number, range: { after: SQL | number; limit: number }): Query<ChainRow> {
  return select(CHAIN_ROW)`
    from audit a where a.tenant_id = ${tenantId} and a.seq > ${range.after} order by a.seq limit ${range.limit}`;
}

/**
 * SHA-256 in hex over the salt, a line feed and the JSON array `[userId, detail]`, where detail is its stored text or null.
 * Null for a row without a hash: its salt is gone though it was not erased.
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

/** Either the hash, or the first row at which the chain breaks: a missing one, or one that is neither complete nor erased. */
export type Walk = { hash: string } | { brokenAt: number; kind: "missing_row" | "changed_row" };

/** Computes the chain from a row's hash over the rows that must follow it without a gap. `reached` is called for each. */
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

/** The hash of the content, or the hash that replaced it on erasure; null for a row that is partly erased. */
async function contentHashIn(row: ChainRow): Promise<string | null> {
  if (!row.erased) return row.contentHash === null ? await contentHashOf(row) : null;
  const empty = row.userId === null && row.detail === null && row.salt === null;
  return empty ? row.contentHash : null;
}
