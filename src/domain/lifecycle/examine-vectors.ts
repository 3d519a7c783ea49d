import { sql } from "drizzle-orm";
import { z } from "zod";
import { runBatch } from "#domain/audit";
import { memoryOf, memoryVectorId } from "#domain/memories";
import { CHUNKS_PER_SESSION, chunkOf, vectorIdOf } from "#domain/sessions";
import { readCursor } from "./cursor.ts";
import type { Examined, Finding } from "./findings.ts";
import type { Step, UpkeepCtx } from "./plan.ts";
import { unfinishedJobs } from "./unfinished.ts";
import { ALL_ROWS, FIRST_PLACE, Place, placesCte } from "./walk-spaces.ts";

/** Each space is a call to the vector index. */
const SPACES_A_STEP = 20;
const VECTORS_A_STEP = 1_000;

const Cursor = z.object({ place: Place, vector: z.string().nullable() });

/** Vectors in the tenant's spaces whose memory or passage is gone, where the index can list them. Of other kinds it says nothing. */
export async function examineVectors(ctx: UpkeepCtx, { cursor, limit }: Step): Promise<Examined> {
  if (ctx.vectors.list === undefined) return { checked: { "vector.row": false }, findings: [], next: null };
  const from = cursor === "" ? { place: FIRST_PLACE, vector: null } : readCursor(Cursor, cursor);
  const places = await ctx.db.all<Place & { space: number | null }>(sql`
    with ${placesCte(ctx.tenantId, from.place, SPACES_A_STEP)}
    select p.stage as stage, p.at as at, p.after as after, p.space as space from places p`);
  let room = Math.min(VECTORS_A_STEP, limit);
  let checked = 0;
  const findings: Finding[] = [];
  for (const { space, after, ...place } of places) {
    if (space === null || after === ALL_ROWS) continue;
    const isFirst = place.stage === from.place.stage && place.at === from.place.at;
    const page = await ctx.vectors.list(ctx.tenantId, space, { after: isFirst ? from.vector : null, limit: room });
    checked += page.ids.length;
    room -= page.ids.length;
    findings.push(...(await strayOf(ctx, space, page.ids)));
    if (page.next !== null) return answer(checked, findings, { place: { ...place, after: 0 }, vector: page.next });
    if (room === 0) return answer(checked, findings, { place: { ...place, after: ALL_ROWS }, vector: null });
  }
  const last = places.length < SPACES_A_STEP ? undefined : places.at(-1);
  return answer(
    checked,
    findings,
    last === undefined ? null : { place: { stage: last.stage, at: last.at, after: ALL_ROWS }, vector: null },
  );
}

function answer(checked: number, findings: Finding[], next: z.infer<typeof Cursor> | null): Examined {
  return { checked: { "vector.row": checked }, findings, next: next === null ? null : JSON.stringify(next) };
}

/** Those of a space's vectors that belong to nothing there, and that no job is to remove. */
async function strayOf(ctx: UpkeepCtx, space: number, vectorIds: readonly string[]): Promise<Finding[]> {
  const memories = vectorIds.flatMap((id) => memoryOf(id) ?? []);
  const chunks = vectorIds.flatMap((id) => chunkOf(id) ?? []);
  const per = sql.raw(String(CHUNKS_PER_SESSION));
  const [gone, loose] = await runBatch(ctx, [
    ctx.db.all(sql`
      select j.value as id, iif(m.tenant_id = ${ctx.tenantId}, m.public_id, null) as publicId
      from json_each(${JSON.stringify(memories)}) j left join memories m on m.id = j.value
      where m.id is null or m.deleted_at is not null or m.space_id <> ${space} or m.tenant_id <> ${ctx.tenantId}`),
    ctx.db.all(sql`
      select j.value as id, null as publicId from json_each(${JSON.stringify(chunks)}) j
      where not coalesce((
        select e.id + e.chunk_count > j.value and e.tenant_id = ${ctx.tenantId}
          and exists (select 1 from sessions s where s.id = e.session_id and s.space_id = ${space})
        from episodes e where e.id <= j.value and e.id >= (j.value / ${per}) * ${per} order by e.id desc limit 1), 0)`),
  ]);
  const strayMemories = (gone?.rows ?? []) as Stray[];
  const strayChunks = (loose?.rows ?? []) as Stray[];
  if (strayMemories.length + strayChunks.length === 0) return [];
  const unfinished = await unfinishedJobs(ctx);
  return [
    ...strayMemories.filter(({ id }) => !unfinished.removesMemory(id)).map((row) => stray(row, { space, kind: "mem" })),
    ...strayChunks.filter(({ id }) => !unfinished.removesChunk(id)).map((row) => stray(row, { space, kind: "epi" })),
  ];
}

type Stray = { id: number; publicId: string | null };

function stray({ id, publicId }: Stray, { space, kind }: { space: number; kind: "mem" | "epi" }): Finding {
  const isMemory = kind === "mem";
  return {
    invariant: "vector.row",
    example: publicId,
    cure: {
      kind: "vector.remove",
      ref: { id: isMemory ? memoryVectorId(id) : vectorIdOf(id), space },
      memoryId: isMemory ? id : null,
    },
  };
}
