import { sql } from "drizzle-orm";
import type { Ctx } from "#context";
import { conflict } from "#core/errors";
import { requirePermission } from "#core/permission";
import type { Statement } from "#db/client";
import { commit } from "#domain/audit";
import { dispatch } from "./enqueue.ts";
import { loadJob } from "./get-job.ts";
import type { JobView } from "./schemas.ts";

/** Gives a failed or waiting job its full number of tries again, from now. A job that runs or is done is left alone: 409. */
export async function rerunJob(ctx: Ctx<"db" | "now" | "newId" | "jobs" | "defer">, id: string): Promise<JobView> {
  requirePermission(ctx.actor, "admin");
  const [changed] = await commit(ctx, {
    statements: [giveTriesAgain(ctx, { jobIds: [id], among: ["failed", "pending"] })],
    audit: [{ action: "job.rerun", objectId: id, userId: null, detail: {}, when: sql`changes() > 0` }],
  });
  const job = await loadJob(ctx, id);
  if (changed?.changes === 0) throw conflict(`A job that is ${job.status} cannot be run again.`);
  dispatch(ctx, [id]);
  return job;
}

/** The statement that gives these jobs, as far as they have one of the statuses, all of their tries again. */
export function giveTriesAgain(
  ctx: Ctx<"db" | "now">,
  { jobIds, among }: { jobIds: readonly string[]; among: readonly ("failed" | "pending")[] },
): Statement {
  return ctx.db.run(sql`
    update jobs set status = 'pending', attempts = 0, due_at = ${ctx.now()}, error = null, result = null, finished_at = null,
      lease_token = null, waiting_for = null, waiting_since = null
    where tenant_id = ${ctx.tenantId} and id in (select value from json_each(${JSON.stringify(jobIds)}))
      and status in (select value from json_each(${JSON.stringify(among)}))`);
}
