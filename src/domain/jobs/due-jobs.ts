import { sql } from "drizzle-orm";
import type { Services } from "#context";
import type { JobRef } from "#ports/jobs";

/** How much of a sweep one tenant may fill. */
const PER_TENANT = 25;
/** Tenants with unfinished jobs that one sweep looks at; of more at once, those with the highest ids wait until others are done. */
const MAX_TENANTS = 5_000;

/**
 * Jobs that are due, each tenant's oldest first, tenants taking turns. It steps from tenant to tenant through the index of
 * unfinished jobs, so that however long one's backlog is, it costs the others nothing.
 */
export async function dueJobs(services: Pick<Services, "db" | "now">, limit: number): Promise<JobRef[]> {
  const unfinished = sql`status in ('pending', 'running')`;
  return await services.db.all<JobRef>(sql`
    with recursive waiting (tenant_id) as (
      select * from (select tenant_id from jobs where ${unfinished} order by tenant_id limit 1)
      union all
      select (select n.tenant_id from jobs n where n.${unfinished} and n.tenant_id > waiting.tenant_id order by n.tenant_id limit 1)
      from waiting where waiting.tenant_id is not null limit ${MAX_TENANTS})
    select tenantId, jobId from (
      select j.tenant_id as tenantId, j.id as jobId, j.due_at, row_number() over (partition by j.tenant_id order by j.due_at, j.id) as place
      from waiting cross join jobs j on j.tenant_id = waiting.tenant_id and j.id in (
        select d.id from jobs d where d.tenant_id = waiting.tenant_id and d.${unfinished} and d.due_at <= ${services.now()}
        order by d.due_at, d.id limit ${PER_TENANT}))
    order by place, due_at limit ${limit}`);
}
