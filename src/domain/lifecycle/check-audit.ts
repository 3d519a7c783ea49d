import { sql } from "drizzle-orm";
import { runBatch, verifyAudit } from "#domain/audit";
import type { CheckResult, Finding } from "./findings.ts";
import type { Step, UpkeepCtx } from "./step.ts";

/** One verification recomputes 5,000 rows, and the seal that it starts from may be 2,000 further back. `GET /v1/audit/verify` looks at all. */
const LAST_ROWS = 3_000;

/** Whether the tenant's last audit rows are without a gap and as they were sealed. What has no seal yet is sealed first. */
export async function checkAudit(ctx: UpkeepCtx, _step: Step): Promise<CheckResult> {
  const [last, seal] = await runBatch(ctx, [
    ctx.db.all(sql`
      select count(*) as rows, coalesce(max(seq) - min(seq) + 1, 0) as span from (
        select seq from audit where tenant_id = ${ctx.tenantId} order by seq desc limit ${LAST_ROWS})`),
    ctx.db.all(sql`
      select seq from audit_seals where tenant_id = ${ctx.tenantId}
        and seq <= (select max(seq) from audit where tenant_id = ${ctx.tenantId}) - ${LAST_ROWS} order by seq desc limit 1`),
  ]);
  const rows = Number(last?.rows[0]?.rows ?? 0);
  const missing = Number(last?.rows[0]?.span ?? 0) - rows;
  const { intact, checked } = await verifyAudit(ctx, { from: Number(seal?.rows[0]?.seq ?? 0) });
  const broken = (invariant: "audit.dense" | "audit.chain"): Finding => ({ invariant, example: null, repair: null });
  return {
    checked: { "audit.dense": rows, "audit.chain": checked },
    findings: [...(missing > 0 ? [broken("audit.dense")] : []), ...(intact ? [] : [broken("audit.chain")])],
    next: null,
  };
}
