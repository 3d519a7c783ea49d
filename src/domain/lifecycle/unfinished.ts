import { sql } from "drizzle-orm";
import { z } from "zod";
import { runBatch } from "#domain/audit";
import type { UpkeepCtx } from "./step.ts";

/** Jobs that are read of each state. A tenant that has more is busy: until they are done, everything counts as seen to. */
const MAX_JOBS = 200;

const Chunks = z.object({ from: z.number(), chunks: z.number() });
const Memories = z.object({ memories: z.array(z.number()) });
const Removed = z.object({ memories: z.array(z.object({ id: z.number() })) });
const Entities = z.object({ entities: z.array(z.number()) });
const RemovedEntities = z.object({ entities: z.array(z.object({ id: z.number() })) });

/** What jobs will see to by themselves. */
export type Unfinished = {
  embedsMemory: (id: number) => boolean;
  /** Whether the vectors of an episode are to be made, by its first chunk. */
  embedsEpisode: (id: number) => boolean;
  removesMemory: (id: number) => boolean;
  removesChunk: (id: number) => boolean;
  embedsEntity: (id: number) => boolean;
  removesEntity: (id: number) => boolean;
};

/** The tenant's jobs about vectors that are not done. Failed ones are among them: those wait for a person, and another job would fail too. */
export async function unfinishedJobs(ctx: UpkeepCtx): Promise<Unfinished> {
  const kinds = sql`(
    'episodes.index', 'episodes.reembed', 'memories.index', 'memories.reembed', 'memories.remove', 'vectors.remove', 'entities.index',
    'entities.reembed', 'entities.remove')`;
  const [open, failed] = await runBatch(ctx, [
    ctx.db.all(sql`
      select kind, payload from jobs indexed by jobs_open
      where tenant_id = ${ctx.tenantId} and status in ('pending', 'running') and kind in ${kinds} order by due_at limit ${MAX_JOBS}`),
    ctx.db.all(sql`
      select kind, payload from jobs indexed by jobs_failed
      where tenant_id = ${ctx.tenantId} and status = 'failed' and kind in ${kinds} order by id desc limit ${MAX_JOBS}`),
  ]);
  const jobs = [...(open?.rows ?? []), ...(failed?.rows ?? [])] as { kind: string; payload: string }[];
  if (open?.rows.length === MAX_JOBS || failed?.rows.length === MAX_JOBS) return EVERYTHING;
  const payloadsOf = (kind: string): unknown[] => jobs.flatMap((job) => (job.kind === kind ? [JSON.parse(job.payload)] : []));
  const has = (kind: string) => jobs.some((job) => job.kind === kind);
  const inRanges = (kind: string) => {
    const ranges = payloadsOf(kind).map((payload) => Chunks.parse(payload));
    return (id: number) => ranges.some(({ from, chunks }) => id >= from && id < from + chunks);
  };
  const made = new Set(payloadsOf("memories.index").flatMap((payload) => Memories.parse(payload).memories));
  const removed = new Set(
    payloadsOf("memories.remove").flatMap((payload) => Removed.parse(payload).memories.map(({ id }) => id)),
  );
  const entities = new Set(payloadsOf("entities.index").flatMap((payload) => Entities.parse(payload).entities));
  const gone = new Set(
    payloadsOf("entities.remove").flatMap((payload) => RemovedEntities.parse(payload).entities.map(({ id }) => id)),
  );
  const embedsEpisode = inRanges("episodes.index");
  return {
    embedsMemory: (id) => has("memories.reembed") || made.has(id),
    embedsEpisode: (id) => has("episodes.reembed") || embedsEpisode(id),
    removesMemory: (id) => removed.has(id),
    removesChunk: inRanges("vectors.remove"),
    embedsEntity: (id) => has("entities.reembed") || entities.has(id),
    removesEntity: (id) => gone.has(id),
  };
}

const EVERYTHING: Unfinished = {
  embedsMemory: () => true,
  embedsEpisode: () => true,
  removesMemory: () => true,
  removesChunk: () => true,
  embedsEntity: () => true,
  removesEntity: () => true,
};
