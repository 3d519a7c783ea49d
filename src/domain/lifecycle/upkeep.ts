import { sql } from "drizzle-orm";
import type { Services } from "#context";
import { describeError } from "#core/describe-error";
import { type Forgotten, findForgotten, positionOf } from "./find-forgotten.ts";
import { type Counts, sumOf, type UpkeepCtx } from "./plan.ts";
import { purgeRows } from "./purge-memories.ts";
import { carryOut, runStep, saveCursor, type TaskName } from "./run-step.ts";

const HOUR_MS = 3_600_000;

/** Tasks that go through a tenant's rows, and how long after one round the next begins. */
const ROUNDS = { retain: 6 * HOUR_MS, cap: HOUR_MS, mend: 6 * HOUR_MS } as const satisfies Partial<Record<TaskName, number>>;

/** Tenants that one sweep asks whether anything is due, and how many of them get a turn. */
const TENANTS_A_SWEEP = 500;
const TURNS_A_SWEEP = 20;
/** Rows that a task may change of one tenant in a turn. */
const ROWS_A_TURN = 200;

export type Upkeep = { turns: number; changed: Record<string, number> };

/**
 * One turn of upkeep for each of the next tenants that have something due, round and round all tenants: however much there is to do
 * for one, the others come no later. What belongs to it happens tenant by tenant, and one's failure leaves the others their turn.
 */
export async function upkeep(services: Services): Promise<Upkeep> {
  const turns = await nextTurns(services);
  const done: Counts[] = [];
  for (const { tenantId, tasks } of turns) {
    for (const { task, cursor } of tasks) {
      const step = { row: task, cursor, limit: ROWS_A_TURN, dryRun: false };
      done.push(await attempt(services, tenantId, async (ctx) => named(task, (await runStep(ctx, task, step)).counts)));
    }
  }
  done.push(...(await purgeTurns(services)));
  return { turns: turns.length, changed: sumOf(done) };
}

/** As `expire.memories`. */
function named(task: TaskName, counts: Counts): Counts {
  return Object.fromEntries(Object.entries(counts).flatMap(([name, n]) => (n === 0 ? [] : [[`${task}.${name}`, n]])));
}

type Turn = { tenantId: number; tasks: { task: TaskName; cursor: string }[] };
type TenantRow = { id: number; gc: number; hasExpired: number; isCapped: number; tasks: string };
type Round = { task: string; cursor: string; ranAt: number };

const ROTATION = "upkeep";

async function nextTurns(services: Services): Promise<Turn[]> {
  const now = services.now();
  // The defaults of `autoGc` and `maxEntries` are those of settings/defaults.ts.
  const tenants = await services.db.all<TenantRow>(sql`
    select t.id as id, s.data ->> 'autoGc' is not 0 as gc, s.data ->> 'maxEntries' is not null as isCapped,
      exists (
        select 1 from memories m where m.tenant_id = t.id and m.expires_at is not null and m.expires_at <= ${now} and m.deleted_at is null
      ) as hasExpired,
      (select json_group_array(json_object('task', k.task, 'cursor', k.cursor, 'ranAt', k.ran_at)) from upkeep k
       where k.tenant_id = t.id and k.task in ('retain', 'cap', 'mend')) as tasks
    from tenants t left join settings s on s.tenant_id = t.id
    where t.id > coalesce((select cast(cursor as integer) from upkeep where tenant_id = 0 and task = ${ROTATION}), 0)
    order by t.id limit ${TENANTS_A_SWEEP}`);
  const due = tenants.map((tenant) => turnOf(tenant, now)).filter(({ tasks }) => tasks.length > 0);
  const turns = due.slice(0, TURNS_A_SWEEP);
  const last = turns.length < due.length ? turns.at(-1)?.tenantId : tenants.length < TENANTS_A_SWEEP ? 0 : tenants.at(-1)?.id;
  // Before the work, so that a run which does not come to its end cannot keep the tenants after it from theirs.
  await saveCursor({ ...services, tenantId: 0 }, ROTATION, String(last ?? 0));
  return turns;
}

function turnOf(tenant: TenantRow, now: number): Turn {
  const rounds = roundsIn(tenant.tasks);
  const dueRound = (task: keyof typeof ROUNDS): Turn["tasks"] => {
    const round = rounds.find((row) => row.task === task);
    const isDue = round === undefined || round.cursor !== "" || round.ranAt <= now - ROUNDS[task];
    return isDue ? [{ task, cursor: round?.cursor ?? "" }] : [];
  };
  const collects = tenant.gc === 1;
  return {
    tenantId: tenant.id,
    tasks: [
      ...(collects && tenant.hasExpired === 1 ? [{ task: "expire" as const, cursor: "" }] : []),
      ...(collects ? dueRound("retain") : []),
      ...(collects && tenant.isCapped === 1 ? dueRound("cap") : []),
      ...dueRound("mend"),
    ],
  };
}

/** The statement above makes this JSON. */
function roundsIn(tasks: string): Round[] {
  return JSON.parse(tasks);
}

/** Forgotten memories are found by time alone, so what is due of all tenants comes at once: no more than a turn's of each. */
async function purgeTurns(services: Services): Promise<Counts[]> {
  const [row] = await services.db.all<{ cursor: string }>(sql`select cursor from upkeep where tenant_id = 0 and task = 'purge'`);
  const from = positionOf(row?.cursor ?? "");
  const limit = TURNS_A_SWEEP * ROWS_A_TURN;
  const { rows, next } = await findForgotten(services, from, { of: sql`true`, limit, perTenant: ROWS_A_TURN });
  const turns = takeTenants(rows, TURNS_A_SWEEP);
  const last = turns.left ?? next;
  const cursor = last === null ? "" : JSON.stringify(last);
  if (cursor !== (row?.cursor ?? "")) await saveCursor({ ...services, tenantId: 0 }, "purge", cursor);
  const done: Counts[] = [];
  for (const [tenantId, forgotten] of turns.taken) {
    done.push(
      await attempt(services, tenantId, async (ctx) => {
        const plan = purgeRows(ctx, forgotten);
        await carryOut(ctx, { action: "upkeep.purged", plan });
        return named("purge", plan.counts);
      }),
    );
  }
  return done;
}

/** The rows of the first so many tenants, up to the first row of one more; `left` is where that one is. */
function takeTenants(
  rows: readonly Forgotten[],
  count: number,
): { taken: Map<number, Forgotten[]>; left: { at: number; id: number } | null } {
  const taken = new Map<number, Forgotten[]>();
  for (const row of rows) {
    const own = taken.get(row.tenantId);
    if (own !== undefined) own.push(row);
    else if (taken.size < count) taken.set(row.tenantId, [row]);
    else return { taken, left: { at: row.at, id: row.id - 1 } };
  }
  return { taken, left: null };
}

async function attempt(services: Services, tenantId: number, run: (ctx: UpkeepCtx) => Promise<Counts>): Promise<Counts> {
  const ctx: UpkeepCtx = {
    ...services,
    tenantId,
    actor: { kind: "system", id: "upkeep" },
    requestId: `upkeep_${services.now()}`,
    idempotent: null,
  };
  try {
    return await run(ctx);
  } catch (error) {
    services.log("upkeep.failed", { tenantId, ...describeError(error) });
    return {};
  }
}
