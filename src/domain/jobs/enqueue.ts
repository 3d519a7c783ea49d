import { type SQL, sql } from "drizzle-orm";
import type { Ctx } from "#context";
import type { Statement } from "#db/client";
import { JOB } from "#db/schema/jobs";

export type JobDraft = {
  id: string;
  kind: string;
  /** Internal ids, as a JSON text, or as an SQL expression if the ids are known only inside the batch. */
  payload: SQL | string;
  /** What the payload's expression reads from; if it returns no row, no job is written. */
  from?: SQL;
  /** Unix milliseconds before which it is not taken; now when absent. */
  dueAt?: number;
};

/** The statement that writes the job's row, as part of the batch of the change that needs it. */
export function enqueue(ctx: Ctx<"db" | "now">, draft: JobDraft): Statement {
  return ctx.db.run(sql`
    insert into jobs ${JOB.insert({
      ...{
        tenantId: ctx.tenantId,
        id: draft.id,
        kind: draft.kind,
        payload: sql`${draft.payload}`,
        status: "pending",
        attempts: 0,
      },
      ...{ dueAt: draft.dueAt ?? ctx.now(), createdAt: ctx.now() },
    })}
    ${draft.from === undefined ? sql`` : sql`from ${draft.from}`}`);
}

/** The same for many jobs of a kind, in one statement. `payload` is a JSON text. */
export function enqueueMany(
  ctx: Ctx<"db" | "now">,
  { kind, drafts }: { kind: string; drafts: readonly { id: string; payload: string }[] },
): Statement {
  return ctx.db.run(sql`
    insert into jobs (tenant_id, id, kind, payload, status, attempts, due_at, created_at)
    select ${ctx.tenantId}, j.value ->> 'id', ${kind}, j.value ->> 'payload', 'pending', 0, ${ctx.now()}, ${ctx.now()}
    from json_each(${JSON.stringify(drafts)}) j`);
}

/**
 * Sends the queue message after the response, to be delivered after `delayMs`, 12 hours at most. If it is lost, the sweep finds the row.
 */
export function dispatch(ctx: Ctx<"jobs" | "defer">, jobIds: readonly string[], delayMs = 0): void {
  const refs = jobIds.map((jobId) => ({ tenantId: ctx.tenantId, jobId }));
  ctx.defer(() => ctx.jobs.send(refs, delayMs));
}
