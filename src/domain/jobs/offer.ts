import { sql } from "drizzle-orm";
import type { Services } from "#context";
import { runBatch } from "#domain/audit";
import type { JobRef } from "#ports/jobs";

/** Stands in a job's lease while its message is on the way: whoever brings the message may take it. */
export const OFFERED = "offered";

/** How long a message may be on the way; after that the sweep takes it for lost. */
export const OFFER_MS = 300_000;

/** What one statement changes. */
const ROWS_A_STATEMENT = 1_000;

/**
 * Sends queue messages for jobs that have none on the way, and keeps them from being sent again until the messages must have come. A job that
 * somebody takes at the same moment is left to them.
 */
export async function offer(services: Pick<Services, "db" | "now" | "jobs">, refs: readonly JobRef[]): Promise<void> {
  for (let from = 0; from < refs.length; from += ROWS_A_STATEMENT) {
    const part = refs.slice(from, from + ROWS_A_STATEMENT);
    const now = services.now();
    await runBatch(services, [
      services.db.run(sql`
        update jobs set due_at = ${now + OFFER_MS}, lease_token = ${OFFERED}, waiting_for = null
        where (tenant_id, id) in (select value ->> 'tenantId', value ->> 'jobId' from json_each(${JSON.stringify(part)}))
          and status in ('pending', 'running') and (due_at <= ${now} or waiting_for is not null)`),
    ]);
    await services.jobs.send(part);
  }
}
