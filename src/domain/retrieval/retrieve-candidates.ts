import type { Ctx } from "#context";
import { describeError } from "#core/describe-error";
import { keyOf, type Scored, termValues } from "#core/rank/ranking";
import { read } from "#db/client";
import { type ChannelFailure, type FoundByVectors, NO_VECTORS, readingOf, startVectors } from "#domain/embedding";
import { type FoundChunks, findChunks, readChunks } from "./find-chunks.ts";
import {
  type FoundEpisodes,
  findEpisodes,
  LATEST,
  loadRecentEpisodes,
  readEpisodes,
  type VisibleEpisode,
  visibleEpisodes,
} from "./find-episodes.ts";
import { type FoundMemories, findMemories, readMemories } from "./find-memories.ts";
import type { HitRef, WordHit } from "./hit.ts";
import { rankByPresence, rankWhole, sum } from "./rank-by-presence.ts";
import type { Asked } from "./read-question.ts";
import { findScope, retrieveVectors, type VectorScope } from "./retrieve-vectors.ts";
import type { ChannelName } from "./schemas.ts";

type RetrieveCtx = Ctx<"db" | "now" | "embedder" | "vectors" | "caches" | "log">;

/**
 * Candidates of each kind that are loaded and ranked again. On LoCoMo 50 and 100 give the same recall; the rest is room for larger
 * histories.
 */
const MAX_CANDIDATES = 150;

/** Vectors are asked for this many neighbours, and for as many as Vectorize gives if most of them turn out to be hidden. */
const TOP_K = 50;
const MOST_TOP_K = 100;

type WordRanking = { ranked: WordHit[]; ideal: number; found: { term: string; found: number }[] };

export type Candidates = {
  text: WordRanking;
  /** Best first; hits of words that are to be compared by a lexical embedder have the score 0. */
  semantic: Scored<HitRef>[];
  /** Asks for more of the nearest vectors of what was said and is known; null if there are no more, or vectors failed. */
  moreVectors: (() => Promise<Scored<HitRef>[]>) | null;
  scope: VectorScope | null;
  /** The latest passages, if they are wanted, the newest first. */
  latest: VisibleEpisode[];
  queryEmbedding: "cached" | "computed" | "unused";
  degraded: { channel: ChannelName; reason: ChannelFailure }[];
};

/** The results of the channels: words and people by one round trip to D1, vectors in parallel. */
export async function retrieveCandidates(ctx: RetrieveCtx, asked: Asked): Promise<Candidates> {
  const { input, strategy } = asked;
  const { nature, cosines, estimateFloor = cosines.floor } = readingOf(ctx, input.query);
  const asksModel = strategy === "semantic" || (strategy === "hybrid" && nature !== "lexical");
  const nearestTo = startVectors(ctx, {
    query: input.query,
    user: asked.viewer.user,
    atOnce: asksModel,
    limitMs: asked.channelLimitMs,
  });
  const { scope, latest, textFailed, ...words } = await retrieveFromDatabase(ctx, asked);
  const { memories } = words;
  const text = rankWords(asked, words);
  const fillsUp = strategy === "hybrid" && nature === "lexical" && text.ranked.length < input.limit;
  const nearest = async (topK: number, of: Asked = asked): Promise<FoundByVectors<Scored<HitRef>>> =>
    scope === null || !(asksModel || fillsUp)
      ? NO_VECTORS
      : await nearestTo((vector) => retrieveVectors(ctx, { vector, scope, asked: of, spaces: memories.spaces, topK }));
  const { found, queryEmbedding, failure } = await nearest(TOP_K);
  // Other floors apply in `rankHits`: a hashed cosine can be far too low, and what has words of the question needs no floor.
  const floor = fillsUp ? estimateFloor : -1;
  const byWords = isLexical(ctx, asked) ? text.ranked.slice(0, TOP_K) : [];
  return {
    ...{ scope, latest, queryEmbedding },
    text: isLexical(ctx, asked) ? { ...text, ranked: [] } : text,
    semantic: [...found.filter(({ score }) => score >= floor), ...notIn(found, byWords)],
    moreVectors:
      found.filter(({ kind }) => kind !== "chunk").length < TOP_K
        ? null
        : async () => (await nearest(MOST_TOP_K, { ...asked, chunks: null })).found,
    degraded: [
      ...(textFailed ? [{ channel: "text" as const, reason: "failed" as const }] : []),
      ...(failure === null ? [] : [{ channel: "semantic" as const, reason: failure }]),
    ],
  };
}

/** Whether a search by meaning is one by likeness of words, which compares all texts that share some with the question. */
function isLexical(ctx: Ctx<"embedder">, { strategy, input }: Asked): boolean {
  return strategy === "semantic" && readingOf(ctx, input.query).nature === "lexical";
}

function notIn(found: readonly HitRef[], others: readonly HitRef[]): Scored<HitRef>[] {
  const known = new Set(found.map(keyOf));
  return others.flatMap(({ kind, id }) => (known.has(keyOf({ kind, id })) ? [] : [{ kind, id, score: 0 }]));
}

/**
 * All kinds in one ranking: a term is weighed by how rare it is in all of them together. A text with every term once scores about `ideal`.
 */
function rankWords({ question: { terms } }: Asked, { episodes, memories, chunks }: FoundByWords): WordRanking {
  const kinds = [episodes, memories, chunks];
  const holders = terms.map((_, i) => sum(kinds.map(({ postings }) => postings[i]?.length ?? 0)));
  const values = termValues(terms, { holders, total: sum(kinds.map(({ total }) => total)) });
  const limit = MAX_CANDIDATES;
  return {
    ranked: [
      ...rankByPresence({ values, postings: episodes.postings, limit }),
      ...rankWhole({ kind: "memory", values, postings: memories.postings, about: memories.about, limit }),
      ...rankWhole({ kind: "chunk", values, postings: chunks.postings, limit }),
    ],
    ideal: sum(values),
    found: terms.map(({ term }, i) => ({ term, found: holders[i] ?? 0 })),
  };
}

type FoundByWords = { episodes: FoundEpisodes; memories: FoundMemories; chunks: FoundChunks };

type FromDatabase = Pick<Candidates, "scope" | "latest"> & FoundByWords & { textFailed: boolean };

/** The first round trip. If the text index fails, the batch fails with it: then the viewer is looked up without it. */
async function retrieveFromDatabase(ctx: RetrieveCtx, asked: Asked): Promise<FromDatabase> {
  const terms = asked.strategy === "semantic" && !isLexical(ctx, asked) ? [] : asked.question.terms;
  try {
    return { ...(await readFromDatabase(ctx, asked, terms)), textFailed: false };
  } catch (error) {
    ctx.log("search.degraded", { channel: "text", ...describeError(error) });
    return { ...(await readFromDatabase(ctx, asked, [])), textFailed: true };
  }
}

async function readFromDatabase(
  ctx: RetrieveCtx,
  asked: Asked,
  terms: Asked["question"]["terms"],
): Promise<Omit<FromDatabase, "textFailed">> {
  const { viewer, span } = asked;
  const {
    scope: [scope = null],
    episodes,
    chunks,
    latest,
    ...memories
  } = await read(ctx, {
    scope: findScope(ctx, viewer),
    episodes: asked.episodes && terms.length > 0 ? findEpisodes(ctx, viewer, { terms, span }) : null,
    chunks: asked.chunks !== null && terms.length > 0 ? findChunks(ctx, viewer, terms) : null,
    latest: asked.withLatest ? loadRecentEpisodes(ctx, viewer, { ...LATEST, span }) : null,
    ...findMemories(asked.memories, terms),
  });
  return {
    scope,
    latest: visibleEpisodes(ctx, latest),
    episodes: readEpisodes(episodes, asked.question.terms),
    memories: readMemories(memories, terms),
    chunks: readChunks(chunks, asked.question.terms),
  };
}
