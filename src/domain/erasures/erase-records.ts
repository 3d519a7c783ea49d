import { type SQL, sql } from "drizzle-orm";
import { sha256 } from "#core/ids";
import { readRows, select } from "#db/client";
import { row, text } from "#db/row";
import { JOB } from "#db/schema/jobs";
import { eraseAuditRows } from "#domain/audit";
import { ENTITIES } from "#domain/entities";
import { type Indexable, removableVectors } from "#domain/indexing";
import { MEMORIES } from "#domain/memories";
import { EPISODES } from "#domain/sessions";
import { CHUNKS } from "#domain/sources";
import { eraseVectors } from "./erase-vectors.ts";
import { carryOut, count, type Part, type Progress } from "./progress.ts";
import { isUserErasure } from "./scope.ts";
import type { StepCtx } from "./step.ts";
import { keyOf, rowsIn, TABLES, type TableStore } from "./stores.ts";

/** D1 should not change more than about a thousand rows in a statement. */
const ROWS_A_STEP = 1_000;
const JOBS_A_STEP = 100;

/** The content of audit rows about the subject. It comes while the rows that their ids name are still there. */
export async function eraseAudit(ctx: StepCtx, progress: Progress): Promise<boolean> {
  const rows = rowsOf("audit", progress);
  if (rows === null) return true;
  const { erased, isDone } = await eraseAuditRows(ctx, rows);
  count(progress, "audit", erased);
  return isDone;
}

const REMOVALS: Readonly<Record<string, Indexable>> = Object.fromEntries(
  [EPISODES, MEMORIES, ENTITIES, CHUNKS].map((of) => [of.jobs.remove, of]),
);

const REMOVAL = row(JOB.of(sql`x`, "tenantId", "id", "kind", "payload", "attempts", "result"));
const RUNNING = row(JOB.of(sql`x`, "dueAt"));

/** Carries out jobs about the subject that remove vectors, and deletes all its jobs. A job that runs may still write until its lease ends. */
export async function eraseJobs(ctx: StepCtx, progress: Progress): Promise<boolean> {
  const rows = rowsOf("jobs", progress);
  if (rows === null) return true;
  const isRemoval = sql`x.kind in (select value from json_each(${JSON.stringify(Object.keys(REMOVALS))}))`;
  const removals = await readRows(
    ctx,
    select(
      REMOVAL,
    )`from jobs x where (x.tenant_id, x.id) in (${rows}) and ${isRemoval} and x.status <> 'done' and x.tenant_id = ${ctx.tenantId} limit ${JOBS_A_STEP}`,
  );
  for (const job of removals) {
    const of = REMOVALS[job.kind];
    if (of !== undefined) await eraseVectors(ctx, progress, await removableVectors(ctx, of, [job]));
  }
  progress.settledAt = Math.max(progress.settledAt, await runningUntil(ctx, sql`(x.tenant_id, x.id) in (${rows})`));
  const ids = JSON.stringify(removals.map(({ id }) => id));
  const deleted = await carryOut(ctx, progress, [
    {
      store: "jobs",
      statement: ctx.db.run(
        removals.length > 0
          ? sql`delete from jobs where tenant_id = ${ctx.tenantId} and id in (select value from json_each(${ids}))`
          : sql`delete from jobs where (tenant_id, id) in (select tenant_id, id from (${rows}) limit ${ROWS_A_STEP})`,
      ),
    },
  ]);
  return removals.length === 0 && deleted < ROWS_A_STEP;
}

/**
 * Waits until every job of the tenant that runs now has ended or lost its lease, whatever its payload names: it may have read rows before they
 * went, and store vectors of them. Jobs that begin later find nothing.
 */
export async function awaitJobs(ctx: StepCtx, progress: Progress): Promise<boolean> {
  progress.waitsUntil = Math.max(progress.settledAt, await runningUntil(ctx, sql`x.kind <> 'erasures.run'`));
  return true;
}

/** Unix milliseconds after which the index shows what jobs that run now may write; 0 if none runs. */
async function runningUntil(ctx: StepCtx, which: SQL): Promise<number> {
  const running = await readRows(
    ctx,
    select(RUNNING)`from jobs x where x.tenant_id = ${ctx.tenantId} and x.status = 'running' and ${which}`,
  );
  return Math.max(0, ...running.map(({ dueAt }) => dueAt + ctx.vectors.settlesAfterMs));
}

/** Deletes the next rows of a table that the registry names. */
export function eraseTable(table: string): (ctx: StepCtx, progress: Progress) => Promise<boolean> {
  return async (ctx, progress) => {
    const rows = rowsOf(table, progress);
    if (rows === null) return true;
    const key = keyOf(tableStore(table));
    const statement = ctx.db.run(
      sql`delete from ${sql.identifier(table)} where (${key}) in (select ${key} from (${rows}) limit ${ROWS_A_STEP})`,
    );
    return (await carryOut(ctx, progress, [{ store: table, statement }])) < ROWS_A_STEP;
  };
}

/** The rows to erase; with `review`, edges from memories of others are left for a person. */
function rowsOf(table: string, { scope, aboutOthers }: Progress) {
  const isLeft = table === "memory_subjects" && aboutOthers === "review";
  return rowsIn(tableStore(table), isLeft ? { ...scope, persons: [] } : scope);
}

/** @throws RangeError for a table that the registry does not name. */
export function tableStore(table: string): TableStore {
  const found = TABLES.find((one) => one.table === table);
  if (found === undefined) throw new RangeError(`There is no store ${table}.`);
  return found;
}

const USER = row({ externalId: text(sql`u.external_id`) });

/**
 * Revokes the user's tokens and keys first, so that nothing writes on their behalf while they are erased, and deletes the answers to repeated
 * requests of their tokens, whose keys begin with a hash of the user.
 */
export async function revokeAccess(ctx: StepCtx, progress: Progress): Promise<boolean> {
  const { scope } = progress;
  if (!isUserErasure(scope)) return true;
  const [user] = await readRows(ctx, select(USER)`from users u where u.id = ${scope.id} and u.tenant_id = ${ctx.tenantId}`);
  if (user === undefined) return true;
  const prefix = `${await sha256(user.externalId)} `;
  const of = (store: string, statement: SQL): Part => ({ store, statement: ctx.db.run(statement) });
  await carryOut(ctx, progress, [
    of(
      "references",
      sql`update users set tokens_revoked_at = ${ctx.now()} where id = ${scope.id} and tenant_id = ${ctx.tenantId}`,
    ),
    of(
      "references",
      sql`update keys set revoked_at = coalesce(revoked_at, ${ctx.now()}) where user_id = ${scope.id} and tenant_id = ${ctx.tenantId}`,
    ),
    of(
      "idempotency",
      sql`delete from idempotency where tenant_id = ${ctx.tenantId} and key_id = 0 and substr(key, 1, ${prefix.length}) = ${prefix}`,
    ),
  ]);
  ctx.caches.credentials.clear();
  // What other isolates still accept may write: it is written before the user's row goes, and found by the next round.
  if (progress.round === 0) progress.waitsUntil = ctx.now() + ctx.trustMs;
  return true;
}
