import { sql } from "drizzle-orm";
import type { Ctx } from "#context";
import { requirePermission } from "#core/permission";
import { read } from "#db/client";
import { decidedMemories, type SeenMemory } from "#domain/memories";
import { type Pool, requirePlace } from "#domain/visibility";
import { loadEpisodes, loadRecentEpisodes, type NamedSpeaker, visibleEpisodes } from "./find-episodes.ts";
import { loadMemories, loadRecentMemories, visibleMemories } from "./find-memories.ts";
import type { Found, HitKind, RankedHit } from "./hit.ts";
import { rankHits } from "./rank-hits.ts";
import { type Asked, readQuestion, type SearchOptions } from "./read-question.ts";
import { retrieveCandidates } from "./retrieve-candidates.ts";
import { findScope, type VectorScope } from "./retrieve-vectors.ts";
import type { SearchInput, SearchView } from "./schemas.ts";
import { toAnswer } from "./view.ts";

type SearchCtx = Ctx<"db" | "now" | "embedder" | "vectors" | "caches" | "log" | "defer">;

/**
 * Finds what the viewer may see: read the question → retrieve candidates → load what is visible → boost → fuse → diversify → budget
 * (docs/search.md). Two sequential round trips to D1: one finds candidates within the viewer's spaces, one loads what the rules allow. An
 * unknown user finds nothing.
 *
 * @throws forbidden without the permission to read.
 * @throws not_found for a session or project that the viewer has no access to.
 *
 * @example
 * const { hits } = await search(ctx, SearchInput.parse({ query: "What does Anna like?", userId: "u1" }));
 */
export async function search(ctx: SearchCtx, input: SearchInput): Promise<SearchView> {
  const { answer, recall } = await searchFor(ctx, input);
  recall(answer.hits.map(({ id }) => id));
  return answer;
}

/** The result of a search, for a verb that shows some of it. */
export type Searched = {
  answer: SearchView;
  /** What the viewer may see from their place. */
  pool: Pool;
  /** The memories of the hits and of `also`, by their public ids. */
  memories: ReadonlyMap<string, SeenMemory>;
  /** What `SearchOptions.also` loaded. */
  also: readonly SeenMemory[];
  /** Users whom messages of the hits name as their speakers, by the app's ids. */
  speakers: ReadonlyMap<string, NamedSpeaker>;
  /** Records, after the response, that these memories were shown; other ids are skipped. */
  recall: (ids: readonly string[]) => void;
};

/** `search` for other verbs: it also returns the rows behind the hits, and the caller records what was shown. */
export async function searchFor(ctx: SearchCtx, input: SearchInput, options: SearchOptions = {}): Promise<Searched> {
  requirePermission(ctx.actor, "read");
  const asked = await readQuestion(ctx, input, options);
  const { question } = asked;
  return asked.strategy === "recent" || question.terms.length === 0
    ? await searchRecent(ctx, asked)
    : await searchRelevant(ctx, asked);
}

async function searchRelevant(ctx: SearchCtx, asked: Asked): Promise<Searched> {
  const { viewer, span } = asked;
  const candidates = await retrieveCandidates(ctx, asked);
  if (seesNothing(candidates.scope)) await requirePlace(ctx, viewer);
  const refs = [...candidates.text.ranked, ...candidates.semantic];
  const idsOf = (kind: HitKind) => [...new Set(refs.flatMap((ref) => (ref.kind === kind ? [ref.id] : [])))];
  const [episodes, memories] = [idsOf("episode"), idsOf("memory")];
  const { found, also } = await load(ctx, asked, {
    episodes: episodes.length === 0 ? null : loadEpisodes(ctx, viewer, { ids: episodes, span }),
    memories: asked.memories === null || memories.length === 0 ? null : loadMemories(asked.memories, memories),
  });
  const ranked = rankHits(ctx, { asked, candidates, found });
  return answerOf(ctx, asked, { ...candidates, ranked, strategy: asked.strategy, found: candidates.text.found, also });
}

type Loading = {
  episodes: ReturnType<typeof loadEpisodes> | null;
  memories: ReturnType<typeof loadMemories> | null;
};

/** The second round trip: what the rules allow. */
async function load(ctx: SearchCtx, asked: Asked, queries: Loading): Promise<{ found: Found[]; also: SeenMemory[] }> {
  const { episodes, memories, also } = await read(ctx, { ...queries, also: asked.also });
  const { memories: question } = asked;
  if (question === null) return { found: visibleEpisodes(ctx, episodes), also: [] };
  return {
    found: [...visibleEpisodes(ctx, episodes), ...visibleMemories(ctx, question, memories)],
    also: decidedMemories(ctx, question.viewer, also),
  };
}

async function searchRecent(ctx: SearchCtx, asked: Asked): Promise<Searched> {
  const { input, viewer, span } = asked;
  const {
    scope: [scope = null],
  } = await read(ctx, { scope: findScope(ctx, viewer) });
  if (seesNothing(scope)) await requirePlace(ctx, viewer);
  const { found, also } = await load(ctx, asked, {
    episodes: asked.episodes ? loadRecentEpisodes(ctx, viewer, { limit: input.limit, span }) : null,
    memories: asked.memories === null ? null : loadRecentMemories(asked.memories, input.limit),
  });
  const latest = found.toSorted((a, b) => timeOf(b) - timeOf(a)).slice(0, input.limit);
  const ranked = latest.map((hit, i): RankedHit => {
    const score = 1 / (i + 1);
    return { ...hit, score, factors: [], similar: 0, channels: { recent: { rank: i + 1, score } } };
  });
  return answerOf(ctx, asked, { scope, ranked, strategy: "recent", found: [], degraded: [], queryEmbedding: "unused", also });
}

function timeOf(hit: Found): number {
  return hit.kind === "episode" ? hit.occurredAt : hit.memory.validFrom;
}

type Answering = Omit<Parameters<typeof toAnswer>[0], "input" | "model"> & Pick<Searched, "also">;

function answerOf(ctx: SearchCtx, { input }: Asked, { also, ...found }: Answering): Searched {
  // If the tenant's budget is 0, a search finds nothing, unless the request names a budget of its own.
  const ranked = input.maxTokens === 0 ? [] : found.ranked;
  const answer = toAnswer({ ...found, ranked, input, model: ctx.embedder.model });
  const seen = [...ranked.flatMap((hit) => (hit.kind === "memory" ? hit.memory : [])), ...also];
  const memories = new Map(seen.map((memory) => [memory.publicId, memory] as const));
  const named = ranked.flatMap((hit) => (hit.kind === "episode" ? (hit.saidBy ?? []) : []));
  const speakers = new Map(named.map((user) => [user.userId, user] as const));
  const recall = (ids: readonly string[]) => {
    const shown = ids.flatMap((id) => memories.get(id)?.id ?? []);
    if (shown.length > 0) ctx.defer(() => recordRecall(ctx, shown));
  };
  return { answer, pool: found.scope?.pool ?? "none", memories, also, speakers, recall };
}

/** A memory is marked as recalled once a day at most. */
const RECALL_MS = 86_400_000;

/** Records that memories were shown: when a tenant has too many, those never shown are evicted first. A lost record does no harm. */
async function recordRecall(ctx: Ctx<"db" | "now">, ids: readonly number[]): Promise<void> {
  if (ids.length === 0) return;
  const now = ctx.now();
  await ctx.db.run(sql`
    update memories set recalled_at = ${now}
    where id in (select value from json_each(${JSON.stringify(ids)})) and tenant_id = ${ctx.tenantId}
      and (recalled_at is null or recalled_at < ${now - RECALL_MS})`);
}

function seesNothing(scope: VectorScope | null): boolean {
  return scope === null || scope.pool === "none";
}
