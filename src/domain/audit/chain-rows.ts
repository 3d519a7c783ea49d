import { type SQL, sql } from "drizzle-orm";
import { type Query, statement } from "#db/client";
import { flag, nullable, row, text } from "#db/row";
import { AUDIT } from "#db/schema/tenants";
import type { ChainRow } from "./chain.ts";

const a = sql`a`;
const CHAIN_ROW = row({
  ...AUDIT.of(
    a,
    "seq",
    "id",
    "at",
    "actorKind",
    "actorId",
    "workspaceId",
    "action",
    "objectId",
    "requestId",
    "userId",
    "salt",
    "contentHash",
  ),
  // The text as it is stored, because it is what was hashed.
  detail: nullable(text(sql`a.detail`)),
  erased: flag(sql`a.erased_at is not null`),
});

/** The tenant's rows after a seq, in order, as the chain needs them. */
export function selectChainRows(tenantId: number, range: { after: SQL | number; limit: number }): Query<ChainRow> {
  return statement(
    CHAIN_ROW,
    sql`
    select ${CHAIN_ROW.columns} from audit a where a.tenant_id = ${tenantId} and a.seq > ${range.after} order by a.seq limit ${range.limit}`,
  );
}
