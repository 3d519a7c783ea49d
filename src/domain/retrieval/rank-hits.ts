import type { Ctx } from "#context";
import { bestFirst, type Channel, diversify, fuseWordsAndVectors, keyOf, ownScale, type Scored } from "#core/rank/ranking";
import { boost, type Candidate } from "./boost.ts";
import type { Found, HitRef, RankedHit, WordHit } from "./hit.ts";
import type { Asked } from "./read-question.ts";
import { type Candidates, LEXICAL_FLOOR } from "./retrieve-candidates.ts";

/** Fuses the channels' rankings of the visible hits, and leaves out near-duplicates. */
export function rankHits(
  ctx: Ctx<"now" | "embedder">,
  { asked, candidates, found }: { asked: Asked; candidates: Candidates; found: readonly Found[] },
): RankedHit[] {
  const { input, question } = asked;
  const visible = new Map(found.map((hit) => [keyOf(hit), hit]));
  const worded = boost(
    question,
    candidates.text.ranked.flatMap((candidate) => toCandidate(candidate, visible.get(keyOf(candidate))) ?? []),
    { adjust: input.adjust, now: ctx.now() },
  );
  const factors = new Map(worded.map((candidate) => [keyOf(candidate), candidate.factors]));
  const fused = fuseWordsAndVectors<HitRef>({
    words: { ranked: worded, ideal: candidates.text.ideal },
    vectors: nearest(ctx, { asked, candidates, visible }),
    nature: ctx.embedder.nature,
    limit: input.limit,
  }).flatMap((entry) => {
    const hit = visible.get(keyOf(entry));
    if (hit === undefined) return [];
    return [{ ...hit, score: entry.score, factors: factors.get(keyOf(entry)) ?? [], channels: entry.channels }];
  });
  return diversify(fused, input.limit);
}

type Visible = ReadonlyMap<string, Found>;

/**
 * The visible hits that vectors found, best first. For a lexical embedder the texts themselves are compared, because features that share a
 * dimension of its vectors make some scores too low and raise others above the floor.
 */
function nearest(
  ctx: Ctx<"embedder">,
  { asked, candidates, visible }: { asked: Asked; candidates: Candidates; visible: Visible },
): Pick<Channel<HitRef>, "ranked" | "scale"> {
  const seen = candidates.semantic.flatMap((candidate) => {
    const hit = visible.get(keyOf(candidate));
    return hit === undefined ? [] : [{ candidate, hit }];
  });
  if (ctx.embedder.nature !== "lexical" || ctx.embedder.similarities === undefined)
    return { ranked: seen.map(({ candidate }) => candidate), scale: ownScale(candidates.semantic) };
  const scores = ctx.embedder.similarities(
    asked.input.query,
    seen.map(({ hit }) => embeddedText(hit)),
  );
  const ranked = seen
    .map(({ candidate }, i): Scored<HitRef> => ({ ...candidate, score: scores[i] ?? 0 }))
    .filter(({ score }) => score >= LEXICAL_FLOOR)
    .sort(bestFirst);
  return { ranked, scale: ownScale(ranked) };
}

/** The text that was embedded: an episode's words with the speaker's name. */
function embeddedText(hit: Found): string {
  return hit.kind === "episode" && hit.speaker !== null ? `${hit.speaker}: ${hit.text}` : hit.text;
}

/** A match by words in the form that the factors need; null if the viewer may not see it. */
function toCandidate({ score, terms, isAboutNamed }: WordHit, hit: Found | undefined): Candidate | null {
  if (hit === undefined) return null;
  if (hit.kind === "episode") return { ...hit, score, terms };
  const { kind, id, memory } = hit;
  const { type, confidence, seenCount, lastSeenAt } = memory;
  return { kind, id, score, isAboutNamed, type, confidence, seenCount, lastSeenAt };
}
