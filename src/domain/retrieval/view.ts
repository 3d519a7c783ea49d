import { toIso } from "#core/fields";
import { estimateTokens } from "#core/text/estimate-tokens";
import { type SeenMemory, toMemory } from "#domain/memories";
import type { VisibleChunk } from "./load-visible.ts";
import type { Factor } from "./rank/boost.ts";
import { withinBudget } from "./rank/budget.ts";
import type { VectorScope } from "./retrieve-vectors.ts";
import type { HitView, SearchInput, SearchView } from "./schemas.ts";

/** A chunk under its id, or a memory under its id negated, so that no two hits have one. */
export type Found = (VisibleChunk & { memory: null }) | FoundMemory;
export type FoundMemory = { id: number; text: string; memory: SeenMemory };

export type RankedHit = Found & {
  score: number;
  factors: readonly Factor[];
  similar: readonly number[];
  channels: Record<string, { rank: number; score: number }>;
};

type Answer = Pick<SearchView, "degraded" | "strategy"> & {
  input: Pick<SearchInput, "limit" | "explain"> & { maxTokens: number };
  ranked: readonly RankedHit[];
  scope: VectorScope | null;
  queryEmbedding: "cached" | "computed" | "unused";
  found: readonly { term: string; found: number }[];
  /** The embedder in use. */
  model: string;
};

/** Cuts to the limit and the budget and shows what is left, explained if asked. */
export function toAnswer({ input, ranked, scope, degraded, queryEmbedding, found, model, strategy }: Answer): SearchView {
  const sized = ranked.slice(0, input.limit).map((hit) => ({ ...hit, tokens: estimateTokens(hit.text) }));
  const taken = withinBudget(sized, input.maxTokens);
  const pool = scope?.pool ?? "none";
  return {
    hits: taken.map((hit, i) => toHit(hit, { citation: `[M${i + 1}]`, explain: input.explain, model })),
    strategy,
    degraded,
    tokens: { used: taken.reduce((sum, hit) => sum + hit.tokens, 0), budget: input.maxTokens, estimated: true },
    ...(input.explain
      ? { explain: { viewer: { pool, rule: scope?.rule ?? "unknown_user" }, terms: [...found], queryEmbedding } }
      : {}),
  };
}

function toHit(hit: RankedHit & { tokens: number }, shown: { citation: string; explain: boolean; model: string }): HitView {
  return {
    ...(hit.memory === null ? episodeHit(hit, shown.model) : memoryHit(hit, shown.model)),
    citation: shown.citation,
    content: hit.text,
    score: hit.score,
    ...(shown.explain
      ? {
          explain: {
            channels: hit.channels,
            factors: [...hit.factors],
            visibleBy: hit.memory === null ? hit.visibleBy : hit.memory.visibilityReason,
            similar: hit.similar.length,
            tokens: hit.tokens,
          },
        }
      : {}),
  };
}

type OfKind = Pick<
  HitView,
  "id" | "kind" | "passage" | "message" | "memory" | "sessionId" | "projectId" | "occurredAt" | "indexed"
>;

function episodeHit(hit: VisibleChunk, model: string): OfKind {
  return {
    id: hit.episodeId,
    kind: "episode",
    passage: { start: hit.start, end: hit.end },
    message: {
      index: hit.index,
      messageId: hit.messageId,
      role: hit.role,
      userId: speakerIn(hit)?.userId ?? null,
      speaker: hit.speaker,
    },
    memory: null,
    sessionId: hit.sessionId,
    projectId: hit.projectId,
    occurredAt: toIso(hit.occurredAt),
    indexed: { text: true, vector: hit.vectorModel === model },
  };
}

/** A user as the message of a passage names them. */
export type NamedSpeaker = { userId: string; name: string; isViewer: boolean };

/** As SQL writes them. */
type SpeakerTuple = [userId: string, name: string, isViewer: number];

/** The user whom the message of a passage names as having said it. */
export function speakerIn({ saidBy }: Pick<VisibleChunk, "saidBy">): NamedSpeaker | null {
  if (saidBy === null) return null;
  const [userId, name, isViewer]: SpeakerTuple = JSON.parse(saidBy);
  return { userId, name, isViewer: isViewer === 1 };
}

function memoryHit({ memory: seen, text }: FoundMemory, model: string): OfKind {
  const memory = toMemory(seen, { model, visibilityReason: seen.visibilityReason });
  return {
    id: memory.id,
    kind: "memory",
    passage: { start: 0, end: text.length },
    message: null,
    memory,
    sessionId: memory.learnedIn?.sessionId ?? null,
    projectId: null,
    occurredAt: memory.validFrom,
    indexed: memory.indexed,
  };
}
