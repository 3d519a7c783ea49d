import { type SQL, sql } from "drizzle-orm";
import type { Services } from "#context";
import { readRows, runBatch, select } from "#db/client";
import { integer, row, text } from "#db/row";
import { JOB } from "#db/schema/jobs";
import type { JobRef } from "#ports/jobs";
import type { WaitedFor } from "./schemas.ts";

/** The lease token of a job whose queue message is in flight: whichever consumer receives the message may take it. */
export const OFFERED = "offered";

/** How long a message may be in flight; after that the sweep considers it lost. */
export const OFFER_MS = 300_000;

/** The most jobs of one tenant among those that a sweep runs itself. */
const PER_TENANT = 25;
/** A working queue delivers a message within this time. */
const OFFERED_FOR_MS = 60_000;
/** Tenants with unfinished jobs that one look reads; if there are more, those with the highest ids wait until others are done. */
const MAX_TENANTS = 5_000;

/**
 * Jobs that are due, each tenant's oldest first, tenants taking turns. Without `overdueMs`, this includes jobs whose message has been in
 * flight for a while, so that they run even if the queue delivers nothing.
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

const SERVER = row({ server: text<WaitedFor>(sql`j.value`) });

/** The servers that any job waits for: one index seek for each. */
export async function serversWaitedFor(services: Pick<Services, "db">): Promise<WaitedFor[]> {
  const servers = await readRows(
    services,
    select(SERVER)`from json_each('["embedder", "vectors", "chatModel"]') j
      where exists (select 1 from jobs w where w.waiting_for = j.value)`,
  );
  return servers.map(({ server }) => server);
}

const REF = row({ tenantId: integer(sql`tenant_id`), jobId: text(sql`id`) });

type Turns = { among: SQL; ready: SQL; order: SQL; limit: number; perTenant: number };

/** It steps from tenant to tenant through an index, so that a long backlog of one tenant does not slow down the others. */
export async function inTurns(
  services: Pick<Services, "db">,
  { among, ready, order, limit, perTenant }: Turns,
): Promise<JobRef[]> {
  const present = sql`recursive present (tenant_id) as (
    select * from (select tenant_id from jobs where ${among} order by tenant_id limit 1)
    union all
    select (select n.tenant_id from jobs n where n.${among} and n.tenant_id > present.tenant_id order by n.tenant_id limit 1)
    from present where present.tenant_id is not null limit ${MAX_TENANTS})`;
  const refs = select(REF, present)`from (
      select j.tenant_id, j.id, j.due_at, row_number() over (partition by j.tenant_id order by j.due_at, j.id) as place
      from present cross join jobs j on j.tenant_id = present.tenant_id and j.id in (
        select d.id from jobs d where d.tenant_id = present.tenant_id and d.${among} and d.${ready}
        order by ${order} limit ${perTenant}))
    order by place, due_at limit ${limit}`;
  return await readRows(services, refs);
}

/** Rows that one statement changes. */
const ROWS_A_STATEMENT = 1_000;

/**
 * Sends queue messages for jobs that have none in flight, and postpones their due time until the messages should have arrived. A job that a
 * consumer takes at the same moment is left alone.
 */
export async function offer(services: Pick<Services, "db" | "now" | "jobs">, refs: readonly JobRef[]): Promise<void> {
  for (let from = 0; from < refs.length; from += ROWS_A_STATEMENT) {
    const part = refs.slice(from, from + ROWS_A_STATEMENT);
    const now = services.now();
    await runBatch(services, [
      services.db.run(sql`
        update jobs set ${JOB.set({ dueAt: now + OFFER_MS, leaseToken: OFFERED, waitingFor: null })}
        where (tenant_id, id) in (select value ->> 'tenantId', value ->> 'jobId' from json_each(${JSON.stringify(part)}))
          and status in ('pending', 'running') and (due_at <= ${now} or waiting_for is not null)`),
    ]);
    await services.jobs.send(part);
  }
}

/** After this many tries a job is `failed` and waits for a person. */
export const MAX_ATTEMPTS = 6;

const FIRST_DELAY_MS = 15_000;
const LONGEST_DELAY_MS = 3_600_000;

/** After this long, a job that waits for a server is tried even if nothing has noticed that the server is back. */
export const WAIT_AT_MOST_MS = 3_600_000;

/** Milliseconds until the next try after `attempts` failed ones: 15 s, then four times as long each, an hour at most. */
export function backOffMs(attempts: number): number {
  return Math.min(FIRST_DELAY_MS * 4 ** Math.max(0, attempts - 1), LONGEST_DELAY_MS);
}
