import { sql } from "drizzle-orm";
import { rowOfCursor } from "./cursor.ts";
import type { CheckResult } from "./findings.ts";
import type { Step, UpkeepCtx } from "./step.ts";
import { nameOfUser } from "./walk-spaces.ts";

const USERS_A_STEP = 300;

/** The facts of the tenant's next users, of whom each counts once. */
export async function checkFacts(ctx: UpkeepCtx, { cursor, limit }: Step): Promise<CheckResult> {
  const rows = await ctx.db.all<{ id: number; externalId: string; hasStray: number }>(sql`
    select u.id as id, u.external_id as externalId, exists (
      select 1 from facts f where f.user_id = u.id and ${strayFact}) as hasStray
    from users u where u.tenant_id = ${ctx.tenantId} and u.external_id > ${nameOfUser(ctx.tenantId, rowOfCursor(cursor))}
    order by u.external_id limit ${USERS_A_STEP}`);
  const hits = rows.filter(({ hasStray }) => hasStray === 1);
  const last = hits.length > limit ? hits[limit - 1] : rows.length < USERS_A_STEP ? undefined : rows.at(-1);
  return {
    checked: { "fact.home": rows.length },
    findings: hits.slice(0, limit).map(({ id, externalId }) => ({
      invariant: "fact.home",
      example: externalId,
      repair: { kind: "fact.remove", id },
    })),
    next: last === undefined ? null : String(last.id),
  };
}

/** Of the fact row `f`: it is of another tenant than its user, or its session or project is gone. */
export const strayFact = sql`(
  not exists (select 1 from users fu where fu.id = f.user_id and fu.tenant_id = f.tenant_id)
  or f.session_id <> 0 and not exists (select 1 from sessions fs where fs.id = f.session_id and fs.tenant_id = f.tenant_id)
  or f.project_id <> 0 and not exists (select 1 from projects fp where fp.id = f.project_id and fp.tenant_id = f.tenant_id))`;
