import { sql } from "drizzle-orm";
import type { Ctx } from "#context";
import type { Statement } from "#db/client";
import type { JobResult, LeasedJob } from "./job-handler.ts";

/**
 * The statement that stores where a later run of the job continues, and its result so far, in the batch of the work that is done: a
 * consumer that dies loses nothing. `payload` is a JSON text.
 */
export function saveProgress(ctx: Ctx<"db">, { id }: LeasedJob, saved: { payload: string; result: JobResult }): Statement {
  return ctx.db.run(sql`
    update jobs set payload = ${saved.payload}, result = ${JSON.stringify(saved.result)}
    where tenant_id = ${ctx.tenantId} and id = ${id} and status = 'running'`);
}
