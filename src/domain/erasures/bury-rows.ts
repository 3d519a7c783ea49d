import { sql } from "drizzle-orm";
import { readRows, runBatch, select } from "#db/client";
import { nullable, row, text } from "#db/row";
import { FORGETTING } from "#db/schema/forgettings";
import { idIfImported } from "#domain/imports";
import { tombstoneHash } from "#domain/tenants";
import type { Progress } from "./progress.ts";
import { listOf, type Scope } from "./scope.ts";
import type { StepCtx } from "./step.ts";
import { TABLES } from "./stores.ts";

/** A row of somebody or something that stays, by its public id. */
export type BuriedRow = { kind: "episode" | "memory" | "entity" | "forgetting"; publicId: string };

/**
 * Writes tombstones of rows that go although what they belong to stays, before they go: no import of an older export brings them back. Rows
 * of users, sessions, projects and sources that go are kept away by the tombstones of these. An erasure that has ended names no subject.
 */
export async function buryRows(ctx: StepCtx, scope: Scope, rows: readonly BuriedRow[]): Promise<void> {
  await bury(ctx, scope, await Promise.all(rows.map((one) => tombstoneHash(ctx, one.kind, one.publicId))));
}

const FORGETTING_ID = row(FORGETTING.of(sql`f`, "publicId"));

/** Writes tombstones of the forgettings that go: an export holds the words that they could still put back. */
export async function buryForgettings(ctx: StepCtx, { scope }: Progress): Promise<boolean> {
  const rows = TABLES.find(({ table }) => table === "forgettings")?.rows(scope, sql`x.id`) ?? sql`select null`;
  const found = await readRows(
    ctx,
    select(FORGETTING_ID)`from forgettings f where f.tenant_id = ${scope.tenantId} and f.id in (${rows})`,
  );
  await buryRows(
    ctx,
    scope,
    found.map(({ publicId }) => ({ kind: "forgetting", publicId })),
  );
  return true;
}

const NAMED = row({
  kind: text<"session" | "source">(sql`n.kind`),
  externalId: text(sql`n.external_id`),
  owner: nullable(text(sql`n.owner`)),
});

/** Writes tombstones of the sessions and sources that go, under the ids that the app or an import gave them. */
export async function buryNamed(ctx: StepCtx, scope: Scope): Promise<void> {
  const named = await readRows(
    ctx,
    select(NAMED)`from (
      select 'session' kind, s.external_id, u.external_id owner from sessions s left join users u on u.id = s.owner_id
      where s.id in ${listOf(scope.sessions)} and s.tenant_id = ${scope.tenantId}
      union all
      select 'source', so.external_id, p.external_id from sources so left join projects p on p.id = so.project_id
      where so.id in ${listOf(scope.sources)} and so.tenant_id = ${scope.tenantId}) n`,
  );
  const ids = await Promise.all(
    named.map(async ({ kind, externalId, owner }) => {
      const imported = owner === null ? externalId : await idIfImported(ctx, externalId, owner);
      return [...new Set([externalId, imported])].map((id) => ({ kind, id }));
    }),
  );
  await bury(ctx, scope, await Promise.all(ids.flat().map(({ kind, id }) => tombstoneHash(ctx, kind, id))));
}

async function bury(ctx: StepCtx, { kind, id, tenantId }: Scope, hashes: readonly string[]): Promise<void> {
  if (hashes.length === 0) return;
  await runBatch(ctx, [
    ctx.db.run(sql`
      insert into tombstones (tenant_id, subject_hash, erasure_id, erased_at)
      select ${tenantId}, j.value, e.id, ${ctx.now()} from erasures e cross join json_each(${JSON.stringify(hashes)}) j
      where e.tenant_id = ${tenantId} and e.kind = ${kind} and e.subject_id = ${id}
      on conflict (tenant_id, subject_hash) do nothing`),
  ]);
}
