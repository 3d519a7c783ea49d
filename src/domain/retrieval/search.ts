import { sql } from "drizzle-orm";
import type { Ctx } from "#context";
import { requirePermission } from "#core/permission";
import { keyOf } from "#core/rank/ranking";
import { read } from "#db/client";
import { decidedMemories, type SeenMemory } from "#domain/memories";
import { type Pool, requirePlace } from "#domain/visibility";
import { loadChunks, visibleChunks } from "./find-chunks.ts";
import {
  areAll,
  loadEpisodes,
  loadRecentEpisodes,
  type NamedSpeaker,
  type VisibleEpisode,
  visibleEpisodes,
} from "./find-episodes.ts";
import { loadMemories, loadRecentMemories, type VisibleMemory, visibleMemories } from "./find-memories.ts";
import { findSuccessors, type Replaced, type Sources, toReplaced } from "./find-successors.ts";
import { type Found, type HitKind, type HitRef, type RankedHit, timeOf } from "./hit.ts";
import { putCurrent } from "./put-current.ts";
import { rankHits } from "./rank-hits.ts";
import { type Asked, readQuestion, type SearchOptions } from "./read-question.ts";
import { type Candidates, retrieveCandidates } from "./retrieve-candidates.ts";
import { findScope, type VectorScope } from "./retrieve-vectors.ts";
import type { HitView, SearchInput, SearchView } from "./schemas.ts";
import { hitKey, toAnswer, toHitId, toHits } from "./view.ts";

type SearchCtx = Ctx<"db" | "now" | "embedder" | "vectors" | "caches" | "log" | "defer">;

/**
 * Finds what the viewer may see: read the question → retrieve candidates → load what is visible → boost → fuse → diversify → budget
 * (docs/search.md). Two sequential round trips to D1: one finds candidates within the viewer's spaces, one loads what the rules allow. A
 * user who is not stored yet finds what every user of the tenant does.
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
  /** Where the viewer is, by IANA's name; null where it is not known. */
  timeZone: string | null;
  /** For hits that were said with an offset: minutes ahead of UTC, by `hitKey`. */
  offsets: ReadonlyMap<string, number>;
  /** The memories of the hits and of `also`, by their public ids. */
  memories: ReadonlyMap<string, SeenMemory>;
  /** What `SearchOptions.also` loaded. */
  also: readonly SeenMemory[];
  /** Users whom messages of the hits name as their speakers, by the app's ids. */
  speakers: ReadonlyMap<string, NamedSpeaker>;
  /** The latest passages that are no hits, the newest first, and whether hits and they are about all that the viewer may see. */
  latest: HitView[];
  isWhole: boolean;
  /** The app's ids of the sessions of passages that are groups. */
  groups: ReadonlySet<string>;
  /** Ids of hits and latest passages that are left out because all that they say has been replaced. */
  heldBack: readonly string[];
  /** The cosines of the vectors of hits and latest passages and the question's, by `hitKey`, as far as vectors were asked for. */
  likeness: ReadonlyMap<string, number>;
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
  const refs = [...candidates.text.ranked, ...candidates.semantic];
  const first = await loadRefs(ctx, asked, { refs, latest: candidates.latest });
  const { candidates: retrieved, loaded } = await withMore(ctx, asked, { candidates, loaded: first });
  const { found, ...successors } = loaded;
  const ranked = rankHits(ctx, { asked, candidates: retrieved, found });
  const nothing = asked.strategy === "semantic" && ranked.length === 0 && candidates.degraded.length === 0;
  // Who asks for a cut wants nothing rather than what is only recent.
  if (nothing && !asked.input.cut) return await searchRecent(ctx, asked, candidates);
  return answerOf(ctx, asked, { ...retrieved, ...successors, ranked, strategy: asked.strategy, found: candidates.text.found });
}

type ToLoad = { refs: readonly HitRef[]; latest: readonly VisibleEpisode[] };

async function loadRefs(ctx: SearchCtx, asked: Asked, { refs, latest }: ToLoad): Promise<Loaded> {
  const idsOf = (kind: HitKind) => [...new Set(refs.flatMap((ref) => (ref.kind === kind ? [ref.id] : [])))];
  const [episodes, memories, chunks] = [idsOf("episode"), idsOf("memory"), idsOf("chunk")];
  const passages = [...new Set([...episodes, ...latest.map(({ id }) => id)])];
  return await load(ctx, asked, {
    episodes: episodes.length === 0 ? null : loadEpisodes(ctx, asked.viewer, { ids: episodes, span: asked.span }),
    memories: asked.memories === null || memories.length === 0 ? null : loadMemories(asked.memories, memories),
    chunks: asked.chunks === null || chunks.length === 0 ? null : loadChunks(ctx, asked.viewer, { ids: chunks, ...asked.chunks }),
    successors: successorsOf(asked, { passages, memories }),
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
  { candidates, loaded }: { candidates: Candidates; loaded: Loaded },
): Promise<{ candidates: Candidates; loaded: Loaded }> {
  const { semantic, moreVectors } = candidates;
  const visible = new Set(loaded.found.map(keyOf));
  // In a project, what was learned outside is expected to be hidden, and was asked for apart.
  const isKeptApart = candidates.scope?.projectId != null && asked.memories?.viewer.ownProjectOnly === true;
  const said = semantic.filter(({ kind }) => kind === "episode" || (kind === "memory" && !isKeptApart));
  const shown = said.filter((ref) => visible.has(keyOf(ref))).length;
  if (moreVectors === null || shown >= ENOUGH_VISIBLE * said.length) return { candidates, loaded };
  const known = new Set(semantic.map(keyOf));
  const more = (await moreVectors()).filter((ref) => !known.has(keyOf(ref)));
  const unseen = await loadRefs(ctx, asked, { refs: more.filter((ref) => !visible.has(keyOf(ref))), latest: [] });
  return {
    candidates: { ...candidates, semantic: [...semantic, ...more] },
    loaded: {
      found: [...loaded.found, ...unseen.found],
      replaced: [...loaded.replaced, ...unseen.replaced],
      current: [...loaded.current, ...unseen.current],
      also: loaded.also,
    },
  };
}

type Loading = {
  episodes: ReturnType<typeof loadEpisodes> | null;
  memories: ReturnType<typeof loadMemories> | null;
  chunks: ReturnType<typeof loadChunks> | null;
  successors: ReturnType<typeof findSuccessors> | null;
};

/** What was replaced since it was said. A question about a time in the past is answered by what held then. */
function successorsOf({ memories }: Asked, sources: Sources): Loading["successors"] {
  if (memories === null || memories.viewer.asOf !== null || sources.passages.length + sources.memories.length === 0) return null;
  return findSuccessors(memories, sources);
}

type Loaded = { found: Found[]; replaced: Replaced[]; current: VisibleMemory[]; also: SeenMemory[] };

/** The second round trip: what the rules allow. */
async function load(ctx: SearchCtx, asked: Asked, queries: Loading): Promise<Loaded> {
  const { episodes, memories, chunks, successors, also } = await read(ctx, { ...queries, also: asked.also });
  const passages = [...visibleEpisodes(ctx, episodes), ...visibleChunks(ctx, chunks)];
  const { memories: question } = asked;
  if (question === null) return { found: passages, replaced: [], current: [], also: [] };
  const current = successors.filter(({ isGone }) => !isGone);
  return {
    found: [...passages, ...visibleMemories(ctx, question, memories)],
    replaced: successors.map(toReplaced),
    current: visibleMemories(ctx, question, current),
    also: decidedMemories(ctx, question.viewer, also),
  };
}

/** What is newest of what was said and is known; the answer names `recent` as its strategy. A document is not said at any time. */
async function searchRecent(
  ctx: SearchCtx,
  asked: Asked,
  { queryEmbedding }: Pick<Candidates, "queryEmbedding"> = { queryEmbedding: "unused" },
): Promise<Searched> {
  const { input, viewer, span } = asked;
  const recent = asked.episodes ? loadRecentEpisodes(ctx, viewer, { limit: input.limit, span }) : null;
  const {
    scope: [scope = null],
    episodes,
  } = await read(ctx, { scope: findScope(ctx, viewer), episodes: recent });
  if (seesNothing(scope)) await requirePlace(ctx, viewer);
  const passages = visibleEpisodes(ctx, episodes);
  const { found, ...successors } = await load(ctx, asked, {
    episodes: null,
    chunks: null,
    memories: asked.memories === null ? null : loadRecentMemories(asked.memories, input.limit),
    successors: successorsOf(asked, { passages: passages.map(({ id }) => id), memories: [] }),
  });
  const latest = [...passages, ...found].toSorted((a, b) => timeOf(b) - timeOf(a)).slice(0, input.limit);
  const ranked = latest.map((hit, i): RankedHit => {
    const score = 1 / (i + 1);
    return { ...hit, score, factors: [], similar: 0, channels: { recent: { rank: i + 1, score } } };
  });
  const nothing = { latest: [], found: [], semantic: [], degraded: [], queryEmbedding };
  return answerOf(ctx, asked, { ...nothing, ...successors, scope, ranked, strategy: "recent" });
}

type Outcome = Omit<Parameters<typeof toAnswer>[0], "input" | "model" | "heldBack"> &
  Omit<Loaded, "found"> & { latest: readonly VisibleEpisode[] } & Pick<Candidates, "semantic">;

function answerOf(ctx: SearchCtx, { input, limits }: Asked, outcome: Outcome): Searched {
  // If the tenant's budget is 0, a search finds nothing, unless the request names a budget of its own.
  const { hits: ranked, heldBack } = putCurrent(input.maxTokens === 0 ? [] : outcome.ranked, outcome);
  const { model } = ctx.embedder;
  const answer = toAnswer({ ...outcome, ranked, heldBack, input: { ...input, limit: limits.all }, model });
  const shown = ranked.slice(0, limits.all);
  const isHit = new Set(shown.flatMap((hit) => (hit.kind === "episode" ? [hit.id] : [])));
  const others = putCurrent(
    outcome.latest.filter(({ id }) => !isHit.has(id)).map((passage) => ({ ...passage, ...UNRANKED })),
    outcome,
  );
  const isShown = new Set(shown.map(keyOf));
  const latest = others.hits.filter((hit) => !isShown.has(keyOf(hit)));
  const all = [...shown, ...latest];
  const passages = all.filter((hit) => hit.kind === "episode");
  const seen = [...all.flatMap((hit) => (hit.kind === "memory" ? hit.memory : [])), ...outcome.also];
  const memories = new Map(seen.map((memory) => [memory.publicId, memory] as const));
  const speakers = new Map(passages.flatMap(({ saidBy }) => (saidBy === null ? [] : [[saidBy.userId, saidBy] as const])));
  const recall = (ids: readonly string[]) => {
    const recalled = ids.flatMap((id) => memories.get(id)?.id ?? []);
    if (recalled.length > 0) ctx.defer(() => recordRecall(ctx, recalled));
  };
  return {
    ...{ answer, memories, speakers, recall, also: outcome.also },
    pool: outcome.scope?.pool ?? "none",
    timeZone: outcome.scope?.timeZone ?? null,
    offsets: offsetsOf(all),
    latest: toHits(latest, { explain: input.explain, model }),
    isWhole: outcome.latest.length > 0 && areAll(outcome.latest),
    groups: new Set(passages.flatMap(({ inKind, sessionId }) => (inKind === "group" ? [sessionId] : []))),
    heldBack: [...new Set([...heldBack, ...others.heldBack].map(({ hit }) => toHitId(hit).id))],
    likeness: likenessOf(all, outcome.semantic),
  };
}

/** By `hitKey`. */
function offsetsOf(hits: readonly RankedHit[]): Map<string, number> {
  return new Map(
    hits.flatMap((hit) => {
      const offset = hit.kind === "episode" ? hit.offset : hit.kind === "memory" ? hit.memory.validOffset : null;
      return offset === null ? [] : [[hitKey(toHitId(hit)), offset] as const];
    }),
  );
}

/** By `hitKey`: the messages of one episode, and passages of one message, have vectors of their own. */
function likenessOf(hits: readonly RankedHit[], semantic: Candidates["semantic"]): Map<string, number> {
  const cosines = new Map(semantic.map((ref) => [keyOf(ref), ref.score]));
  return new Map(
    hits.flatMap((hit) => {
      const cosine = cosines.get(keyOf(hit));
      return cosine === undefined ? [] : [[hitKey(toHitId(hit)), cosine] as const];
    }),
  );
}

/** Of what no channel ranked. */
const UNRANKED = { score: 0, factors: [], similar: 0, channels: {} };

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
