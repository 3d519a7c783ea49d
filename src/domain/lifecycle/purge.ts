import { sql } from "drizzle-orm";
import type { Services } from "#context";
import { runBatch } from "#domain/audit";
import type { Share } from "./budget.ts";

const DAY_MS = 86_400_000;
/** How long a finished job and an answered idempotency key are kept. */
const JOB_DAYS = 7;
const IDEMPOTENCY_DAYS = 1;
const ROWS_A_STEP = 1_000;

/** Deletes old finished jobs and idempotency keys of all tenants, until none is left or the share is used. Failed jobs stay for a person. */
export async function purge(services: Pick<Services, "db" | "now">, share: Share): Promise<number> {
  for (let purged = 0; ; ) {
    const counts = await purgeStep(services);
    purged += counts.reduce((sum, count) => sum + count, 0);
    if (share.isUsed() || counts.every((count) => count < ROWS_A_STEP)) return purged;
  }
}

async function purgeStep(services: Pick<Services, "db" | "now">): Promise<number[]> {
  const now = services.now();
  const results = await runBatch(services, [
    services.db.run(sql`
      delete from jobs where (tenant_id, id) in (
        select tenant_id, id from jobs where status = 'done' and finished_at < ${now - JOB_DAYS * DAY_MS} order by finished_at limit ${ROWS_A_STEP})`),
    services.db.run(sql`
      delete from idempotency where (tenant_id, key_id, key) in (
        select tenant_id, key_id, key from idempotency where created_at < ${now - IDEMPOTENCY_DAYS * DAY_MS} order by created_at limit ${ROWS_A_STEP})`),
  ]);
  return results.map(({ changes }) => changes);
}
