import { sql } from "drizzle-orm";
import type { Services } from "#context";
import { runBatch } from "#domain/audit";

const DAY_MS = 86_400_000;
/** How long a finished job and an answered idempotency key are kept. */
const JOB_DAYS = 7;
const IDEMPOTENCY_DAYS = 1;
const ROWS_A_RUN = 1000;

/** Deletes old finished jobs and idempotency keys of all tenants, a bounded number a run. Failed jobs stay for a person. */
export async function purge(services: Pick<Services, "db" | "now">): Promise<number> {
  const now = services.now();
  const results = await runBatch(services, [
    services.db.run(sql`
      delete from jobs where (tenant_id, id) in (
        select tenant_id, id from jobs where status = 'done' and finished_at < ${now - JOB_DAYS * DAY_MS} order by finished_at limit ${ROWS_A_RUN})`),
    services.db.run(sql`
      delete from idempotency where (tenant_id, key_id, key) in (
        select tenant_id, key_id, key from idempotency where created_at < ${now - IDEMPOTENCY_DAYS * DAY_MS} order by created_at limit ${ROWS_A_RUN})`),
  ]);
  return results.reduce((sum, { changes }) => sum + changes, 0);
}
