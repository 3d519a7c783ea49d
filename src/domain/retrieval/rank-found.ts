import type { Ctx } from "#context";
import { type Channel, fuse, ownScale, withBestOf } from "#core/rank/fuse";
import type { AdmittedChunk } from "./admit.ts";
import type { Proposals } from "./propose.ts";
import { diversify } from "./rank/diversify.ts";
import { holds } from "./rank/id-list.ts";
import { type Factor, refine } from "./rank/refine.ts";
import { refineMemories } from "./rank/refine-memories.ts";
import type { Asked } from "./read-question.ts";
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
