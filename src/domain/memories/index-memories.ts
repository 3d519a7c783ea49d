import { sql } from "drizzle-orm";
import { z } from "zod";
import type { Ctx } from "#context";
import { runBatch } from "#domain/audit";
import type { LeasedJob } from "#domain/jobs";
import type { VectorItem, VectorRef } from "#ports/vector-index";
import { enqueueIndexing } from "./change.ts";

const Payload = z.object({ memories: z.array(z.number().int()) });

const DAY_MS = 86_400_000;
/** Memories that are embedded and stamped at a time. */
const A_BATCH = 256;

type IndexCtx = Ctx<"db" | "now" | "newId" | "embedder" | "vectors">;

export type MemoryToIndex = {
  id: number;
  content: string;
  type: string;
  spaceId: number;
  sessionId: number | null;
  ownerId: number | null;
  workspaceId: string;
  validFrom: number;
  expiresAt: number | null;
  /** Of scope, type and words: whether it is still what was embedded. */
  hash: string;
};

/** The columns of `MemoryToIndex`, from `memories m`. */
export const toIndexColumns = sql`
  m.id as id, m.content as content, m.type as type, m.space_id as spaceId, m.session_id as sessionId, m.owner_id as ownerId,
  m.workspace_id as workspaceId, m.valid_from as validFrom, m.expires_at as expiresAt, m.hash as hash`;

/** The id of a memory in the vector index. */
export function memoryVectorId(id: number): string {
  return `mem:${id}`;
}

/** The memory that a vector id names, or null if it names something else. */
export function memoryOf(vectorId: string): number | null {
  const match = /^mem:(\d{1,16})$/.exec(vectorId);
  return match?.[1] === undefined ? null : Number(match[1]);
}

/** Embeds memories that were stored or changed. Doing it again leaves out what is stamped; one that is gone is no error. */
export async function indexMemories(
  ctx: IndexCtx,
  jobs: readonly LeasedJob[],
  run: { deadline: number },
): Promise<"unfinished" | undefined> {
  const ids = [...new Set(jobs.flatMap((job) => Payload.parse(job.payload).memories))];
  const rows = await ctx.db.all<MemoryToIndex>(sql`
    select ${toIndexColumns} from json_each(${JSON.stringify(ids)}) j cross join memories m on m.id = j.value
    where +m.tenant_id = ${ctx.tenantId} and m.deleted_at is null and m.vector_model is not ${ctx.embedder.model}`);
  return await embedMemories(ctx, rows, run);
}

/** Slice by slice, each complete before the next, so that a later run goes on where this one ends. The first is always done. */
export async function embedMemories(
  ctx: IndexCtx,
  memories: readonly MemoryToIndex[],
  run: { deadline: number },
): Promise<"unfinished" | undefined> {
  for (let from = 0; from < memories.length; from += A_BATCH) {
    if (from > 0 && ctx.now() >= run.deadline) return "unfinished";
    await embedBatch(ctx, memories.slice(from, from + A_BATCH));
  }
  return undefined;
}

/**
 * Stores the vectors, then stamps what still says what was embedded. What was deleted meanwhile leaves no vector; what was changed may
 * have been embedded by its own job before this one put the old vector back, so it is embedded once more.
 */
async function embedBatch(ctx: IndexCtx, memories: readonly MemoryToIndex[]): Promise<void> {
  const vectors = await ctx.embedder.embed(
    memories.map(({ content }) => content),
    "document",
  );
  const items = memories.flatMap((memory, i): VectorItem[] => {
    const values = vectors[i];
    return values === undefined ? [] : [toItem(memory, values, ctx.embedder.model)];
  });
  await ctx.vectors.upsert(ctx.tenantId, items);
  const ids = JSON.stringify(memories.map(({ id }) => id));
  const rows = await ctx.db.all<{ id: number; hash: string }>(sql`
    select m.id as id, m.hash as hash from json_each(${ids}) j cross join memories m on m.id = j.value
    where +m.tenant_id = ${ctx.tenantId} and m.deleted_at is null`);
  const now = new Map(rows.map(({ id, hash }) => [id, hash]));
  const gone = memories.filter(({ id }) => !now.has(id));
  if (gone.length > 0) await ctx.vectors.remove(ctx.tenantId, gone.map(refOf));
  const changed = memories.filter(({ id, hash }) => now.has(id) && now.get(id) !== hash).map(({ id }) => id);
  const embedded = JSON.stringify(memories.map(({ id, hash }) => [id, hash]));
  await runBatch(ctx, [
    ctx.db.run(sql`
      update memories set vector_model = ${ctx.embedder.model}
      where tenant_id = ${ctx.tenantId} and deleted_at is null
        and (id, hash) in (select value ->> 0, value ->> 1 from json_each(${embedded}))`),
    ...(changed.length === 0
      ? []
      : [
          ctx.db.run(sql`
            update memories set vector_model = null
            where tenant_id = ${ctx.tenantId} and id in (select value from json_each(${JSON.stringify(changed)}))`),
          enqueueIndexing(ctx, { jobId: ctx.newId("job"), ids: sql`${JSON.stringify(changed)}` }),
        ]),
  ]);
}

function refOf({ id, spaceId }: { id: number; spaceId: number }): VectorRef {
  return { id: memoryVectorId(id), space: spaceId };
}

const Removed = z.object({ memories: z.array(z.object({ id: z.number().int(), space: z.number().int() })) });

/** Removes the vectors of memories that were forgotten. One that was restored since keeps its vector. */
export async function removeMemoryVectors(ctx: Ctx<"db" | "vectors">, jobs: readonly LeasedJob[]): Promise<void> {
  const removed = jobs.flatMap((job) => Removed.parse(job.payload).memories);
  const ids = JSON.stringify(removed.map(({ id }) => id));
  const back = await ctx.db.all<{ id: number }>(sql`
    select m.id as id from json_each(${ids}) j cross join memories m on m.id = j.value
    where +m.tenant_id = ${ctx.tenantId} and m.deleted_at is null`);
  const restored = new Set(back.map(({ id }) => id));
  const refs = removed.filter(({ id }) => !restored.has(id)).map(({ id, space }) => ({ id: memoryVectorId(id), space }));
  await ctx.vectors.remove(ctx.tenantId, refs);
}

function toItem(memory: MemoryToIndex, values: Float32Array, model: string): VectorItem {
  return {
    id: memoryVectorId(memory.id),
    values,
    metadata: {
      kind: "memory",
      space: memory.spaceId,
      session: memory.sessionId ?? 0,
      project: 0,
      owner: memory.ownerId ?? 0,
      workspace: memory.workspaceId,
      type: memory.type,
      createdDay: Math.floor(memory.validFrom / DAY_MS),
      expiresDay: memory.expiresAt === null ? 0 : Math.floor(memory.expiresAt / DAY_MS),
      model,
    },
  };
}
