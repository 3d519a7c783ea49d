import { sql } from "drizzle-orm";
import type { Services } from "#context";
import { describeError } from "#core/describe-error";
import { read, readRows, select } from "#db/client";
import { flag, integer, row } from "#db/row";
import { AUDIT_SEAL } from "#db/schema/tenants";
import { GENESIS, selectChainRows, type Walk, walk } from "./chain.ts";

/** The most rows that one seal covers, so that a check knows how far away the next seal can be. */
export const ROWS_A_SEAL = 2_000;

const SEAL = row(AUDIT_SEAL.of(sql`s`, "seq", "hash"));

/** How many rows were sealed, and the row that could not be: nothing from there on can be sealed. */
export type Sealing = { sealed: number; stopped: Extract<Walk, { brokenAt: number }> | null };

/**
 * Hashes up to `limit` rows after the tenant's last seal, and stores the chain up to the last of them as one seal. Safe to run
 * concurrently: each run starts at a seal, and a row's hash is the same in all of them.
 */
export async function sealTenant(services: Pick<Services, "db" | "now">, tenantId: number, limit: number): Promise<Sealing> {
  const last = sql`from audit_seals s where s.tenant_id = ${tenantId} order by s.seq desc limit 1`;
  const {
    seal: [seal],
    found,
  } = await read(services, {
    seal: select(SEAL)`${last}`,
    found: selectChainRows(tenantId, { after: sql`coalesce((select s.seq ${last}), 0)`, limit: Math.min(limit, ROWS_A_SEAL) }),
  });
  const start = seal ?? { seq: 0, hash: GENESIS };
  let reached = start;
  const walked = await walk(start, found, (seq, hash) => {
    reached = { seq, hash };
  });
  if (reached.seq > start.seq) {
    await services.db.run(sql`
      insert into audit_seals (tenant_id, seq, hash, sealed_at) values (${tenantId}, ${reached.seq}, ${reached.hash}, ${services.now()})
      on conflict (tenant_id, seq) do nothing`);
  }
  return { sealed: reached.seq - start.seq, stopped: "brokenAt" in walked ? walked : null };
}

const TENANT = row({
  id: integer(sql`t.id`),
  hasNew: flag(sql`
    coalesce((select a.seq from audit a where a.tenant_id = t.id order by a.seq desc limit 1), 0)
    > coalesce((select s.seq from audit_seals s where s.tenant_id = t.id order by s.seq desc limit 1), 0)`),
});

const TASK = "audit.seal";
const TENANTS_A_SWEEP = 500;
/** D1 allows 1,000 queries for each invocation, and the rest of the sweep needs some of them. */
const SEALINGS_A_SWEEP = 100;
/** Two hashes for each row: about one second of CPU time. */
const ROWS_A_SWEEP = 20_000;

/**
 * Seals what tenants have written since their last seal. Each run handles a bounded number of tenants and continues where the last one
 * stopped; a tenant without new rows costs two seeks. Returns how many rows were sealed.
 */
export async function sealAll(services: Pick<Services, "db" | "now" | "log">): Promise<number> {
  const tenants = await readRows(
    services,
    select(TENANT)`from tenants t
      where t.id > coalesce((select cast(cursor as integer) from upkeep where tenant_id = 0 and task = ${TASK}), 0)
      order by t.id limit ${TENANTS_A_SWEEP}`,
  );
  const fresh = tenants.filter(({ hasNew }) => hasNew);
  const turn = fresh.slice(0, SEALINGS_A_SWEEP);
  const last = turn.length < fresh.length ? turn.at(-1) : tenants.length < TENANTS_A_SWEEP ? undefined : tenants.at(-1);
  // Stored before the work, so that a run that is cut off does not block the tenants after it.
  await services.db.run(sql`
    insert into upkeep (tenant_id, task, cursor, ran_at) values (0, ${TASK}, ${String(last?.id ?? 0)}, ${services.now()})
    on conflict (tenant_id, task) do update set cursor = excluded.cursor, ran_at = excluded.ran_at`);
  let sealed = 0;
  for (const { id } of turn) sealed += await sealInTurn(services, id, Math.ceil(ROWS_A_SWEEP / turn.length));
  return sealed;
}

/** A failure for one tenant is logged; the others are still sealed. */
async function sealInTurn(services: Pick<Services, "db" | "now" | "log">, tenantId: number, limit: number): Promise<number> {
  let total = 0;
  try {
    for (let full = true; full && total < limit; ) {
      const { sealed, stopped } = await sealTenant(services, tenantId, limit - total);
      if (stopped !== null) services.log("audit.broken", { tenantId, seq: stopped.brokenAt, kind: stopped.kind });
      total += sealed;
      full = sealed === ROWS_A_SEAL;
    }
  } catch (error) {
    services.log("audit.unsealed", { tenantId, ...describeError(error) });
  }
  return total;
}
