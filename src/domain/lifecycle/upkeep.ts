import { sql } from "drizzle-orm";
import type { Services } from "#context";
import { describeError } from "#core/describe-error";
import { read, statement } from "#db/client";
import { flag, integer, json, type RowOf, row } from "#db/row";
import type { Share } from "./offer-jobs.ts";
import { findDueForgettings, purgeForgettings } from "./purge-forgettings.ts";
import { type Forgotten, findForgotten, positionOf, purgeRows } from "./purge-memories.ts";
import { carryOut, readSavedCursor, rowOf, runStep, saveCursor } from "./run-tasks.ts";
import { type Counts, sumOf, type TaskName, totalOf, type UpkeepCtx } from "./step.ts";

const HOUR_MS = 3_600_000;

/** Tasks that go through a tenant's rows, and how long after one round the next begins. */
const ROUNDS = { summarize: HOUR_MS, retain: 6 * HOUR_MS, cap: HOUR_MS, repair: 6 * HOUR_MS } as const satisfies Partial<
  Record<TaskName, number>
>;

/** Tenants that one sweep reads to see whether anything is due. */
const TENANTS_A_SWEEP = 500;
/** Tenants that get a turn in every sweep; more of them do while the sweep's share lasts. */
const LEAST_TURNS = 5;
/** Rows that a step of a task may change. One statement on D1 should not change more than about a thousand rows. */
const ROWS_A_STEP: Record<TaskName, number> = {
  ...{ expire: 1_000, cap: 1_000, purge: 1_000 },
  ...{ summarize: 200, retain: 200, repair: 200 },
};
/** The most tenants in one purge. */
const PURGES_A_LOOK = 20;

/** `turns` counts the tenants that had one, `steps` their steps in total. */
export type Upkeep = { turns: number; steps: number; changed: Record<string, number> };

/**
 * Gives one turn of upkeep to each of the next tenants with something due, in rotation over all tenants. While the share lasts, unfinished
 * tenants get further turns afterwards, so that a tenant with much to do does not delay the others. A failure of one tenant does not affect
 * the others.
 */
export async function upkeep(services: Services, share: Share): Promise<Upkeep> {
  const { due, save } = await dueTurns(services);
  const done: Done = { steps: 0, counts: [] };
  const unfinished: Turn[] = [];
  let turns = 0;
  for (; turns === 0 || (turns < due.length && !share.isUsed()); turns += LEAST_TURNS) {
    const next = due.slice(turns, turns + LEAST_TURNS);
    // Stored before the work, so that a run that is cut off does not block the tenants after it.
    await save(turns + LEAST_TURNS);
    for (const turn of next) unfinished.push(await take(services, turn, done));
  }
  let isPurged = await purgeTurns(services, done);
  for (let queue = unfinished.filter(isUnfinished); (queue.length > 0 || !isPurged) && !share.isUsed(); ) {
    const left: Turn[] = [];
    for (const turn of queue) left.push(share.isUsed() ? turn : await take(services, turn, done));
    queue = left.filter(isUnfinished);
    if (!isPurged && !share.isUsed()) isPurged = await purgeTurns(services, done);
  }
  return { turns: Math.min(turns, due.length), steps: done.steps, changed: sumOf(done.counts) };
}

/** What a sweep has done so far. */
type Done = { steps: number; counts: Counts[] };

/** Runs one step of each of a tenant's tasks. Returns the unfinished ones; a task that failed waits for the next sweep. */
async function take(services: Services, turn: Turn, done: Done): Promise<Turn> {
  const tasks: Turn["tasks"] = [];
  for (const { task, cursor } of turn.tasks) {
    const counts = await attempt(services, turn.tenantId, async (ctx) => {
      const prepared = await runStep(ctx, task, { name: rowOf(task), cursor, limit: ROWS_A_STEP[task], dryRun: false });
      if (prepared.next !== null) tasks.push({ task, cursor: prepared.next });
      return named(task, prepared.counts);
    });
    done.steps += 1;
    done.counts.push(counts);
  }
  return { ...turn, tasks };
}

function isUnfinished({ tasks }: Turn): boolean {
  return tasks.length > 0;
}

/** As `expire.memories`. */
function named(task: TaskName, counts: Counts): Counts {
  return Object.fromEntries(Object.entries(counts).flatMap(([name, n]) => (n === 0 ? [] : [[`${task}.${name}`, n]])));
}

type Turn = { tenantId: number; tasks: { task: TaskName; cursor: string }[] };
type Round = { task: string; cursor: string; ranAt: number };

const ROTATION = "upkeep";

/** The sweep's position in the rotation over all tenants. */
const ALL_TENANTS = 0;

const tenantShape = (now: number) =>
  row({
    id: integer(sql`t.id`),
    // The defaults of `autoGc`, `maxEntries` and `summarizeAfterTokens` are those of settings/defaults.ts.
    collects: flag(sql`s.data ->> 'autoGc' is not 0`),
    isCapped: flag(sql`s.data ->> 'maxEntries' is not null`),
    summarizes: flag(sql`s.data ->> 'summarizeAfterTokens' is not null`),
    hasExpired: flag(sql`exists (
      select 1 from memories m where m.tenant_id = t.id and m.expires_at is not null and m.expires_at <= ${now} and m.deleted_at is null)`),
    rounds: json<Round[]>(sql`(
      select json_group_array(json_object('task', k.task, 'cursor', k.cursor, 'ranAt', k.ran_at)) from upkeep k
      where k.tenant_id = t.id and k.task in ('summarize', 'retain', 'cap', 'mend'))`),
  });

type TenantRow = RowOf<ReturnType<typeof tenantShape>>;

/** The next tenants with something due. `save` stores that the first so many of them have had their turn. */
async function dueTurns(services: Services): Promise<{ due: Turn[]; save: (turns: number) => Promise<void> }> {
  const now = services.now();
  const shape = tenantShape(now);
  const { tenants } = await read(services, {
    tenants: statement(
      shape,
      sql`select ${shape.columns} from tenants t left join settings s on s.tenant_id = t.id
        where t.id > coalesce((
          select cast(cursor as integer) from upkeep where tenant_id = ${ALL_TENANTS} and task = ${ROTATION}), 0)
        order by t.id limit ${TENANTS_A_SWEEP}`,
    ),
  });
  const due = tenants.map((tenant) => turnOf(tenant, now)).filter(({ tasks }) => tasks.length > 0);
  const save = async (turns: number) => {
    const atEnd = tenants.length < TENANTS_A_SWEEP ? 0 : tenants.at(-1)?.id;
    const last = turns < due.length ? due[turns - 1]?.tenantId : atEnd;
    await saveCursor({ ...services, tenantId: ALL_TENANTS }, ROTATION, String(last ?? 0));
  };
  return { due, save };
}

function turnOf(tenant: TenantRow, now: number): Turn {
  const dueRound = (task: keyof typeof ROUNDS): Turn["tasks"] => {
    const round = tenant.rounds.find((saved) => saved.task === rowOf(task));
    const isDue = round === undefined || round.cursor !== "" || round.ranAt <= now - ROUNDS[task];
    return isDue ? [{ task, cursor: round?.cursor ?? "" }] : [];
  };
  const { collects } = tenant;
  return {
    tenantId: tenant.id,
    tasks: [
      ...(collects && tenant.hasExpired ? [{ task: "expire" as const, cursor: "" }] : []),
      ...(collects && tenant.summarizes ? dueRound("summarize") : []),
      ...(collects ? dueRound("retain") : []),
      ...(collects && tenant.isCapped ? dueRound("cap") : []),
      ...dueRound("repair"),
    ],
  };
}

/**
 * Forgotten memories are found by time alone, so the due ones of all tenants come at once, limited for each tenant. Returns whether all of
 * them have been read.
 */
async function purgeTurns(services: Services, done: Done): Promise<boolean> {
  const ofAll = { ...services, tenantId: ALL_TENANTS };
  const saved = await readSavedCursor(ofAll, "purge");
  const from = positionOf(saved);
  const perTenant = ROWS_A_STEP.purge;
  const { rows, next } = await findForgotten(services, from, { of: sql`true`, limit: PURGES_A_LOOK * perTenant, perTenant });
  const turns = takeTenants(rows, PURGES_A_LOOK);
  const last = turns.left ?? next;
  const cursor = last === null ? "" : JSON.stringify(last);
  if (cursor !== saved) await saveCursor(ofAll, "purge", cursor);
  const purged: Counts[] = [];
  for (const [tenantId, forgotten] of turns.taken) {
    purged.push(
      await attempt(services, tenantId, async (ctx) => {
        const prepared = purgeRows(ctx, forgotten);
        await carryOut(ctx, { action: "upkeep.purged", prepared });
        return named("purge", prepared.counts);
      }),
    );
  }
  const due = await findDueForgettings(services, { of: sql`true`, limit: perTenant });
  for (const [tenantId, forgettings] of Map.groupBy(due, (one) => one.tenantId)) {
    purged.push(
      await attempt(services, tenantId, async (ctx) => {
        const prepared = purgeForgettings(ctx, forgettings);
        await carryOut(ctx, { action: "upkeep.purged", prepared });
        return named("purge", prepared.counts);
      }),
    );
  }
  done.steps += purged.length;
  done.counts.push(...purged);
  return last === null && totalOf(sumOf(purged)) === 0;
}

/** The rows of the first so many tenants; `left` is the position of the first row of the next tenant, if there is one. */
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
