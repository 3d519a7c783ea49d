import { type SQL, sql } from "drizzle-orm";
import { z } from "zod";
import type { Ctx } from "#context";
import { runBatch } from "#domain/audit";
import { enqueue, type LeasedJob } from "#domain/jobs";
import type { VectorItem, VectorRef } from "#ports/vector-index";
import { textOf } from "./words.ts";

const Payload = z.object({ entities: z.array(z.number().int()) });

const DAY_MS = 86_400_000;
/** Entities that are embedded and stamped at a time. */
const A_BATCH = 256;

type IndexCtx = Ctx<"db" | "now" | "newId" | "embedder" | "vectors">;

export type EntityToIndex = {
  id: number;
  spaceId: number;
  projectId: number;
  type: string;
  name: string;
  notes: string | null;
  version: number;
  createdAt: number;
};

/** The columns of `EntityToIndex`, from `entities en`. */
export const entityToIndexColumns: SQL = sql`
  en.id as id, en.space_id as spaceId, en.project_id as projectId, en.type as type, en.name as name, en.notes as notes,
  en.version as version, en.created_at as createdAt`;

/** The id of an entity in the vector index. A row has one space for ever: what moves to another project becomes another row. */
export function entityVectorId(id: number): string {
  return `ent:${id}`;
}

/** The entity that a vector id names, or null if it names something else. */
export function entityOf(vectorId: string): number | null {
  const match = /^ent:(\d{1,16})$/.exec(vectorId);
  return match?.[1] === undefined ? null : Number(match[1]);
}

/** Embeds entities that were noted or changed. Doing it again leaves out what is stamped; one that is gone is no error. */
export async function indexEntities(
  ctx: IndexCtx,
  jobs: readonly LeasedJob[],
  run: { deadline: number },
): Promise<"unfinished" | undefined> {
  const ids = [...new Set(jobs.flatMap((job) => Payload.parse(job.payload).entities))];
  const rows = await ctx.db.all<EntityToIndex>(sql`
    select ${entityToIndexColumns} from json_each(${JSON.stringify(ids)}) j cross join entities en on en.id = j.value
    where +en.tenant_id = ${ctx.tenantId} and en.vector_model is not ${ctx.embedder.model}`);
  return await embedEntities(ctx, rows, run);
}

/** Slice by slice, each complete before the next, so that a later run goes on where this one ends. The first is always done. */
export async function embedEntities(
  ctx: IndexCtx,
  entities: readonly EntityToIndex[],
  run: { deadline: number },
): Promise<"unfinished" | undefined> {
  for (let from = 0; from < entities.length; from += A_BATCH) {
    if (from > 0 && ctx.now() >= run.deadline) return "unfinished";
    await embedBatch(ctx, entities.slice(from, from + A_BATCH));
  }
  return undefined;
}

/**
 * Stores the vectors, then stamps what is still as it was embedded. What was deleted or moved meanwhile leaves no vector; what was
 * changed may have been embedded by its own job before this one put the old vector back, so it is embedded once more.
 */
async function embedBatch(ctx: IndexCtx, entities: readonly EntityToIndex[]): Promise<void> {
  const vectors = await ctx.embedder.embed(entities.map(textOf), "document");
  const items = entities.flatMap((entity, i): VectorItem[] => {
    const values = vectors[i];
    return values === undefined ? [] : [toItem(entity, values, ctx.embedder.model)];
  });
  await ctx.vectors.upsert(ctx.tenantId, items);
  const ids = JSON.stringify(entities.map(({ id }) => id));
  const rows = await ctx.db.all<{ id: number; version: number }>(sql`
    select en.id as id, en.version as version from json_each(${ids}) j cross join entities en on en.id = j.value
    where +en.tenant_id = ${ctx.tenantId}`);
  const now = new Map(rows.map(({ id, version }) => [id, version]));
  const gone = entities.filter(({ id }) => !now.has(id));
  if (gone.length > 0) await ctx.vectors.remove(ctx.tenantId, gone.map(refOf));
  const changed = entities.filter(({ id, version }) => now.has(id) && now.get(id) !== version).map(({ id }) => id);
  const embedded = JSON.stringify(entities.map(({ id, version }) => [id, version]));
  await runBatch(ctx, [
    ctx.db.run(sql`
      update entities set vector_model = ${ctx.embedder.model}
      where +tenant_id = ${ctx.tenantId} and (id, version) in (select value ->> 0, value ->> 1 from json_each(${embedded}))`),
    ...(changed.length === 0
      ? []
      : [
          ctx.db.run(sql`
            update entities set vector_model = null
            where +tenant_id = ${ctx.tenantId} and id in (select value from json_each(${JSON.stringify(changed)}))`),
          enqueue(ctx, { id: ctx.newId("job"), kind: "entities.index", payload: JSON.stringify({ entities: changed }) }),
        ]),
  ]);
}

function refOf({ id, spaceId }: { id: number; spaceId: number }): VectorRef {
  return { id: entityVectorId(id), space: spaceId };
}

const Removed = z.object({ entities: z.array(z.object({ id: z.number().int(), space: z.number().int() })) });

/** Removes the vectors of entities that were deleted or moved; their ids never come back. */
export async function removeEntityVectors(ctx: Ctx<"vectors">, jobs: readonly LeasedJob[]): Promise<void> {
  const removed = jobs.flatMap((job) => Removed.parse(job.payload).entities);
  await ctx.vectors.remove(
    ctx.tenantId,
    removed.map(({ id, space }) => refOf({ id, spaceId: space })),
  );
}

/** The payload of the job that removes them. */
export function removalOf(entities: readonly { id: number; spaceId: number }[]): string {
  return JSON.stringify({ entities: entities.map(({ id, spaceId }) => ({ id, space: spaceId })) });
}

function toItem(entity: EntityToIndex, values: Float32Array, model: string): VectorItem {
  return {
    id: entityVectorId(entity.id),
    values,
    metadata: {
      kind: "entity",
      space: entity.spaceId,
      session: 0,
      project: entity.projectId,
      owner: 0,
      workspace: "",
      type: entity.type,
      createdDay: Math.floor(entity.createdAt / DAY_MS),
      expiresDay: 0,
      model,
    },
  };
}
