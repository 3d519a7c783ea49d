import { sql } from "drizzle-orm";
import type { Ctx, Services } from "#context";
import { runStatements, type Statement, type StatementResult } from "#db/client";
import { type AuditEntry, recordAudit } from "./record.ts";

/**
 * Runs a mutation as one batch, which is one transaction and one round trip: the statements in order, then the audit rows,
 * then the mark that an idempotent request has been carried out, unless the last audit row was left out because a race was lost.
 * Answers one result a statement.
 */
export async function commit(
  ctx: Ctx<"db" | "now" | "newId">,
  mutation: { statements: readonly Statement[]; audit: readonly AuditEntry[] },
): Promise<StatementResult[]> {
  const answers = await runBatch(ctx, [
    ...mutation.statements,
    ...mutation.audit.map((entry) => recordAudit(ctx, entry)),
    ...markCommitted(ctx),
  ]);
  return answers.slice(0, mutation.statements.length);
}

/** Runs statements that belong together in one round trip. */
export async function runBatch(ctx: Pick<Services, "db">, statements: readonly Statement[]): Promise<StatementResult[]> {
  return await runStatements(ctx.db, statements);
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
