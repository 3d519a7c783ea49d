import { sql } from "drizzle-orm";
import { z } from "zod";
import type { Ctx } from "#context";
import type { StoredChunk, StoredMessage } from "#db/schema/sessions";
import type { LeasedJob } from "#domain/jobs";
import type { VectorItem, VectorRef } from "#ports/vector-index";
import { vectorIdOf } from "./chunk-id.ts";

const Range = z.object({ from: z.number().int(), chunks: z.number().int().min(1) });

const DAY_MS = 86_400_000;

/** Passages that are embedded and stamped at a time: what is lost when a run ends in the middle, and what is held in memory. */
const PASSAGES_A_BATCH = 256;

export type EpisodeToIndex = {
  id: number;
  messages: string;
  chunks: string;
  chunkCount: number;
  occurredAt: number;
  sessionId: number;
  spaceId: number;
  projectId: number | null;
  ownerId: number;
};

type IndexCtx = Ctx<"db" | "now" | "embedder" | "vectors">;

/** The columns of `EpisodeToIndex`, from `episodes e join sessions s`. */
export const indexColumns = sql`
  e.id as id, e.messages as messages, e.chunks as chunks, e.chunk_count as chunkCount,
  e.occurred_at as occurredAt, s.id as sessionId, s.space_id as spaceId, s.project_id as projectId, s.owner_id as ownerId`;

/** Embeds the episodes of appends. Doing it again leaves out what is stamped; an episode that is gone is no error. */
export async function indexEpisodes(
  ctx: IndexCtx,
  jobs: readonly LeasedJob[],
  run: { deadline: number },
): Promise<"unfinished" | undefined> {
  const ranges = jobs.map((job) => Range.parse(job.payload));
  const episodes = await ctx.db.all<EpisodeToIndex>(sql`
    select ${indexColumns} from json_each(${JSON.stringify(ranges)}) j
    cross join episodes e on e.id >= (j.value ->> 'from') and e.id < (j.value ->> 'from') + (j.value ->> 'chunks') and e.tenant_id = ${ctx.tenantId}
    cross join sessions s on s.id = e.session_id
    where e.vector_model is not ${ctx.embedder.model}`);
  return await embedEpisodes(ctx, episodes, run);
}

/** Slice by slice, each complete before the next, so that a later run goes on where this one ends. The first is always done. */
export async function embedEpisodes(
  ctx: IndexCtx,
  episodes: readonly EpisodeToIndex[],
  run: { deadline: number },
): Promise<"unfinished" | undefined> {
  for (const [i, batch] of batchesOf(episodes).entries()) {
    if (i > 0 && ctx.now() >= run.deadline) return "unfinished";
    await embedBatch(ctx, batch);
  }
  return undefined;
}

/** Whole episodes, because the stamp is theirs. */
function batchesOf(episodes: readonly EpisodeToIndex[]): EpisodeToIndex[][] {
  const batches: EpisodeToIndex[][] = [];
  let room = 0;
  for (const episode of episodes) {
    const batch = batches.at(-1);
    if (batch !== undefined && episode.chunkCount <= room) batch.push(episode);
    else {
      batches.push([episode]);
      room = PASSAGES_A_BATCH;
    }
    room -= episode.chunkCount;
  }
  return batches;
}

/**
 * Stores the vectors, puts right what happened meanwhile, then stamps the episodes: one that was deleted leaves no vectors, and
 * one whose session moved has its vectors tagged anew. A stamp says that nothing is left to do, so it comes last.
 */
async function embedBatch(ctx: IndexCtx, episodes: readonly EpisodeToIndex[]): Promise<void> {
  const passages = episodes.flatMap(passagesOf);
  const vectors = await ctx.embedder.embed(
    passages.map((passage) => passage.text),
    "document",
  );
  const items = passages.flatMap((passage, i): VectorItem[] => {
    const values = vectors[i];
    return values === undefined ? [] : [toItem(passage, values, ctx.embedder.model)];
  });
  await ctx.vectors.upsert(ctx.tenantId, items);

  const ids = JSON.stringify(episodes.map((episode) => episode.id));
  const rows = await ctx.db.all<{ id: number; projectId: number | null }>(sql`
    select e.id as id, s.project_id as projectId from json_each(${ids}) j
    cross join episodes e on e.id = j.value and e.tenant_id = ${ctx.tenantId} cross join sessions s on s.id = e.session_id`);
  const now = new Map(rows.map((row) => [row.id, row.projectId]));
  const gone = episodes.filter((episode) => !now.has(episode.id));
  if (gone.length > 0) await ctx.vectors.remove(ctx.tenantId, gone.flatMap(refsOf));
  const moved = episodes.filter((episode) => now.has(episode.id) && now.get(episode.id) !== episode.projectId);
  const projectOf = new Map(moved.flatMap((episode) => refsOf(episode).map(({ id }) => [id, now.get(episode.id) ?? 0] as const)));
  const retagged = items.flatMap((item) => {
    const project = projectOf.get(item.id);
    return project === undefined ? [] : [{ ...item, metadata: { ...item.metadata, project } }];
  });
  if (retagged.length > 0) await ctx.vectors.upsert(ctx.tenantId, retagged);
  await ctx.db.run(sql`
    update episodes set vector_model = ${ctx.embedder.model}
    where tenant_id = ${ctx.tenantId} and id in (select value from json_each(${ids}))`);
}

type Passage = { chunkId: number; text: string; occurredAt: number; episode: EpisodeToIndex };

/** The speaker's name goes with the words: who said it is part of what a model understands. */
function passagesOf(episode: EpisodeToIndex): Passage[] {
  const messages: StoredMessage[] = JSON.parse(episode.messages);
  const chunks: StoredChunk[] = JSON.parse(episode.chunks);
  return chunks.map((chunk, i) => {
    const message = messages[chunk.m];
    const text = message?.text.slice(chunk.s, chunk.e) ?? "";
    return {
      chunkId: episode.id + i,
      text: message?.speaker == null ? text : `${message.speaker}: ${text}`,
      occurredAt: message?.occurredAt ?? episode.occurredAt,
      episode,
    };
  });
}

function refsOf(episode: EpisodeToIndex): VectorRef[] {
  return Array.from({ length: episode.chunkCount }, (_, i) => ({ id: vectorIdOf(episode.id + i), space: episode.spaceId }));
}

function toItem({ chunkId, occurredAt, episode }: Passage, values: Float32Array, model: string): VectorItem {
  return {
    id: vectorIdOf(chunkId),
    values,
    metadata: {
      kind: "episode",
      space: episode.spaceId,
      session: episode.sessionId,
      project: episode.projectId ?? 0,
      owner: episode.ownerId,
      workspace: "",
      type: "",
      createdDay: Math.floor(occurredAt / DAY_MS),
      expiresDay: 0,
      model,
    },
  };
}
