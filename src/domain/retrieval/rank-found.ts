import type { Ctx } from "#context";
import { type Channel, fuse, ownScale, withBestOf } from "#core/rank/fuse";
import type { VisibleChunk } from "./load-visible.ts";
import { boost, type Factor } from "./rank/boost.ts";
import { boostMemories } from "./rank/boost-memories.ts";
import { diversify } from "./rank/diversify.ts";
import { holds } from "./rank/id-list.ts";
import type { Asked } from "./read-question.ts";
import { type Candidates, LEXICAL_FLOOR } from "./retrieve-candidates.ts";
import type { Found, FoundMemory, RankedHit } from "./view.ts";

/**
 * What vectors count beside words, whose score is 1 for a chunk that holds the whole question. Measured with all-MiniLM-L6-v2 on
 * LoCoMo (docs/benchmarks.md); a lexical vector adds nothing to a good lexical ranking, so it only fills up where words find too little.
 */
const SEMANTIC_WEIGHT = { semantic: 0.2, lexical: 0.05 };

/** The best of a real model's vectors is among the first eight hits, whatever words say: a paraphrase shares none. */
const SEMANTIC_PLACE = 7;

/** Fuses the channels' rankings of what was admitted, and lets one hit stand for those that say the same. */
export function rankFound(
  ctx: Ctx<"now" | "embedder">,
  found: { asked: Asked; candidates: Candidates; chunks: readonly VisibleChunk[]; memories: readonly FoundMemory[] },
): RankedHit[] {
  const { asked, candidates } = found;
  const { input, question } = asked;
  const options = { adjust: input.adjust, now: ctx.now() };
  const byId = new Map<number, Found>([
    ...found.chunks.map((chunk) => [chunk.id, { ...chunk, memory: null }] as const),
    ...found.memories.map((memory) => [memory.id, memory] as const),
  ]);
  const worded = [
    ...boost(question, chunkCandidates(candidates, byId), options).map(({ id, score, factors }) => ({ id, score, factors })),
    ...boostMemories(question, memoryCandidates(candidates, byId), options).map(({ id, score, factors }) => ({
      id: -id,
      score,
      factors,
    })),
  ].sort((a, b) => b.score - a.score);
  const factors = new Map<number, Factor[]>(worded.map((candidate) => [candidate.id, candidate.factors]));
  const semantic = nearest(ctx, { asked, candidates, byId });
  const channels: Channel[] = [
    { name: "text", weight: 1, ranked: worded, scale: { nothing: 0, everything: candidates.text.ideal } },
    { name: "semantic", weight: SEMANTIC_WEIGHT[ctx.embedder.nature], ranked: semantic.ranked, scale: semantic.scale },
  ];
  const place = ctx.embedder.nature === "semantic" ? Math.min(SEMANTIC_PLACE, input.limit - 1) : Number.POSITIVE_INFINITY;
  const fused = withBestOf(fuse(channels), "semantic", place).flatMap(({ id, score, channels: ranks }) => {
    const hit = byId.get(id);
    return hit === undefined ? [] : [{ ...hit, score, factors: factors.get(id) ?? [], channels: ranks }];
  });
  return diversify(fused, input.limit);
}

/**
 * What vectors found and the viewer may see, best first. A lexical embedder compares the texts themselves: features that share a
 * dimension of its vectors made some of the scores too low, and lifted others above the floor.
 */
function nearest(
  ctx: Ctx<"embedder">,
  { asked, candidates, byId }: { asked: Asked; candidates: Candidates; byId: ReadonlyMap<number, Found> },
): Pick<Channel, "ranked" | "scale"> {
  const seen = candidates.semantic.filter(({ id }) => byId.has(id));
  if (ctx.embedder.nature !== "lexical" || ctx.embedder.similarities === undefined)
    return { ranked: seen, scale: ownScale(candidates.semantic) };
  const scores = ctx.embedder.similarities(
    asked.input.query,
    seen.map(({ id }) => embeddedText(byId.get(id))),
  );
  const ranked = seen
    .map(({ id }, i) => ({ id, score: scores[i] ?? 0 }))
    .filter(({ score }) => score >= LEXICAL_FLOOR)
    .sort((a, b) => b.score - a.score || b.id - a.id);
  return { ranked, scale: ownScale(ranked) };
}

/** As it was embedded: the words of an episode go with their speaker's name. */
function embeddedText(found: Found | undefined): string {
  if (found === undefined) return "";
  return found.memory === null && found.speaker !== null ? `${found.speaker}: ${found.text}` : found.text;
}

function chunkCandidates({ text }: Candidates, byId: ReadonlyMap<number, Found>) {
  return text.chunks.flatMap(({ id, score, parts }) => {
    const chunk = byId.get(id);
    return chunk === undefined || chunk.memory !== null ? [] : [{ ...chunk, score, terms: parts.terms }];
  });
}

function memoryCandidates({ text, memories }: Candidates, byId: ReadonlyMap<number, Found>) {
  return text.memories.flatMap(({ id, score }) => {
    const memory = byId.get(-id)?.memory;
    if (memory === undefined || memory === null) return [];
    const { type, confidence, seenCount, lastSeenAt } = memory;
    return [{ id, score, type, confidence, seenCount, lastSeenAt, isAboutNamed: holds(memories.about, id) }];
  });
}
