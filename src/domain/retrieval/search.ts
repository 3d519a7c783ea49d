import type { Ctx } from "#context";
import { describeError } from "#core/describe-error";
import { notFound } from "#core/errors";
import { toMillis } from "#core/fields";
import { requirePermission } from "#core/permission";
import { type QueryAnalysis, queryTerms } from "#core/text/query";
import type { Statement } from "#db/client";
import { runBatch } from "#domain/audit";
import { MEMORY_TYPES, typesOf } from "#domain/memories";
import { getSettings } from "#domain/settings";
import { actingUser } from "#domain/tenants";
import type { MemoryViewerRef, ViewerRef } from "#domain/visibility";
import { type AdmittedChunk, loadChunks, loadRecentChunks, MAX_CANDIDATES, readChunks } from "./admit.ts";
import { loadMemories, loadRecentMemories, noteRecall, readSeen } from "./admit-memories.ts";
import { ASKED, type FoundMemories, findMemories, type MemoryQuestion, NO_MEMORIES, readMemories } from "./propose-memories.ts";
import { type FoundChunks, findPostings, readPostings, type Span } from "./propose-text.ts";
import {
  type ChannelFailure,
  embedQuery,
  findScope,
  orDegraded,
  proposeVectors,
  toScope,
  type VectorScope,
} from "./propose-vectors.ts";
import { diversify } from "./rank/diversify.ts";
import { type Channel, fuse, ownScale, withBestOf } from "./rank/fuse.ts";
import { holds } from "./rank/id-list.ts";
import { nameKeysIn } from "./rank/named-people.ts";
import { countedIn, idealScore, type RankedChunk, rankByPresence } from "./rank/propose.ts";
import { type RankedMemory, rankMemories } from "./rank/rank-memories.ts";
import { type Factor, refine } from "./rank/refine.ts";
import { refineMemories } from "./rank/refine-memories.ts";
import type { ChannelName, SearchInput, SearchView } from "./schemas.ts";
import { type Found, type FoundMemory, type RankedHit, toAnswer } from "./view.ts";

type SearchCtx = Ctx<"db" | "now" | "embedder" | "vectors" | "caches" | "log" | "defer">;

/** Vectors of a real model are asked for this many neighbours; Vectorize gives 100 at most. */
const TOP_K = 50;

/**
 * What vectors count beside words, whose score is 1 for a chunk that holds the whole question. Measured with all-MiniLM-L6-v2 on
 * LoCoMo (docs/benchmarks.md); a lexical vector adds nothing to a good lexical ranking, so it only fills up where words find too little.
 */
const SEMANTIC_WEIGHT = { semantic: 0.2, lexical: 0.05 };

/** The best of a real model's vectors is among the first eight hits, whatever words say: a paraphrase shares none. */
const SEMANTIC_PLACE = 7;

/** Below this cosine a lexical vector is chance: it shares a few letter groups with the question. */
const LEXICAL_FLOOR = 0.25;

/** What injects and what searches may spend at most, in estimated tokens. */
const MAX_TOKENS = 8_000;

/** A search, read: what the request leaves open is settled. */
type Asked = {
  input: SearchInput & { maxTokens: number };
  strategy: SearchView["strategy"];
  viewer: ViewerRef;
  span: Span;
  question: QueryAnalysis;
  episodes: boolean;
  /** null when no memories are asked for. */
  memories: MemoryQuestion | null;
};

type Ranking = { chunks: RankedChunk[]; memories: RankedMemory[]; ideal: number; found: { term: string; found: number }[] };

type Proposals = {
  text: Ranking;
  memories: FoundMemories;
  semantic: { id: number; score: number }[];
  scope: VectorScope | null;
  queryEmbedding: "cached" | "computed" | "unused";
  degraded: { channel: ChannelName; reason: ChannelFailure }[];
};

/**
 * Finds what the viewer may hear: analyse → propose → admit → fuse → adjust → diversify → budget (docs/search.md). Two sequential
 * round trips to D1: one proposes within the viewer's spaces, one loads what the rules admit. 404 for a session or project
 * in which the viewer has no part; an unknown user finds nothing.
 */
export async function search(ctx: SearchCtx, input: SearchInput): Promise<SearchView> {
  requirePermission(ctx.actor, "read");
  const asked = await readQuestion(ctx, input);
  const { question } = asked;
  const hits = asked.strategy === "recent" || question.terms.length === 0 ? searchRecent(ctx, asked) : searchRelevant(ctx, asked);
  const { answer, recalled } = await hits;
  if (recalled.length > 0) ctx.defer(() => noteRecall(ctx, recalled));
  return answer;
}

async function readQuestion(ctx: SearchCtx, input: SearchInput): Promise<Asked> {
  const settings = await getSettings(ctx);
  const named = input.strategy ?? settings.strategy;
  const asOf = input.asOf === undefined ? null : toMillis(input.asOf);
  const ends = [...(input.to === undefined ? [] : [toMillis(input.to)]), ...(asOf === null ? [] : [asOf + 1])];
  const span: Span = {
    from: input.from === undefined ? null : toMillis(input.from),
    to: ends.length === 0 ? null : Math.min(...ends),
  };
  const viewer: ViewerRef = {
    tenantId: ctx.tenantId,
    user: actingUser(ctx, input.userId),
    sessionExternalId: input.sessionId ?? null,
    projectExternalId: input.projectId ?? null,
    includeGroups: input.includeGroups,
  };
  const question = queryTerms(input.query);
  const narrows = input.types !== undefined || input.classes !== undefined || input.about !== undefined;
  const kinds = input.kinds ?? (narrows ? ["memory"] : ["episode", "memory"]);
  return {
    input: { ...input, maxTokens: input.maxTokens ?? Math.min(settings.maxTokens, MAX_TOKENS) },
    strategy: named === "exact" ? "recent" : named,
    viewer,
    span,
    question,
    episodes: kinds.includes("episode"),
    memories: kinds.includes("memory") ? memoryQuestion(ctx, { input, viewer, span, question, asOf }) : null,
  };
}

function memoryQuestion(
  ctx: SearchCtx,
  of: { input: SearchInput; viewer: ViewerRef; span: Span; question: QueryAnalysis; asOf: number | null },
): MemoryQuestion {
  const { input, viewer, question } = of;
  const ofClass = input.classes?.flatMap(typesOf);
  const narrows = input.types !== undefined || ofClass !== undefined;
  const types = MEMORY_TYPES.filter((type) => (input.types ?? [type]).includes(type) && (ofClass ?? [type]).includes(type));
  const reader: MemoryViewerRef = {
    ...viewer,
    includeGroups: false,
    workspaceId: input.workspaceId ?? null,
    scopeType: input.scopeType ?? null,
    scopeId: input.scopeId ?? null,
    reach: input.reach,
    about: ASKED,
    exceptOwner: null,
    asOf: of.asOf,
    now: ctx.now(),
  };
  const onlyAbout = input.about !== undefined;
  return {
    viewer: reader,
    people: {
      ids: input.about ?? [],
      keys: onlyAbout ? [] : nameKeysIn(input.query),
      self: onlyAbout
        ? "no"
        : question.aboutSelf || question.terms.length === 0
          ? "asked"
          : question.firstPerson
            ? "spoken"
            : "no",
    },
    filter: { types: narrows ? types : null, span: of.span, onlyAbout },
  };
}

type Searched = { answer: SearchView; recalled: number[] };

async function searchRelevant(ctx: SearchCtx, asked: Asked): Promise<Searched> {
  const proposals = await propose(ctx, asked);
  requirePlace(proposals.scope, asked.input);
  const ids = [...new Set([...proposals.text.chunks.map(({ id }) => id), ...proposals.semantic.map(({ id }) => id)])];
  const chunkIds = ids.filter((id) => id >= 0);
  const memoryIds = [
    ...new Set([...proposals.text.memories.map(({ id }) => id), ...ids.filter((id) => id < 0).map((id) => -id)]),
  ];
  const { chunks, memories } = await load(ctx, asked, {
    chunks: chunkIds.length === 0 ? null : loadChunks(ctx, asked.viewer, { ids: chunkIds, span: asked.span }),
    memories: asked.memories === null || memoryIds.length === 0 ? null : loadMemories(ctx, asked.memories, memoryIds),
  });
  const ranked = rank(ctx, { asked, proposals, chunks, memories });
  return answerOf(ctx, asked, { ...proposals, ranked, strategy: asked.strategy, found: proposals.text.found });
}

/** The second round trip: the chunks and memories that the rules admit. */
async function load(
  ctx: SearchCtx,
  asked: Asked,
  statements: { chunks: Statement | null; memories: Statement | null },
): Promise<{ chunks: AdmittedChunk[]; memories: FoundMemory[] }> {
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
  const shown = new Set(answer.hits.map(({ id }) => id));
  return { answer, recalled: ranked.flatMap(({ memory }) => (memory !== null && shown.has(memory.publicId) ? [memory.id] : [])) };
}

/** Naming a session or project in which one has no part is answered like naming one that does not exist. */
function requirePlace(scope: VectorScope | null, input: SearchInput): void {
  if (scope !== null && scope.pool !== "none") return;
  if (input.sessionId !== undefined) throw notFound("session");
  if (input.projectId !== undefined) throw notFound("project");
}

async function propose(ctx: SearchCtx, asked: Asked): Promise<Proposals> {
  const { input, strategy } = asked;
  const asksModel = strategy === "semantic" || (strategy === "hybrid" && ctx.embedder.nature === "semantic");
  const embedding = asksModel ? orDegraded(ctx, embedQuery(ctx, input.query)) : null;
  const { scope, chunks, memories, textFailed } = await proposeInDatabase(ctx, asked);
  const text = rankWords(asked, chunks, memories);
  const degraded: Proposals["degraded"] = textFailed ? [{ channel: "text", reason: "failed" }] : [];
  const nothing: Proposals = { text, memories, semantic: [], scope, queryEmbedding: "unused", degraded };

  const enough = text.chunks.length + text.memories.length >= input.limit;
  const fillsUp = strategy === "hybrid" && ctx.embedder.nature === "lexical" && !enough;
  if (scope === null || (embedding === null && !fillsUp)) return nothing;
  const embedded = await (embedding ?? orDegraded(ctx, embedQuery(ctx, input.query)));
  if (!embedded.ok) return { ...nothing, degraded: [...degraded, { channel: "semantic", reason: embedded.reason }] };
  const queryEmbedding = embedded.value.cached ? "cached" : "computed";
  const { vector } = embedded.value;
  const { viewer, filter } = asked.memories ?? { viewer: null, filter: null };
  const nearest = await orDegraded(
    ctx,
    proposeVectors(ctx, {
      vector,
      scope,
      episodes: asked.episodes,
      memories:
        viewer === null ? null : { spaces: memories.spaces, workspaceId: viewer.workspaceId, types: filter?.types ?? null },
      span: asked.span,
      topK: TOP_K,
    }),
  );
  if (!nearest.ok)
    return { ...nothing, queryEmbedding, degraded: [...degraded, { channel: "semantic", reason: nearest.reason }] };
  const floor = ctx.embedder.nature === "lexical" ? LEXICAL_FLOOR : -1;
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

type DatabaseProposal = { scope: VectorScope | null; chunks: FoundChunks; memories: FoundMemories; textFailed: boolean };

const NO_CHUNKS: FoundChunks = { postings: [], total: 0 };

/** The first round trip. If the text index itself fails, the batch fails with it: then the viewer is looked up alone. */
async function proposeInDatabase(ctx: SearchCtx, asked: Asked): Promise<DatabaseProposal> {
  const { viewer, question, span } = asked;
  const terms = asked.strategy === "semantic" ? [] : question.terms;
  const episodes = asked.episodes && terms.length > 0 ? [findPostings(ctx, viewer, { terms, span })] : [];
  const memories = asked.memories === null ? [] : findMemories(ctx, asked.memories, terms);
  try {
    const [found, moved, ...results] = await runBatch(ctx, [...findScope(ctx, viewer), ...episodes, ...memories]);
    return {
      scope: toScope(found, moved),
      chunks: episodes.length === 0 ? NO_CHUNKS : readPostings(results[0], terms),
      memories: memories.length === 0 ? NO_MEMORIES : readMemories(results.slice(episodes.length), terms),
      textFailed: false,
    };
  } catch (error) {
    ctx.log("search.degraded", { channel: "text", ...describeError(error) });
    const spaces = asked.memories === null ? [] : findMemories(ctx, asked.memories, []);
    const [found, moved, ...results] = await runBatch(ctx, [...findScope(ctx, viewer), ...spaces]);
    return {
      scope: toScope(found, moved),
      chunks: NO_CHUNKS,
      memories: spaces.length === 0 ? NO_MEMORIES : readMemories(results, []),
      textFailed: true,
    };
  }
}

/** Fuses the channels' rankings of what was admitted, and lets one hit stand for those that say the same. */
function rank(
  ctx: SearchCtx,
  found: { asked: Asked; proposals: Proposals; chunks: readonly AdmittedChunk[]; memories: readonly FoundMemory[] },
): RankedHit[] {
  const { asked, proposals } = found;
  const { input, question } = asked;
  const options = { adjust: input.adjust, now: ctx.now() };
  const byId = new Map<number, Found>([
    ...found.chunks.map((chunk) => [chunk.id, { ...chunk, memory: null }] as const),
    ...found.memories.map((memory) => [memory.id, memory] as const),
  ]);
  const worded = [
    ...refine(question, chunkCandidates(proposals, byId), options).map(({ id, score, factors }) => ({ id, score, factors })),
    ...refineMemories(question, memoryCandidates(proposals, byId), options).map(({ id, score, factors }) => ({
      id: -id,
      score,
      factors,
    })),
  ].sort((a, b) => b.score - a.score);
  const factors = new Map<number, Factor[]>(worded.map((candidate) => [candidate.id, candidate.factors]));
  const semantic = proposals.semantic.filter(({ id }) => byId.has(id));
  const channels: Channel[] = [
    { name: "text", weight: 1, ranked: worded, scale: { nothing: 0, everything: proposals.text.ideal } },
    { name: "semantic", weight: SEMANTIC_WEIGHT[ctx.embedder.nature], ranked: semantic, scale: ownScale(proposals.semantic) },
  ];
  const place = ctx.embedder.nature === "semantic" ? Math.min(SEMANTIC_PLACE, input.limit - 1) : Number.POSITIVE_INFINITY;
  const fused = withBestOf(fuse(channels), "semantic", place).flatMap(({ id, score, channels: ranks }) => {
    const hit = byId.get(id);
    return hit === undefined ? [] : [{ ...hit, score, factors: factors.get(id) ?? [], channels: ranks }];
  });
  return diversify(fused, input.limit);
}

function chunkCandidates({ text }: Proposals, byId: ReadonlyMap<number, Found>) {
  return text.chunks.flatMap(({ id, score, parts }) => {
    const chunk = byId.get(id);
    return chunk === undefined || chunk.memory !== null ? [] : [{ ...chunk, score, terms: parts.terms }];
  });
}

function memoryCandidates({ text, memories }: Proposals, byId: ReadonlyMap<number, Found>) {
  return text.memories.flatMap(({ id, score }) => {
    const memory = byId.get(-id)?.memory;
    if (memory === undefined || memory === null) return [];
    const { type, confidence, seenCount, lastSeenAt } = memory;
    return [{ id, score, type, confidence, seenCount, lastSeenAt, isAboutNamed: holds(memories.about, id) }];
  });
}
