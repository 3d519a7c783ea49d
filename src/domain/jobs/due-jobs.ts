import { type SQL, sql } from "drizzle-orm";
import type { Services } from "#context";
import type { JobRef } from "#ports/jobs";
import { OFFER_MS, OFFERED } from "./offer.ts";
import type { WaitedFor } from "./schemas.ts";

/** How much of a sweep's own jobs one tenant may fill. */
const PER_TENANT = 25;
/** A queue that works brings a message within this time. */
const OFFERED_FOR_MS = 60_000;
/** Tenants with unfinished jobs that one look goes through; of more at once, those with the highest ids wait until others are done. */
const MAX_TENANTS = 5_000;

/**
 * Jobs that are due, each tenant's oldest first, tenants taking turns; without `overdueMs`, then those whose message has been on its way for
 * a while, so that they get done though the queue delivers nothing.
 */
export async function dueJobs(
  services: Pick<Services, "db" | "now">,
  limit: number,
  { perTenant = PER_TENANT, overdueMs }: { perTenant?: number; overdueMs?: number } = {},
): Promise<JobRef[]> {
  const now = services.now();
  const offeredBefore = now + OFFER_MS - OFFERED_FOR_MS;
  const among = sql`status in ('pending', 'running')`;
  const ready =
    overdueMs === undefined
      ? sql`due_at <= ${offeredBefore} and (due_at <= ${now} or lease_token = ${OFFERED})`
      : sql`due_at <= ${now - overdueMs}`;
  return await inTurns(services, { among, ready, order: sql`due_at, id`, limit, perTenant });
}

/** Jobs that wait for a server, each tenant's oldest first, tenants taking turns. */
export async function waitingJobs(
  services: Pick<Services, "db">,
  { server, limit, perTenant }: { server: WaitedFor; limit: number; perTenant: number },
): Promise<JobRef[]> {
  const among = sql`waiting_for = ${server}`;
  return await inTurns(services, { among, ready: sql`status = 'pending'`, order: sql`id`, limit, perTenant });
}

/** The servers that any job waits for: a seek for each. */
export async function serversWaitedFor(services: Pick<Services, "db">): Promise<WaitedFor[]> {
  const rows = await services.db.all<{ server: WaitedFor }>(sql`
    select j.value as server from json_each('["embedder", "vectors", "chatModel"]') j
    where exists (select 1 from jobs w where w.waiting_for = j.value)`);
  return rows.map(({ server }) => server);
}

type Turns = { among: SQL; ready: SQL; order: SQL; limit: number; perTenant: number };

/** It steps from tenant to tenant through an index, so that however long one's backlog is, it costs the others nothing. */
async function inTurns(services: Pick<Services, "db">, { among, ready, order, limit, perTenant }: Turns): Promise<JobRef[]> {
  return await services.db.all<JobRef>(sql`
    with recursive present (tenant_id) as (
      select * from (select tenant_id from jobs where ${among} order by tenant_id limit 1)
      union all
      select (select n.tenant_id from jobs n where n.${among} and n.tenant_id > present.tenant_id order by n.tenant_id limit 1)
      from present where present.tenant_id is not null limit ${MAX_TENANTS})
    select tenantId, jobId from (
      select j.tenant_id as tenantId, j.id as jobId, j.due_at, row_number() over (partition by j.tenant_id order by j.due_at, j.id) as place
      from present cross join jobs j on j.tenant_id = present.tenant_id and j.id in (
        select d.id from jobs d where d.tenant_id = present.tenant_id and d.${among} and d.${ready}
        order by ${order} limit ${perTenant}))
    order by place, due_at limit ${limit}`);
}
