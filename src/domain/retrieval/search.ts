import type { Ctx } from "#context";
import { describeError } from "#core/describe-error";
import { notFound } from "#core/errors";
import { toMillis } from "#core/fields";
import { requirePermission } from "#core/permission";
import { type QueryAnalysis, queryTerms } from "#core/text/query";
import type { StatementResult } from "#db/client";
import { runBatch } from "#domain/audit";
import { actingUser } from "#domain/tenants";
import type { ViewerRef } from "#domain/visibility";
import { type AdmittedChunk, admit, admitRecent, MAX_CANDIDATES } from "./admit.ts";
import { findPostings, rankPostings, type Span, type TextProposal } from "./propose-text.ts";
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
import { type Factor, refine } from "./rank/refine.ts";
import type { ChannelName, SearchInput, SearchView } from "./schemas.ts";
import { type RankedHit, toAnswer } from "./view.ts";

type SearchCtx = Ctx<"db" | "now" | "embedder" | "vectors" | "caches" | "log">;

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

type Proposals = {
  text: TextProposal;
  semantic: { id: number; score: number }[];
  scope: VectorScope | null;
  queryEmbedding: "cached" | "computed" | "unused";
  degraded: { channel: ChannelName; reason: ChannelFailure }[];
};

/**
 * Finds what the viewer may hear: analyse → propose → admit → fuse → adjust → diversify → budget (docs/search.md). Two sequential
 * round trips to D1: one proposes within the viewer's spaces, one loads what the rule admits. 404 for a session or project
 * in which the viewer has no part; an unknown user finds nothing.
 */
export async function search(ctx: SearchCtx, input: SearchInput): Promise<SearchView> {
  requirePermission(ctx.actor, "read");
  const viewer: ViewerRef = {
    tenantId: ctx.tenantId,
    user: actingUser(ctx, input.userId),
    sessionExternalId: input.sessionId ?? null,
    projectExternalId: input.projectId ?? null,
    includeGroups: input.includeGroups,
  };
  const span: Span = {
    from: input.from === undefined ? null : toMillis(input.from),
    to: input.to === undefined ? null : toMillis(input.to),
  };
  const question = queryTerms(input.query);
  const asksForTime = input.strategy === "recent" || input.strategy === "exact" || question.terms.length === 0;
  if (asksForTime) return await searchRecent(ctx, { input, viewer, span });

  const proposals = await propose(ctx, { input, viewer, span, question });
  requirePlace(proposals.scope, input);
  const ids = [...new Set([...proposals.text.ranked, ...proposals.semantic].map(({ id }) => id))];
  const admitted = await admit(ctx, viewer, { ids, span });
  const ranked = rank(ctx, { input, question, proposals, admitted });
  return toAnswer({ input, ranked, model: ctx.embedder.model, ...proposals, found: proposals.text.found });
}

async function searchRecent(
  ctx: SearchCtx,
  { input, viewer, span }: { input: SearchInput; viewer: ViewerRef; span: Span },
): Promise<SearchView> {
  const [found, moved] = await runBatch(ctx, findScope(ctx, viewer));
  const scope = toScope(found, moved);
  requirePlace(scope, input);
  const admitted = await admitRecent(ctx, viewer, { limit: input.limit, span });
  const ranked = admitted.map((chunk, i): RankedHit => {
    const score = 1 / (i + 1);
    return { ...chunk, score, factors: [], similar: [], channels: { recent: { rank: i + 1, score } } };
  });
  const recent: SearchInput = { ...input, strategy: "recent" };
  return toAnswer({ input: recent, ranked, model: ctx.embedder.model, scope, degraded: [], queryEmbedding: "unused", found: [] });
}

/** Naming a session or project in which one has no part is answered like naming one that does not exist. */
function requirePlace(scope: VectorScope | null, input: SearchInput): void {
  if (scope !== null && scope.pool !== "none") return;
  if (input.sessionId !== undefined) throw notFound("session");
  if (input.projectId !== undefined) throw notFound("project");
}

type Asked = { input: SearchInput; viewer: ViewerRef; span: Span; question: QueryAnalysis };

async function propose(ctx: SearchCtx, asked: Asked): Promise<Proposals> {
  const { input, question } = asked;
  const wantsText = input.strategy !== "semantic";
  const asksModel = input.strategy === "semantic" || (input.strategy === "hybrid" && ctx.embedder.nature === "semantic");
  const embedding = asksModel ? orDegraded(ctx, embedQuery(ctx, input.query)) : null;
  const { scope, postings, textFailed } = await proposeInDatabase(ctx, asked, wantsText);
  const text = rankPostings(postings, wantsText ? question.terms : [], MAX_CANDIDATES);
  const degraded: Proposals["degraded"] = textFailed ? [{ channel: "text", reason: "failed" }] : [];
  const nothing: Proposals = { text, semantic: [], scope, queryEmbedding: "unused", degraded };

  const fillsUp = input.strategy === "hybrid" && ctx.embedder.nature === "lexical" && text.ranked.length < input.limit;
  if (scope === null || (embedding === null && !fillsUp)) return nothing;
  const embedded = await (embedding ?? orDegraded(ctx, embedQuery(ctx, input.query)));
  if (!embedded.ok) return { ...nothing, degraded: [...degraded, { channel: "semantic", reason: embedded.reason }] };
  const queryEmbedding = embedded.value.cached ? "cached" : "computed";
  const nearest = await orDegraded(
    ctx,
    proposeVectors(ctx, { vector: embedded.value.vector, scope, span: asked.span, topK: TOP_K }),
  );
  if (!nearest.ok)
    return { ...nothing, queryEmbedding, degraded: [...degraded, { channel: "semantic", reason: nearest.reason }] };
  const floor = ctx.embedder.nature === "lexical" ? LEXICAL_FLOOR : -1;
  return { ...nothing, queryEmbedding, semantic: nearest.value.filter(({ score }) => score >= floor) };
}

type DatabaseProposal = { scope: VectorScope | null; postings: StatementResult | undefined; textFailed: boolean };

/** The first round trip. If the text index itself fails, the batch fails with it: then the viewer is looked up alone. */
async function proposeInDatabase(
  ctx: SearchCtx,
  { viewer, question, span }: Asked,
  wantsText: boolean,
): Promise<DatabaseProposal> {
  const scopeOnly = findScope(ctx, viewer);
  if (!wantsText) {
    const [found, moved] = await runBatch(ctx, scopeOnly);
    return { scope: toScope(found, moved), postings: undefined, textFailed: false };
  }
  try {
    const [found, moved, postings] = await runBatch(ctx, [
      ...scopeOnly,
      findPostings(ctx, viewer, { terms: question.terms, span }),
    ]);
    return { scope: toScope(found, moved), postings, textFailed: false };
  } catch (error) {
    ctx.log("search.degraded", { channel: "text", ...describeError(error) });
    const [found, moved] = await runBatch(ctx, findScope(ctx, viewer));
    return { scope: toScope(found, moved), postings: undefined, textFailed: true };
  }
}

/** Fuses the channels' rankings of what was admitted, and lets one hit stand for those that say the same. */
function rank(
  ctx: SearchCtx,
  found: { input: SearchInput; question: QueryAnalysis; proposals: Proposals; admitted: readonly AdmittedChunk[] },
): RankedHit[] {
  const { input, question, proposals, admitted } = found;
  const byId = new Map(admitted.map((chunk) => [chunk.id, chunk]));
  const candidates = proposals.text.ranked.flatMap(({ id, score, parts }) => {
    const chunk = byId.get(id);
    return chunk === undefined ? [] : [{ ...chunk, score, terms: parts.terms }];
  });
  const refined = refine(question, candidates, { adjust: input.adjust, now: ctx.now() });
  const factors = new Map<number, Factor[]>(refined.map((candidate) => [candidate.id, candidate.factors]));
  const semantic = proposals.semantic.filter(({ id }) => byId.has(id));
  const channels: Channel[] = [
    { name: "text", weight: 1, ranked: refined, scale: { nothing: 0, everything: proposals.text.ideal } },
    { name: "semantic", weight: SEMANTIC_WEIGHT[ctx.embedder.nature], ranked: semantic, scale: ownScale(proposals.semantic) },
  ];
  const place = ctx.embedder.nature === "semantic" ? Math.min(SEMANTIC_PLACE, input.limit - 1) : Number.POSITIVE_INFINITY;
  const fused = withBestOf(fuse(channels), "semantic", place).flatMap(({ id, score, channels: ranks }) => {
    const chunk = byId.get(id);
    return chunk === undefined ? [] : [{ ...chunk, score, factors: factors.get(id) ?? [], channels: ranks }];
  });
  return diversify(fused, input.limit);
}
