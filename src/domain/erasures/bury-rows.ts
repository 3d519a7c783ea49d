import { sql } from "drizzle-orm";
import { runBatch } from "#db/client";
import { tombstoneHash } from "#domain/tenants";
import type { Scope } from "./scope.ts";
import type { StepCtx } from "./step.ts";

/** A row of somebody or something that stays, by its public id. */
export type BuriedRow = { kind: "episode" | "memory" | "entity"; publicId: string };

/**
 * Writes tombstones of rows that go although what they belong to stays, before they go: no import of an older export brings them back. Rows
 * of users, sessions, projects and sources that go are kept away by the tombstones of these. An erasure that has ended names no subject.
 */
export async function buryRows(ctx: StepCtx, { kind, id, tenantId }: Scope, rows: readonly BuriedRow[]): Promise<void> {
  if (rows.length === 0) return;
  const hashes = await Promise.all(rows.map((row) => tombstoneHash(ctx, row.kind, row.publicId)));
  await runBatch(ctx, [
    ctx.db.run(sql`
      insert into tombstones (tenant_id, subject_hash, erasure_id, erased_at)
      select ${tenantId}, j.value, e.id, ${ctx.now()} from erasures e cross join json_each(${JSON.stringify(hashes)}) j
      where e.tenant_id = ${tenantId} and e.kind = ${kind} and e.subject_id = ${id}
      on conflict (tenant_id, subject_hash) do nothing`),
  ]);
}
