import type { Ctx } from "#context";
import { notFound } from "#core/errors";
import { requirePermission } from "#core/permission";
import type { Statement } from "#db/client";
import { runBatch } from "#domain/audit";
import type { SeenMemory } from "#domain/memories";
import type { Pool } from "#domain/visibility";
import { loadRecentChunks, loadVisibleChunks, readChunks, type VisibleChunk } from "./load-visible.ts";
import { loadRecentMemories, loadVisibleMemories, readSeen, recordRecall } from "./load-visible-memories.ts";
import { rankFound } from "./rank-found.ts";
import { type Asked, readQuestion, type SearchOptions } from "./read-question.ts";
import { retrieveCandidates } from "./retrieve-candidates.ts";
import { findScope, toScope, type VectorScope } from "./retrieve-vectors.ts";
import type { SearchInput, SearchView } from "./schemas.ts";
import { type FoundMemory, type NamedSpeaker, type RankedHit, speakerIn, toAnswer } from "./view.ts";

type SearchCtx = Ctx<"db" | "now" | "embedder" | "vectors" | "caches" | "log" | "defer">;

/**
 * Finds what the viewer may hear: analyse → retrieve candidates → load visible → fuse → adjust → diversify → budget (docs/search.md). Two sequential
 * round trips to D1: one retrieves candidates within the viewer's spaces, one loads what the rules allow. 404 for a session or project
 * in which the viewer has no part; an unknown user finds nothing.
 */
export async function search(ctx: SearchCtx, input: SearchInput): Promise<SearchView> {
  const { answer, recall } = await searchFor(ctx, input);
  recall(answer.hits.map(({ id }) => id));
  return answer;
}

/** What was found, for a verb that shows some of it: the memories behind the hits, and a way to say which were of use. */
export type Searched = {
  answer: SearchView;
  /** What the viewer's place opens to them. */
  pool: Pool;
  /** By their public ids. */
  memories: ReadonlyMap<string, SeenMemory>;
  /** Users whom messages of the hits name as having said them, by the app's ids. */
  speakers: ReadonlyMap<string, NamedSpeaker>;
  /** Notes, after the answer, that these were shown; ids of anything else are passed over. */
  recall: (ids: readonly string[]) => void;
};

/** `search` for a verb that goes on from what is found. */
export async function searchFor(ctx: SearchCtx, input: SearchInput, options: SearchOptions = {}): Promise<Searched> {
  requirePermission(ctx.actor, "read");
  const asked = await readQuestion(ctx, input, options);
  const { question } = asked;
  return asked.strategy === "recent" || question.terms.length === 0
    ? await searchRecent(ctx, asked)
    : await searchRelevant(ctx, asked);
}

async function searchRelevant(ctx: SearchCtx, asked: Asked): Promise<Searched> {
  const candidates = await retrieveCandidates(ctx, asked);
  requirePlace(candidates.scope, asked.input);
  const ids = [...new Set([...candidates.text.chunks.map(({ id }) => id), ...candidates.semantic.map(({ id }) => id)])];
  const chunkIds = ids.filter((id) => id >= 0);
  const memoryIds = [
    ...new Set([...candidates.text.memories.map(({ id }) => id), ...ids.filter((id) => id < 0).map((id) => -id)]),
  ];
  const { chunks, memories } = await load(ctx, asked, {
    chunks: chunkIds.length === 0 ? null : loadVisibleChunks(ctx, asked.viewer, { ids: chunkIds, span: asked.span }),
    memories: asked.memories === null || memoryIds.length === 0 ? null : loadVisibleMemories(ctx, asked.memories, memoryIds),
  });
  const ranked = rankFound(ctx, { asked, candidates, chunks, memories });
  return answerOf(ctx, asked, { ...candidates, ranked, strategy: asked.strategy, found: candidates.text.found });
}

/** The second round trip: the chunks and memories that the rules allow. */
async function load(
  ctx: SearchCtx,
  asked: Asked,
  statements: { chunks: Statement | null; memories: Statement | null },
): Promise<{ chunks: VisibleChunk[]; memories: FoundMemory[] }> {
  const { chunks, memories } = statements;
  const results = await runBatch(
    ctx,
    [chunks, memories].filter((statement) => statement !== null),
  );
  const seen = asked.memories === null || memories === null ? [] : readSeen(ctx, asked.memories, results.at(-1));
  return {
    chunks: chunks === null ? [] : readChunks(ctx, results[0]),
    memories: seen.map((memory) => ({ id: -memory.id, text: memory.content, memory })),
  };
}

async function searchRecent(ctx: SearchCtx, asked: Asked): Promise<Searched> {
  const { input, viewer, span } = asked;
  const [found, moved] = await runBatch(ctx, findScope(ctx, viewer));
  const scope = toScope(found, moved);
  requirePlace(scope, input);
  const { chunks, memories } = await load(ctx, asked, {
    chunks: asked.episodes ? loadRecentChunks(ctx, viewer, { limit: input.limit, span }) : null,
    memories: asked.memories === null ? null : loadRecentMemories(ctx, asked.memories, input.limit),
  });
  const timed = [
    ...chunks.map((chunk) => ({ at: chunk.occurredAt, hit: { ...chunk, memory: null } })),
    ...memories.map((hit) => ({ at: hit.memory.validFrom, hit })),
  ];
  const latest = timed.sort((a, b) => b.at - a.at).slice(0, input.limit);
  const ranked = latest.map(({ hit }, i): RankedHit => {
    const score = 1 / (i + 1);
    return { ...hit, score, factors: [], similar: [], channels: { recent: { rank: i + 1, score } } };
  });
  return answerOf(ctx, asked, { scope, ranked, strategy: "recent", found: [], degraded: [], queryEmbedding: "unused" });
}

function answerOf(ctx: SearchCtx, { input }: Asked, found: Omit<Parameters<typeof toAnswer>[0], "input" | "model">): Searched {
  // A tenant that injects nothing finds nothing, unless the request names a budget of its own.
  const ranked = input.maxTokens === 0 ? [] : found.ranked;
  const answer = toAnswer({ ...found, ranked, input, model: ctx.embedder.model });
  const memories = new Map(ranked.flatMap(({ memory }) => (memory === null ? [] : [[memory.publicId, memory] as const])));
  const named = ranked.flatMap((hit) => (hit.memory === null ? (speakerIn(hit) ?? []) : []));
  const speakers = new Map(named.map((user) => [user.userId, user] as const));
  const recall = (ids: readonly string[]) => {
    const shown = ids.flatMap((id) => memories.get(id)?.id ?? []);
    if (shown.length > 0) ctx.defer(() => recordRecall(ctx, shown));
  };
  return { answer, pool: found.scope?.pool ?? "none", memories, speakers, recall };
}

/** Naming a session or project in which one has no part is answered like naming one that does not exist. */
function requirePlace(scope: VectorScope | null, input: SearchInput): void {
  if (scope !== null && scope.pool !== "none") return;
  if (input.sessionId !== undefined) throw notFound("session");
  if (input.projectId !== undefined) throw notFound("project");
}
