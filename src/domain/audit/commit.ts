import { sql } from "drizzle-orm";
import type { Ctx } from "#context";
import { type Results, runBatch, type Statement, type StatementResult } from "#db/client";
import { type AuditEntry, recordAudit } from "./record.ts";

/**
 * Runs a mutation as one batch, which is one transaction and one round trip: the statements in order, then the audit rows,
 * then the mark that an idempotent request has been carried out, unless the last audit row was left out because a race was lost.
 * Returns what each statement returned.
 */
export async function commit(
  ctx: Ctx<"db" | "now" | "newId">,
  mutation: { statements: readonly Statement[]; audit: readonly AuditEntry[] },
): Promise<Results & StatementResult[]> {
  const results = await runBatch(ctx, [
    ...mutation.statements,
    ...mutation.audit.map((entry) => recordAudit(ctx, entry)),
    ...markCommitted(ctx),
  ]);
  const { rows, changes } = results;
  return Object.assign(results.slice(0, mutation.statements.length), { rows, changes });
}

function markCommitted(ctx: Ctx<"db" | "now">): Statement[] {
  if (ctx.idempotent === null) return [];
  const { keyId, key } = ctx.idempotent;
  return [
    ctx.db.run(sql`
      update idempotency set committed_at = ${ctx.now()}
      where tenant_id = ${ctx.tenantId} and key_id = ${keyId} and key = ${key} and changes() > 0`),
  ];
}
