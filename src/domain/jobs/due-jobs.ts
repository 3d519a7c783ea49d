import { sql } from "drizzle-orm";
import type { Services } from "#context";
import type { JobRef } from "#ports/jobs";

/** How deep into the backlog one sweep looks, and how much of it one tenant may fill. */
const LOOK_AT = 1000;
const PER_TENANT = 25;

/** Jobs that are due, oldest first, no tenant taking more than its share. Touches every tenant's job rows, and nothing else. */
export async function dueJobs(services: Pick<Services, "db" | "now">, limit: number): Promise<JobRef[]> {
  return await services.db.all<JobRef>(sql`
    select tenantId, jobId from (
      select tenant_id as tenantId, id as jobId, due_at, row_number() over (partition by tenant_id order by due_at, id) as place
      from (
        select tenant_id, id, due_at from jobs
        where status in ('pending', 'running') and due_at <= ${services.now()}
        order by due_at, tenant_id, id limit ${LOOK_AT}))
    where place <= ${PER_TENANT} order by place, due_at limit ${limit}`);
}
