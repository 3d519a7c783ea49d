import { sql } from "drizzle-orm";
import { z } from "zod";
import { runBatch } from "#domain/audit";
import { memoryOf, memoryVectorId } from "#domain/memories";
import { CHUNKS_PER_SESSION, chunkOf, vectorIdOf } from "#domain/sessions";
import type { VectorRef } from "#ports/vector-index";
import { readCursor } from "./cursor.ts";
import type { CheckResult, Finding } from "./findings.ts";
import type { Step, UpkeepCtx } from "./step.ts";
import { unfinishedJobs } from "./unfinished.ts";
import { ALL_ROWS, FIRST_PLACE, Place, placesCte } from "./walk-spaces.ts";

/** Each space is a call to the vector index. */
const SPACES_A_STEP = 20;
const VECTORS_A_STEP = 1_000;

const Cursor = z.object({ place: Place, vector: z.string().nullable() });

type Cursor = z.infer<typeof Cursor>;

/** Vectors in the tenant's spaces whose memory or passage is gone, where the index can list them. Of other kinds it says nothing. */
export async function checkVectors(ctx: UpkeepCtx, { cursor, limit }: Step): Promise<CheckResult> {
  if (ctx.vectors.list === undefined) return { checked: { "vector.row": false }, findings: [], next: null };
  const from = cursor === "" ? { place: FIRST_PLACE, vector: null } : readCursor(Cursor, cursor);
  const { vectors, next } = await listVectors(ctx, from, Math.min(VECTORS_A_STEP, limit));
  return {
    checked: { "vector.row": vectors.length },
    findings: await strayOf(ctx, vectors),
    next: next === null ? null : JSON.stringify(next),
  };
}

/** The next vectors of the walk, no more than the limit, each as its space and its id. */
async function listVectors(ctx: UpkeepCtx, from: Cursor, limit: number): Promise<{ vectors: VectorRef[]; next: Cursor | null }> {
  const places = await ctx.db.all<Place & { space: number | null }>(sql`
    with ${placesCte(ctx.tenantId, from.place, SPACES_A_STEP)}
    select p.stage as stage, p.at as at, p.after as after, p.space as space from places p`);
  const vectors: VectorRef[] = [];
  for (const { space, after, ...place } of places) {
    if (space === null || after === ALL_ROWS) continue;
    const isFirst = place.stage === from.place.stage && place.at === from.place.at;
    const room = limit - vectors.length;
    const page = await ctx.vectors.list?.(ctx.tenantId, space, { after: isFirst ? from.vector : null, limit: room });
    vectors.push(...(page?.ids ?? []).map((id) => ({ id, space })));
    if (page !== undefined && page.next !== null) return { vectors, next: { place: { ...place, after: 0 }, vector: page.next } };
    if (vectors.length >= limit) return { vectors, next: { place: { ...place, after: ALL_ROWS }, vector: null } };
  }
  const last = places.length < SPACES_A_STEP ? undefined : places.at(-1);
  const end = last === undefined ? null : { place: { stage: last.stage, at: last.at, after: ALL_ROWS }, vector: null };
  return { vectors, next: end };
}

/** Those vectors that belong to nothing in their space, and that no job is to remove. */
async function strayOf(ctx: UpkeepCtx, vectors: readonly VectorRef[]): Promise<Finding[]> {
  const named = (rowOf: (vectorId: string) => number | null) =>
    JSON.stringify(
      vectors.flatMap(({ id, space }) => {
        const row = rowOf(id);
        return row === null ? [] : [[row, space]];
      }),
    );
  const per = sql.raw(String(CHUNKS_PER_SESSION));
  const [gone, loose] = await runBatch(ctx, [
    ctx.db.all(sql`
      select j.value ->> 0 as id, j.value ->> 1 as space, iif(m.tenant_id = ${ctx.tenantId}, m.public_id, null) as publicId
      from json_each(${named(memoryOf)}) j left join memories m on m.id = j.value ->> 0
      where m.id is null or m.deleted_at is not null or m.space_id <> j.value ->> 1 or m.tenant_id <> ${ctx.tenantId}`),
    ctx.db.all(sql`
      select v.id as id, v.space as space, null as publicId from (
        select j.value ->> 0 as id, j.value ->> 1 as space from json_each(${named(chunkOf)}) j) v
      where not coalesce((
        select e.id + e.chunk_count > v.id and e.tenant_id = ${ctx.tenantId}
          and exists (select 1 from sessions s where s.id = e.session_id and s.space_id = v.space)
        from episodes e where e.id <= v.id and e.id >= (v.id / ${per}) * ${per} order by e.id desc limit 1), 0)`),
  ]);
  const strayMemories = (gone?.rows ?? []) as Stray[];
  const strayChunks = (loose?.rows ?? []) as Stray[];
  if (strayMemories.length + strayChunks.length === 0) return [];
  const unfinished = await unfinishedJobs(ctx);
  return [
    ...strayMemories.filter(({ id }) => !unfinished.removesMemory(id)).map((row) => stray(row, memoryVectorId(row.id), row.id)),
    ...strayChunks.filter(({ id }) => !unfinished.removesChunk(id)).map((row) => stray(row, vectorIdOf(row.id), null)),
  ];
}

type Stray = { id: number; space: number; publicId: string | null };

function stray({ space, publicId }: Stray, vectorId: string, memoryId: number | null): Finding {
  return {
    invariant: "vector.row",
    example: publicId,
    repair: { kind: "vector.remove", ref: { id: vectorId, space }, memoryId },
  };
}
