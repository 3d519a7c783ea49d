import type { Ctx } from "#context";
import { cutHits } from "#core/rank/cut";
import {
  type Channel,
  diversify,
  type Fused,
  fuseWordsAndVectors,
  keyOf,
  newerFirst,
  ownScale,
  type Ref,
  type Scored,
} from "#core/rank/ranking";
import { readingOf } from "#domain/embedding";
import { peopleIn } from "#domain/memories";
import { boost, type Candidate } from "./boost.ts";
import { headingOf } from "./find-chunks.ts";
import { type Found, type HitRef, type RankedHit, timeOf, type WordHit } from "./hit.ts";
import { knowsWords } from "./need/asked.ts";
import { neededOf } from "./need/needed-of.ts";
import { cutDocuments, orderDocuments } from "./order-documents.ts";
import type { Asked } from "./read-question.ts";
import type { Candidates } from "./retrieve-candidates.ts";

type Ranking = { asked: Asked; candidates: Candidates; found: readonly Found[] };

/** Fuses the channels' rankings of the visible hits, and leaves out repetitions and, if asked, memories that add nothing. */
export function rankHits(ctx: Ctx<"now" | "embedder">, { asked, candidates, found }: Ranking): RankedHit[] {
  const { input, question } = asked;
  const visible = new Map(found.map((hit) => [keyOf(hit), hit]));
  const ties = byContent(visible);
  const worded = boost(
    question,
    candidates.text.ranked.flatMap((candidate) => toCandidate(candidate, visible.get(keyOf(candidate))) ?? []),
    { adjust: input.adjust, now: ctx.now() },
  ).sort((a, b) => b.score - a.score || ties(a, b));
  const factors = new Map(worded.map((candidate) => [keyOf(candidate), candidate.factors]));
  const { nature } = readingOf(ctx, input.query);
  const all = fuseWordsAndVectors<HitRef>({
    words: { ranked: worded, ideal: candidates.text.ideal },
    vectors: nearest(ctx, { asked, candidates, visible, ties }),
    ...{ nature, limit: input.limit, ties },
  }).filter((entry) => visible.has(keyOf(entry)));
  const fused = nature === "lexical" ? all : orderDocuments(all, candidates.text.ideal);
  const kept = input.cut ? withoutIdle(ctx, { asked, candidates, visible, fused }) : fused;
  const ranked = kept.flatMap((entry) => {
    const hit = visible.get(keyOf(entry));
    if (hit === undefined) return [];
    return [{ ...hit, score: entry.score, factors: factors.get(keyOf(entry)) ?? [], channels: entry.channels }];
  });
  return firstOfKinds(diversify(ranked, Math.max(ranked.length, 1), whoseWords), asked);
}

function firstOfKinds(ranked: readonly RankedHit[], { limits }: Asked): RankedHit[] {
  const counts = { episode: 0, memory: 0, chunk: 0 };
  return ranked
    .filter(({ kind }) => {
      counts[kind] += 1;
      return counts[kind] <= limits.ofKind;
    })
    .slice(0, limits.all);
}

type Visible = ReadonlyMap<string, Found>;
type Order = (a: Ref, b: Ref) => number;

/**
 * The order of equal scores: the newer first, then by the text. Ids come last, because they follow the order in which rows happened to be
 * written.
 */
function byContent(visible: Visible): Order {
  return (a, b) => {
    const [one, other] = [visible.get(keyOf(a)), visible.get(keyOf(b))];
    if (one === undefined || other === undefined) return newerFirst(a, b);
    const later = timeOf(other) - timeOf(one);
    if (later !== 0) return later;
    return one.text === other.text ? newerFirst(a, b) : one.text < other.text ? -1 : 1;
  };
}

/** Whom the words of a hit are about: the same words of two speakers, or about two people, are two statements. "": the viewer. */
function whoseWords(hit: Found): string {
  if (hit.kind === "episode") return hit.saidBy?.isViewer === true ? "" : (hit.speaker ?? "");
  if (hit.kind === "chunk") return `document ${headingOf(hit)}`;
  const { about, saidBy } = peopleIn(hit.memory, hit.memory.visibilityReason);
  const people = about.length === 0 && saidBy !== null ? [saidBy] : about;
  return people.map(({ isReader, name, id }) => (isReader ? "" : name || id)).join(" ");
}

/** A question for everything that is known has no part that could be covered. */
function cuts({ input, question }: Asked): boolean {
  return input.cut && !question.aboutSelf;
}

type Cutting = { asked: Asked; candidates: Candidates; visible: Visible; fused: readonly Fused<HitRef>[] };

/** Memories that the question does not need, and documents that have little of it, are left out; passages of talk stay. */
function withoutIdle(ctx: Ctx<"embedder">, cutting: Cutting): Fused<HitRef>[] {
  const { asked, candidates, fused } = cutting;
  const { nature, cosines } = readingOf(ctx, asked.input.query);
  const kept = cutDocuments(fused, { ideal: candidates.text.ideal, cosines: nature === "lexical" ? null : cosines });
  return cuts(asked) ? withoutIdleMemories(ctx, { ...cutting, fused: kept }) : kept;
}

/** Memories that the question does not need are left out. */
function withoutIdleMemories(ctx: Ctx<"embedder">, { asked, candidates, visible, fused }: Cutting): Fused<HitRef>[] {
  const { query } = asked.input;
  const { nature } = readingOf(ctx, query);
  const { cosines, words: meanings } = ctx.embedder;
  const worded = new Map(candidates.text.ranked.map((hit) => [keyOf(hit), hit]));
  const near = new Map(candidates.semantic.map((ref) => [keyOf(ref), ref.score]));
  const memories = fused
    .filter(({ kind }) => kind === "memory")
    .map((entry) => {
      const { terms = [], isAboutNamed = false } = worded.get(keyOf(entry)) ?? {};
      const found = new Set(asked.question.terms.flatMap(({ term }, i) => ((terms[i] ?? 0) > 0 ? [term] : [])));
      const cosine = near.get(keyOf(entry)) ?? null;
      return { entry, terms, isAboutNamed, found, cosine, text: visible.get(keyOf(entry))?.text ?? "" };
    });
  const isLearned = meanings !== undefined && nature !== "lexical" && near.size > 0 && knowsWords(query, meanings);
  const kept = isLearned
    ? neededOf(memories, { query, cosines, meanings })
    : cutHits(memories, { ideal: candidates.text.ideal, cosines: nature === "lexical" ? null : cosines });
  const stays = new Set(kept.map(({ entry }) => entry));
  return fused.filter((entry) => entry.kind !== "memory" || stays.has(entry));
}

/**
 * The visible hits that vectors found, best first. What has no word of the question needs the model's floor. For a lexical embedder the
 * texts themselves are compared, because features that share a dimension of its vectors make some scores too low and raise others above the
 * floor.
 */
function nearest(
  ctx: Ctx<"embedder">,
  { asked, candidates, visible, ties }: { asked: Asked; candidates: Candidates; visible: Visible; ties: Order },
): Pick<Channel<HitRef>, "ranked" | "scale"> {
  const best = (a: Scored, b: Scored) => b.score - a.score || ties(a, b);
  const seen = candidates.semantic.flatMap((candidate) => {
    const hit = visible.get(keyOf(candidate));
    return hit === undefined ? [] : [{ candidate, hit }];
  });
  const { nature, cosines, similarities } = readingOf(ctx, asked.input.query);
  if (nature !== "lexical" || similarities === undefined) {
    const worded = new Set(candidates.text.ranked.map(keyOf));
    const isNear = (ref: Scored<HitRef>) => ref.score >= cosines.floor || worded.has(keyOf(ref));
    // A cut decides about memories by more than their cosine.
    const ranked = seen.map(({ candidate }) => candidate).filter((ref) => isNear(ref) || (cuts(asked) && ref.kind === "memory"));
    return { ranked: ranked.sort(best), scale: ownScale(candidates.semantic) };
  }
  const compared = similarities(
    asked.input.query,
    seen.map(({ hit }) => embeddedText(hit)),
  );
  const ranked = seen
    .map(({ candidate }, i): Scored<HitRef> => ({ ...candidate, score: likeness(asked, compared[i]) }))
    .filter(({ score }) => score >= cosines.floor)
    .sort(best);
  return { ranked, scale: ownScale(ranked) };
}

/** A text that contains half of the query is like it, however much else it says: a paragraph is found by its own words. */
const CONTAINED = 0.5;

/** Beside the ranking by words only the cosine counts, because that ranking knows what a text contains. */
function likeness({ strategy }: Asked, { cosine, contained } = { cosine: 0, contained: 0 }): number {
  return strategy === "semantic" && contained >= CONTAINED ? Math.max(cosine, contained) : cosine;
}

/** The text that was embedded: an episode's words with the speaker's name, a document's with its headings. */
function embeddedText(hit: Found): string {
  if (hit.kind === "chunk") return [hit.headings.join(" > "), hit.text].filter(Boolean).join("\n");
  return hit.kind === "episode" && hit.speaker !== null ? `${hit.speaker}: ${hit.text}` : hit.text;
}

/** A match by words in the form that the factors need; null if the viewer may not see it. */
function toCandidate({ score, terms, isAboutNamed }: WordHit, hit: Found | undefined): Candidate | null {
  if (hit === undefined) return null;
  if (hit.kind === "episode") return { ...hit, score, terms };
  if (hit.kind === "chunk") return { kind: hit.kind, id: hit.id, score, terms, heading: headingOf(hit) };
  const { kind, id, memory } = hit;
  const { type, confidence, seenCount, lastSeenAt } = memory;
  return { kind, id, score, isAboutNamed, type, confidence, seenCount, lastSeenAt };
}
