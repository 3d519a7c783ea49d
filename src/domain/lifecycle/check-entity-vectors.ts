import { sql } from "drizzle-orm";
import { z } from "zod";
import { entityOf } from "#domain/entities";
import type { VectorRef } from "#ports/vector-index";
import { readCursor } from "./cursor.ts";
import type { CheckResult, Finding } from "./findings.ts";
import type { Step, UpkeepCtx } from "./step.ts";
import { unfinishedJobs } from "./unfinished.ts";
import { FIRST_PROJECT, ProjectPlace, projectsCte } from "./walk-projects.ts";
import { ALL_ROWS } from "./walk-spaces.ts";

/** Each project is a call to the vector index. */
const PROJECTS_A_STEP = 20;
const VECTORS_A_STEP = 1_000;

const Cursor = z.object({ place: ProjectPlace, vector: z.string().nullable() });

type Cursor = z.infer<typeof Cursor>;

/** Vectors in the spaces of the tenant's projects whose entity is gone, where the index can list them. Of other kinds it says nothing. */
export async function checkEntityVectors(ctx: UpkeepCtx, { cursor, limit }: Step): Promise<CheckResult> {
  if (ctx.vectors.list === undefined) return { checked: { "vector.row": false }, findings: [], next: null };
  const from = cursor === "" ? { place: FIRST_PROJECT, vector: null } : readCursor(Cursor, cursor);
  const { vectors, next } = await listVectors(ctx, from, Math.min(VECTORS_A_STEP, limit));
  return {
    checked: { "vector.row": vectors.length },
    findings: await strayOf(ctx, vectors),
    next: next === null ? null : JSON.stringify(next),
  };
}

async function listVectors(ctx: UpkeepCtx, from: Cursor, limit: number): Promise<{ vectors: VectorRef[]; next: Cursor | null }> {
  const projects = await ctx.db.all<{ id: number; space: number }>(sql`
    with ${projectsCte(ctx.tenantId, from.place, PROJECTS_A_STEP)} select w.id as id, w.space_id as space from walked w`);
  const vectors: VectorRef[] = [];
  for (const { id: project, space } of projects) {
    const after = project === from.place.project ? from.vector : null;
    const page = await ctx.vectors.list?.(ctx.tenantId, space, { after, limit: limit - vectors.length });
    vectors.push(...(page?.ids ?? []).map((id) => ({ id, space })));
    if (page !== undefined && page.next !== null) return { vectors, next: { place: { project, after: 0 }, vector: page.next } };
    if (vectors.length >= limit) return { vectors, next: { place: { project, after: ALL_ROWS }, vector: null } };
  }
  const last = projects.length < PROJECTS_A_STEP ? undefined : projects.at(-1);
  return { vectors, next: last === undefined ? null : { place: { project: last.id, after: ALL_ROWS }, vector: null } };
}

/** Those that belong to nothing in their space, and that no job is to remove. An entity's id never comes back. */
async function strayOf(ctx: UpkeepCtx, vectors: readonly VectorRef[]): Promise<Finding[]> {
  const named = vectors.flatMap((ref) => {
    const id = entityOf(ref.id);
    return id === null ? [] : [{ id, ref }];
  });
  const rows = await ctx.db.all<{ id: number; space: number }>(sql`
    select j.value ->> 0 as id, j.value ->> 1 as space
    from json_each(${JSON.stringify(named.map(({ id, ref }) => [id, ref.space]))}) j cross join entities en on en.id = j.value ->> 0
    where en.space_id = j.value ->> 1 and +en.tenant_id = ${ctx.tenantId}`);
  const there = new Set(rows.map(({ id, space }) => `${id} ${space}`));
  const stray = named.filter(({ id, ref }) => !there.has(`${id} ${ref.space}`));
  if (stray.length === 0) return [];
  const unfinished = await unfinishedJobs(ctx);
  return stray
    .filter(({ id }) => !unfinished.removesEntity(id))
    .map(({ ref }) => ({ invariant: "vector.row", example: null, repair: { kind: "vector.remove", ref, memoryId: null } }));
}
