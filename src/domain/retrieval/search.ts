import { sql } from "drizzle-orm";
import type { Ctx } from "#context";
import { requirePermission } from "#core/permission";
import { keyOf } from "#core/rank/ranking";
import { read } from "#db/client";
import type { SeenMemory } from "#domain/memories";
import { type Pool, requirePlace } from "#domain/visibility";
import { loadEpisodes, loadRecentEpisodes, type NamedSpeaker, visibleEpisodes } from "./find-episodes.ts";
import { loadMemories, loadRecentMemories, visibleMemories } from "./find-memories.ts";
import { type Found, type HitKind, type HitRef, type RankedHit, timeOf } from "./hit.ts";
import { rankHits } from "./rank-hits.ts";
import { type Asked, readQuestion, type SearchOptions } from "./read-question.ts";
import { type Candidates, retrieveCandidates } from "./retrieve-candidates.ts";
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
  /** The memories of the hits, by their public ids. */
  memories: ReadonlyMap<string, SeenMemory>;
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
  const candidates = await retrieveCandidates(ctx, asked);
  if (seesNothing(candidates.scope)) await requirePlace(ctx, asked.viewer);
  const first = await loadRefs(ctx, asked, [...candidates.text.ranked, ...candidates.semantic]);
  const all = await withMore(ctx, asked, { candidates, found: first });
  const ranked = rankHits(ctx, { asked, ...all });
  const nothing = asked.strategy === "semantic" && ranked.length === 0 && candidates.degraded.length === 0;
  // Who asks for a cut wants nothing rather than what is only recent.
  if (nothing && !asked.input.cut) return await showRecent(ctx, asked, candidates);
  return answerOf(ctx, asked, { ...candidates, ranked, strategy: asked.strategy, found: candidates.text.found });
}

async function loadRefs(ctx: SearchCtx, asked: Asked, refs: readonly HitRef[]): Promise<Found[]> {
  const idsOf = (kind: HitKind) => [...new Set(refs.flatMap((ref) => (ref.kind === kind ? [ref.id] : [])))];
  const [episodes, memories] = [idsOf("episode"), idsOf("memory")];
  return await load(ctx, asked, {
    episodes: episodes.length === 0 ? null : loadEpisodes(ctx, asked.viewer, { ids: episodes, span: asked.span }),
    memories: asked.memories === null || memories.length === 0 ? null : loadMemories(asked.memories, memories),
  });
}

/** If fewer of the nearest vectors are visible, those that are hidden may have kept an answer out of the list. */
const ENOUGH_VISIBLE = 0.5;

/**
 * The same with more of the nearest vectors, if most of those found are not visible: the filter of vectors knows less than the rules. It
 * costs a third round trip, which is why it happens only then, and once.
 */
async function withMore(
  ctx: SearchCtx,
  asked: Asked,
  { candidates, found }: { candidates: Candidates; found: Found[] },
): Promise<{ candidates: Candidates; found: Found[] }> {
  const { semantic, moreVectors } = candidates;
  const visible = new Set(found.map(keyOf));
  const shown = semantic.filter((ref) => visible.has(keyOf(ref))).length;
  if (moreVectors === null || shown >= ENOUGH_VISIBLE * semantic.length) return { candidates, found };
  const known = new Set(semantic.map(keyOf));
  const more = (await moreVectors()).filter((ref) => !known.has(keyOf(ref)));
  const unseen = await loadRefs(
    ctx,
    asked,
    more.filter((ref) => !visible.has(keyOf(ref))),
  );
  return { candidates: { ...candidates, semantic: [...semantic, ...more] }, found: [...found, ...unseen] };
}

type Loading = {
  episodes: ReturnType<typeof loadEpisodes> | null;
  memories: ReturnType<typeof loadMemories> | null;
};

/** The second round trip: what the rules allow. */
async function load(ctx: SearchCtx, asked: Asked, queries: Loading): Promise<Found[]> {
  const { episodes, memories } = await read(ctx, queries);
  return [...visibleEpisodes(ctx, episodes), ...(asked.memories === null ? [] : visibleMemories(ctx, asked.memories, memories))];
}

async function searchRecent(ctx: SearchCtx, asked: Asked): Promise<Searched> {
  const { input, viewer } = asked;
  const {
    scope: [scope = null],
  } = await read(ctx, { scope: findScope(ctx, viewer) });
  if (seesNothing(scope)) await requirePlace(ctx, viewer);
  return await showRecent(ctx, asked, { scope, degraded: [], queryEmbedding: "unused" });
}

/** What is newest; the answer names `recent` as its strategy. */
async function showRecent(
  ctx: SearchCtx,
  asked: Asked,
  so: Pick<Candidates, "scope" | "degraded" | "queryEmbedding">,
): Promise<Searched> {
  const { input, viewer, span } = asked;
  const found = await load(ctx, asked, {
    episodes: asked.episodes ? loadRecentEpisodes(ctx, viewer, { limit: input.limit, span }) : null,
    memories: asked.memories === null ? null : loadRecentMemories(asked.memories, input.limit),
  });
  const latest = found.toSorted((a, b) => timeOf(b) - timeOf(a)).slice(0, input.limit);
  const ranked = latest.map((hit, i): RankedHit => {
    const score = 1 / (i + 1);
    return { ...hit, score, factors: [], similar: 0, channels: { recent: { rank: i + 1, score } } };
  });
  return answerOf(ctx, asked, { ...so, ranked, strategy: "recent", found: [] });
}

function answerOf(ctx: SearchCtx, { input }: Asked, found: Omit<Parameters<typeof toAnswer>[0], "input" | "model">): Searched {
  // If the tenant's budget is 0, a search finds nothing, unless the request names a budget of its own.
  const ranked = input.maxTokens === 0 ? [] : found.ranked;
  const answer = toAnswer({ ...found, ranked, input, model: ctx.embedder.model });
  const memories = new Map(ranked.flatMap((hit) => (hit.kind === "memory" ? [[hit.memory.publicId, hit.memory] as const] : [])));
  const named = ranked.flatMap((hit) => (hit.kind === "episode" ? (hit.saidBy ?? []) : []));
  const speakers = new Map(named.map((user) => [user.userId, user] as const));
  const recall = (ids: readonly string[]) => {
    const shown = ids.flatMap((id) => memories.get(id)?.id ?? []);
    if (shown.length > 0) ctx.defer(() => recordRecall(ctx, shown));
  };
  return { answer, pool: found.scope?.pool ?? "none", memories, speakers, recall };
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
