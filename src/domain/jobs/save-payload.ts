import { sql } from "drizzle-orm";
import type { Ctx } from "#context";
import type { Statement } from "#db/client";
import type { LeasedJob } from "./job-handler.ts";

/** Stores how far a job has come, so that its next run continues there. */
export function savePayload(ctx: Ctx<"db">, job: LeasedJob, payload: object): Statement {
  return ctx.db.run(sql`
    update jobs set payload = ${JSON.stringify(payload)}
    where tenant_id = ${job.tenantId} and id = ${job.id} and status = 'running'`);
}
