import { sql } from "drizzle-orm";
import { forgetRows } from "./forget-rows.ts";
import type { PreparedStep, Step, UpkeepCtx } from "./step.ts";

/** Forgets what has expired, pinned or not, the longest expired first. No read has shown it since it expired. */
export async function expire(ctx: UpkeepCtx, { limit }: Step): Promise<PreparedStep> {
  const isDue = sql`m.tenant_id = ${ctx.tenantId} and m.expires_at is not null and m.expires_at <= ${ctx.now()} and m.deleted_at is null`;
  const rows = await ctx.db.all<{ id: number; space: number }>(sql`
    select m.id as id, m.space_id as space from memories m indexed by memories_expiring where ${isDue}
    order by m.expires_at limit ${limit}`);
  return { ...forgetRows(ctx, rows, { because: "expired", still: isDue }), next: rows.length < limit ? null : "" };
}
