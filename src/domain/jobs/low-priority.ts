import { type SQL, sql } from "drizzle-orm";
import type { Services } from "#context";
import { readRows, type Statement, statement } from "#db/client";
import { row } from "#db/row";
import { JOB } from "#db/schema/jobs";
import type { JobRef } from "#ports/jobs";
import { inTurns, OFFER_MS, OFFERED } from "./due-jobs.ts";

/**
 * Jobs of low priority are written with a due time in that far future, behind all others: neither the sweep nor a consumer takes them. One
 * of a tenant at a time is brought forward and then runs as any other, a few seconds at a time, so that a thousand of them never delay
 * another job by more than one of these runs.
 */
export const LOW_PRIORITY_AFTER = Date.UTC(5000, 0, 1);

/** The kinds of jobs that are written so. */
export const LOW_PRIORITY_KINDS: readonly string[] = ["episodes.import", "episodes.extractLater"];

/** How long one run of a job of low priority may take. */
export const LOW_PRIORITY_RUN_MS = 4_000;

/** If a tenant has so many other unfinished jobs, those of low priority wait. */
const BUSY_AT = 500;
/** Tenants for which one sweep brings a job forward. */
const TENANTS_A_SWEEP = 1_000;

const OPEN = sql`status in ('pending', 'running')`;

type Caller = Pick<Services, "db" | "now" | "jobs">;

/** How long a job whose ranges are still being written is held back. Its writer releases it earlier; this is for one that was cut off. */
const HELD_MS = 600_000;

/** When a job of low priority that is written now is due. */
export function lowPriorityDueAt(now: number): number {
  return LOW_PRIORITY_AFTER + now;
}

/** The statement that lets a job of `enqueueRange` run, now that all of its ranges are written. */
export function releaseRanges({ tenantId, db, now }: { tenantId: number } & Pick<Services, "db" | "now">, id: string): Statement {
  return db.run(sql`
    update jobs set ${JOB.set({ dueAt: lowPriorityDueAt(now()) })}
    where tenant_id = ${tenantId} and id = ${id} and status = 'pending' and due_at >= ${LOW_PRIORITY_AFTER}`);
}

/**
 * Brings the tenant's oldest job of low priority forward and sends its message, unless another one is under way or the tenant has a backlog.
 * `except`: a job that is about to end.
 */
export async function bringForward(services: Caller, tenantId: number, { except = "" } = {}): Promise<void> {
  const next = sql`
    (select tenant_id, id from jobs indexed by jobs_open
      where ${OPEN} and tenant_id = ${tenantId} and ${isTurn(services.now())} order by due_at, id limit 1)`;
  await release(services, next, except);
}

/** The same for all tenants, for jobs whose predecessor was lost. Returns how many were brought forward. */
export async function bringAllForward(services: Caller): Promise<number> {
  const waiting = await inTurns(services, {
    among: OPEN,
    ready: isTurn(services.now()),
    order: sql`due_at, id`,
    limit: TENANTS_A_SWEEP,
    perTenant: 1,
  });
  if (waiting.length === 0) return 0;
  const named = JSON.stringify(waiting);
  return await release(
    services,
    sql`(select value ->> 'tenantId' as tenant_id, value ->> 'jobId' as id from json_each(${named}))`,
    "",
  );
}

function isTurn(now: number): SQL {
  return sql`due_at between ${LOW_PRIORITY_AFTER} and ${lowPriorityDueAt(now)}`;
}

const RELEASED = row(JOB.of(sql`jobs`, "tenantId", "id"));

async function release(services: Caller, next: SQL, except: string): Promise<number> {
  const now = services.now();
  const kinds = JSON.stringify(LOW_PRIORITY_KINDS);
  // Reads no more of a backlog than it takes to see that there is one.
  const others = sql`(
    select o.id, o.kind from jobs o indexed by jobs_open
    where o.status in ('pending', 'running') and o.tenant_id = jobs.tenant_id and o.due_at < ${LOW_PRIORITY_AFTER} and o.id <> ${except}
    limit ${BUSY_AT})`;
  const released = await readRows(
    services,
    statement(
      RELEASED,
      sql`update jobs set ${JOB.set({ dueAt: now + OFFER_MS, leaseToken: OFFERED })}
        where (tenant_id, id) in (select tenant_id, id from ${next})
          and status = 'pending' and due_at >= ${LOW_PRIORITY_AFTER}
          and (select count(*) from ${others}) < ${BUSY_AT}
          and not exists (select 1 from ${others} u where u.kind in (select value from json_each(${kinds})))
        returning ${RELEASED.columns}`,
    ),
  );
  const refs: JobRef[] = released.map(({ tenantId, id }) => ({ tenantId, jobId: id }));
  if (refs.length > 0) await services.jobs.send(refs);
  return refs.length;
}

/**
 * The statement that adds an entry to the list `ranges` in the payload of a job of low priority, and writes the job with its first entry.
 * The job does not begin before `releaseRanges`.
 */
export function enqueueRange(
  ctx: { tenantId: number } & Pick<Services, "db" | "now">,
  job: { id: string; kind: string; payload: Record<string, string>; range: SQL; from: SQL },
): Statement {
  return ctx.db.run(sql`
    insert into jobs ${JOB.insert({
      ...{ tenantId: ctx.tenantId, id: job.id, kind: job.kind, status: "pending", attempts: 0 },
      payload: sql`json_set(${JSON.stringify(job.payload)}, '$.ranges', json_array(json(${job.range})))`,
      ...{ dueAt: lowPriorityDueAt(ctx.now()) + HELD_MS, createdAt: ctx.now() },
    })}
    from ${job.from} where true
    on conflict (tenant_id, id) do update set payload = json_insert(payload, '$.ranges[#]', json(excluded.payload -> '$.ranges[0]'))`);
}
