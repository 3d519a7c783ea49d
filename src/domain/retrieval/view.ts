import { toIso } from "#core/fields";
import { withinBudget } from "#core/rank/ranking";
import { estimateTokens } from "#core/text/estimate-tokens";
import { toMemory } from "#domain/memories";
import type { ChunkRow, VisibleChunk } from "./find-chunks.ts";
import type { VisibleEpisode } from "./find-episodes.ts";
import type { VisibleMemory } from "./find-memories.ts";
import type { RankedHit } from "./hit.ts";
import type { WithCurrent } from "./put-current.ts";
import type { VectorScope } from "./retrieve-vectors.ts";
import type { HitView, SearchInput, SearchView } from "./schemas.ts";

type Answer = Pick<SearchView, "degraded" | "strategy"> & {
  input: Pick<SearchInput, "limit" | "explain"> & { maxTokens: number };
  ranked: readonly RankedHit[];
  heldBack: WithCurrent["heldBack"];
  scope: VectorScope | null;
  queryEmbedding: "cached" | "computed" | "unused";
  found: readonly { term: string; found: number }[];
  /** The embedder in use. */
  model: string;
};

/** Cuts to the limit and the budget. With `explain`, each hit says how it was found and ranked. */
export function toAnswer({
  input,
  ranked,
  heldBack,
  scope,
  degraded,
  queryEmbedding,
  found,
  model,
  strategy,
}: Answer): SearchView {
  const sized = ranked.slice(0, input.limit).map((hit) => ({ ...hit, tokens: estimateTokens(hit.text) }));
  const taken = withinBudget(sized, input.maxTokens);
  const pool = scope?.pool ?? "none";
  return {
    hits: toHits(taken, { explain: input.explain, model }),
    strategy,
    degraded,
    tokens: { used: taken.reduce((sum, hit) => sum + hit.tokens, 0), budget: input.maxTokens, estimated: true },
    ...(input.explain
      ? {
          explain: {
            ...{ viewer: { pool, rule: scope?.rule ?? "unknown_user" }, terms: [...found], queryEmbedding },
            leftOut: heldBack.map(({ hit, by }) => ({ ...toHitId(hit), why: "replaced" as const, by })),
          },
        }
      : {}),
  };
}

/** Hits as the answer shows them, each with its citation by its place. */
export function toHits(hits: readonly RankedHit[], { explain, model }: { explain: boolean; model: string }): HitView[] {
  return hits.map((hit, i) => toHit(hit, { citation: `[M${i + 1}]`, explain, model }));
}

function toHit(hit: RankedHit, shown: { citation: string; explain: boolean; model: string }): HitView {
  return {
    ...ofKind(hit, shown.model),
    citation: shown.citation,
    content: hit.text,
    older: hit.older ?? null,
    score: hit.score,
    ...(shown.explain
      ? {
          explain: {
            channels: hit.channels,
            factors: [...hit.factors],
            visibleBy: hit.kind === "memory" ? hit.memory.visibilityReason : hit.visibleBy,
            similar: hit.similar,
            tokens: estimateTokens(hit.text),
          },
        }
      : {}),
  };
}

type HitId = Pick<HitView, "id" | "passage"> & { message: Pick<NonNullable<HitView["message"]>, "index"> | null };

/** Names a hit among others: the messages of an episode share its id, and so do the passages of a message. */
export function hitKey({ id, message, passage }: HitId): string {
  return message === null ? id : `${id} ${message.index} ${passage.start}`;
}

export function toHitId(hit: RankedHit): HitId {
  if (hit.kind === "memory") return { id: hit.memory.publicId, message: null, passage: { start: 0, end: hit.text.length } };
  if (hit.kind === "chunk") return { id: hit.publicId, message: null, passage: { start: hit.startAt, end: hit.endAt } };
  const { episodeId: id, index, start, end } = hit;
  return { id, message: { index }, passage: { start, end } };
}

type OfKind = Pick<
  HitView,
  "id" | "kind" | "passage" | "message" | "memory" | "document" | "sessionId" | "projectId" | "occurredAt" | "indexed"
>;

function ofKind(hit: RankedHit, model: string): OfKind {
  switch (hit.kind) {
    case "episode":
      return episodeHit(hit, model);
    case "memory":
      return memoryHit(hit, model);
    case "chunk":
      return chunkHit(hit, model);
  }
}

function episodeHit(hit: VisibleEpisode, model: string): OfKind {
  return {
    id: hit.episodeId,
    kind: "episode",
    passage: { start: hit.start, end: hit.end },
    message: {
      index: hit.index,
      messageId: hit.messageId,
      role: hit.role,
      userId: hit.saidBy?.userId ?? null,
      speaker: hit.speaker,
    },
    memory: null,
    document: null,
    sessionId: hit.sessionId,
    projectId: hit.projectId,
    occurredAt: toIso(hit.occurredAt),
    indexed: { text: true, vector: hit.vectorModel === model },
  };
}

function memoryHit({ memory: seen, text }: VisibleMemory, model: string): OfKind {
  const memory = toMemory(seen, { model, visibilityReason: seen.visibilityReason });
  return {
    id: memory.id,
    kind: "memory",
    passage: { start: 0, end: text.length },
    message: null,
    memory,
    document: null,
    sessionId: memory.learnedIn?.sessionId ?? null,
    projectId: null,
    occurredAt: memory.validFrom,
    indexed: memory.indexed,
  };
}

function chunkHit(hit: VisibleChunk, model: string): OfKind {
  return {
    id: hit.publicId,
    kind: "chunk",
    passage: { start: hit.startAt, end: hit.endAt },
    message: null,
    memory: null,
    document: toDocument(hit),
    sessionId: null,
    projectId: hit.project,
    occurredAt: toIso(hit.updatedAt),
    indexed: { text: true, vector: hit.vectorModel === model },
  };
}

/** Where a passage stands. */
export function toDocument(chunk: ChunkRow): NonNullable<HitView["document"]> {
  const { sourceId, source, fileId, path, title, page, headings } = chunk;
  return { sourceId, source, fileId, path, title, page, headings };
}
