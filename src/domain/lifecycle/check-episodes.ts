import { type SQL, sql } from "drizzle-orm";
import { vectorIdOf } from "#domain/sessions";
import { SETTLED_MS } from "./check-memories.ts";
import type { CheckResult, Finding } from "./findings.ts";
import type { Step, UpkeepCtx } from "./step.ts";
import { unfinishedJobs } from "./unfinished.ts";
import { chunkOfCursor, inSession, type SessionRow, type SessionWalk, takeSessionHits, walkSessions } from "./walk-sessions.ts";

const A_STEP = { sessions: 100, rows: 100 };

type Row = { publicId: string; chunkCount: number; isOwn: number; hasWords: number; isStale: number; isStamped: number };

function columns(ctx: UpkeepCtx): SQL {
  return sql`
    e.public_id as publicId, e.chunk_count as chunkCount, e.tenant_id = ${ctx.tenantId} as isOwn,
    (select count(*) from message_fts_docsize d where d.id >= e.id and d.id < e.id + e.chunk_count) = e.chunk_count as hasWords,
    e.vector_model is not ${ctx.embedder.model} and e.created_at < ${ctx.now() - SETTLED_MS} as isStale,
    e.vector_model is ${ctx.embedder.model} as isStamped`;
}

async function walkEpisodes(ctx: UpkeepCtx, cursor: string): Promise<SessionWalk<Row>> {
  const after = chunkOfCursor(cursor);
  const join = sql`episodes e on ${inSession(sql`e.id`, after)}`;
  return await walkSessions<Row>(ctx, after, { bounds: A_STEP, path: { join, id: sql`e.id`, columns: columns(ctx) } });
}

/** Whether the episodes of the next sessions are indexed. */
export async function checkEpisodeIndexes(ctx: UpkeepCtx, { cursor, limit }: Step): Promise<CheckResult> {
  const walk = await walkEpisodes(ctx, cursor);
  const { hits, next } = takeSessionHits(walk, limit, (row) => row.isOwn === 1 && (row.hasWords === 0 || row.isStale === 1));
  const looked = walk.rows.length;
  return {
    checked: { "episode.words": looked, "episode.vectors": looked },
    findings: await indexFindings(ctx, hits),
    next: next === null ? null : String(next),
  };
}

/** The same, and whether the vector index has what it should have. */
export async function checkEpisodes(ctx: UpkeepCtx, { cursor, limit }: Step): Promise<CheckResult> {
  const walk = await walkEpisodes(ctx, cursor);
  const missing = await notStored(ctx, walk.rows);
  const isSound = (row: SessionRow<Row>) => row.hasWords === 1 && row.isStale === 0 && !missing.has(row.id);
  const { hits, next } = takeSessionHits(walk, limit, (row) => row.isOwn === 1 && !isSound(row));
  const looked = walk.rows.length;
  const unstored = hits.filter(({ id }) => missing.has(id));
  return {
    checked: { "episode.words": looked, "episode.vectors": looked, "episode.stored": looked },
    findings: [...(await indexFindings(ctx, hits)), ...unstored.map((row) => embedding("episode.stored", row))],
    next: next === null ? null : String(next),
  };
}

async function indexFindings(ctx: UpkeepCtx, rows: readonly SessionRow<Row>[]): Promise<Finding[]> {
  const stale = rows.filter(({ isStale }) => isStale === 1);
  const unfinished = stale.length === 0 ? null : await unfinishedJobs(ctx);
  const lost = stale.filter(({ id }) => unfinished?.embedsEpisode(id) === false);
  return [
    ...rows.flatMap(({ id, publicId, hasWords }): Finding[] =>
      hasWords === 1 ? [] : [{ invariant: "episode.words", example: publicId, repair: { kind: "episode.reindex", id } }],
    ),
    ...lost.map((row) => embedding("episode.vectors", row)),
  ];
}

function embedding(
  invariant: "episode.vectors" | "episode.stored",
  { id, publicId, chunkCount }: { id: number; publicId: string; chunkCount: number },
): Finding {
  return { invariant, example: publicId, repair: { kind: "episode.embed", id, chunkCount } };
}

/** Episodes that are stamped and of which the index lacks a vector. */
async function notStored(ctx: UpkeepCtx, rows: readonly SessionRow<Row>[]): Promise<Set<number>> {
  const stamped = rows.filter(({ isOwn, isStamped }) => isOwn === 1 && isStamped === 1);
  const chunks = stamped.flatMap(({ id, chunkCount, space }) =>
    Array.from({ length: chunkCount }, (_, i) => ({ episode: id, ref: { id: vectorIdOf(id + i), space } })),
  );
  if (chunks.length === 0) return new Set();
  const stored = new Set(
    await ctx.vectors.stored(
      ctx.tenantId,
      chunks.map(({ ref }) => ref),
    ),
  );
  return new Set(chunks.flatMap(({ episode, ref }) => (stored.has(ref.id) ? [] : [episode])));
}
