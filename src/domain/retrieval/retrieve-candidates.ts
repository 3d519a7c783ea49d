import type { Ctx } from "#context";
import { describeError } from "#core/describe-error";
import { runBatch } from "#domain/audit";
import { type ChannelFailure, channelDeadline, embedQuery, orDegraded } from "#domain/embedding";
import { MAX_CANDIDATES } from "./load-visible.ts";
import { countedIn, idealScore, type RankedChunk, rankByPresence } from "./rank/rank-by-presence.ts";
import { type RankedMemory, rankMemories } from "./rank/rank-memories.ts";
import type { Asked } from "./read-question.ts";
import { type FoundMemories, findMemories, NO_MEMORIES, readMemories } from "./retrieve-memories.ts";
import { type FoundChunks, findPostings, readPostings } from "./retrieve-text.ts";
import { findScope, retrieveVectors, toScope, type VectorScope } from "./retrieve-vectors.ts";
import type { ChannelName } from "./schemas.ts";

type RetrieveCtx = Ctx<"db" | "now" | "embedder" | "vectors" | "caches" | "log">;

/** Vectors of a real model are asked for this many neighbours; Vectorize gives 100 at most. */
const TOP_K = 50;

/** Below this cosine a text shares only a few letter groups with the question, which is chance. */
export const LEXICAL_FLOOR = 0.25;

type Ranking = { chunks: RankedChunk[]; memories: RankedMemory[]; ideal: number; found: { term: string; found: number }[] };

export type Candidates = {
  text: Ranking;
  memories: FoundMemories;
  semantic: { id: number; score: number }[];
  scope: VectorScope | null;
  queryEmbedding: "cached" | "computed" | "unused";
  degraded: { channel: ChannelName; reason: ChannelFailure }[];
};

/** What the channels propose: words and people by one round trip to D1, vectors beside it. */
export async function retrieveCandidates(ctx: RetrieveCtx, asked: Asked): Promise<Candidates> {
  const { input, strategy } = asked;
  const asksModel = strategy === "semantic" || (strategy === "hybrid" && ctx.embedder.nature === "semantic");
  const deadline = channelDeadline(ctx, asked.channelLimitMs);
  const embedding = asksModel
    ? orDegraded(ctx, embedQuery(ctx, { query: input.query, user: asked.viewer.user }), deadline)
    : null;
  const { scope, chunks, memories, textFailed } = await retrieveFromDatabase(ctx, asked);
  const text = rankWords(asked, chunks, memories);
  const degraded: Candidates["degraded"] = textFailed ? [{ channel: "text", reason: "failed" }] : [];
  const nothing: Candidates = { text, memories, semantic: [], scope, queryEmbedding: "unused", degraded };

  const enough = text.chunks.length + text.memories.length >= input.limit;
  const fillsUp = strategy === "hybrid" && ctx.embedder.nature === "lexical" && !enough;
  if (scope === null || (embedding === null && !fillsUp)) return nothing;
  const embedded = await (embedding ??
    orDegraded(ctx, embedQuery(ctx, { query: input.query, user: asked.viewer.user }), deadline));
  if (!embedded.ok) return { ...nothing, degraded: [...degraded, { channel: "semantic", reason: embedded.reason }] };
  const queryEmbedding = embedded.value.cached ? "cached" : "computed";
  const { vector } = embedded.value;
  const { viewer, filter } = asked.memories ?? { viewer: null, filter: null };
  const nearest = await orDegraded(
    ctx,
    retrieveVectors(ctx, {
      vector,
      scope,
      episodes: asked.episodes,
      memories:
        viewer === null ? null : { spaces: memories.spaces, workspaceId: viewer.workspaceId, types: filter?.types ?? null },
      span: asked.span,
      topK: TOP_K,
    }),
    deadline,
  );
  if (!nearest.ok)
    return { ...nothing, queryEmbedding, degraded: [...degraded, { channel: "semantic", reason: nearest.reason }] };
  // A search by vectors alone takes the nearest as they are: a hashed cosine can be far too low, so `rankFound` asks for the exact one.
  const floor = fillsUp ? LEXICAL_FLOOR : -1;
  return { ...nothing, queryEmbedding, semantic: nearest.value.filter(({ score }) => score >= floor) };
}

/** Episodes and memories in one ranking: a term is as rare as it is in both together. */
function rankWords({ question }: Asked, chunks: FoundChunks, memories: FoundMemories): Ranking {
  const { terms } = question;
  const elsewhere = { holders: memories.postings.map((ids) => ids.length), total: memories.total };
  const input = { terms, ...chunks, limit: MAX_CANDIDATES, elsewhere };
  const counted = countedIn(input);
  return {
    chunks: rankByPresence(input),
    memories: rankMemories({ terms, postings: memories.postings, about: memories.about, counted, limit: MAX_CANDIDATES }),
    ideal: idealScore(input),
    found: terms.map(({ term }, i) => ({ term, found: counted.holders[i] ?? 0 })),
  };
}

type DatabaseCandidates = { scope: VectorScope | null; chunks: FoundChunks; memories: FoundMemories; textFailed: boolean };

/** The first round trip. If the text index itself fails, the batch fails with it: then the viewer is looked up alone. */
async function retrieveFromDatabase(ctx: RetrieveCtx, asked: Asked): Promise<DatabaseCandidates> {
  const { viewer, question, span } = asked;
  const terms = asked.strategy === "semantic" ? [] : question.terms;
  const episodes = asked.episodes && terms.length > 0 ? [findPostings(ctx, viewer, { terms, span })] : [];
  const memories = asked.memories === null ? [] : findMemories(ctx, asked.memories, terms);
  try {
    const [found, moved, ...results] = await runBatch(ctx, [...findScope(ctx, viewer), ...episodes, ...memories]);
    return {
      scope: toScope(found, moved),
      chunks: readPostings(episodes.length === 0 ? undefined : results[0], terms),
      memories: memories.length === 0 ? NO_MEMORIES : readMemories(results.slice(episodes.length), terms),
      textFailed: false,
    };
  } catch (error) {
    ctx.log("search.degraded", { channel: "text", ...describeError(error) });
    const spaces = asked.memories === null ? [] : findMemories(ctx, asked.memories, []);
    const [found, moved, ...results] = await runBatch(ctx, [...findScope(ctx, viewer), ...spaces]);
    return {
      scope: toScope(found, moved),
      chunks: readPostings(undefined, terms),
      memories: spaces.length === 0 ? NO_MEMORIES : readMemories(results, []),
      textFailed: true,
    };
  }
}
