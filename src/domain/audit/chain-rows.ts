import { type SQL, sql } from "drizzle-orm";
import type { StatementResult } from "#db/client";
import type { ChainRow } from "./chain.ts";

const COLUMNS = sql`seq, id, at, actor_kind as actorKind, actor_id as actorId, workspace_id as workspaceId, action,
  object_id as objectId, request_id as requestId, user_id as userId, detail, salt, content_hash as contentHash,
  erased_at is not null as erased`;

/** A query for the tenant's rows after a seq, in order, as the chain needs them. */
export function selectChainRows(tenantId: number, range: { after: SQL | number; limit: number }): SQL {
  return sql`
    select ${COLUMNS} from audit where tenant_id = ${tenantId} and seq > ${range.after} order by seq limit ${range.limit}`;
}

/** What `selectChainRows` answers, in its types; SQLite's truth is a number. */
export function toChainRows(result: StatementResult | undefined): ChainRow[] {
  const rows = (result?.rows ?? []) as (Omit<ChainRow, "erased"> & { erased: number })[];
  return rows.map((row) => ({ ...row, erased: row.erased === 1 }));
}
