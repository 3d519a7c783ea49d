import { toIso } from "#core/fields";
import { estimateTokens } from "#core/text/estimate-tokens";
import type { AdmittedChunk } from "./admit.ts";
import type { VectorScope } from "./propose-vectors.ts";
import { withinBudget } from "./rank/budget.ts";
import type { Factor } from "./rank/refine.ts";
import type { HitView, SearchInput, SearchView } from "./schemas.ts";

export type RankedHit = AdmittedChunk & {
  score: number;
  factors: readonly Factor[];
  similar: readonly number[];
  channels: Record<string, { rank: number; score: number }>;
};

type Found = Pick<SearchView, "degraded"> & {
  input: SearchInput;
  ranked: readonly RankedHit[];
  scope: VectorScope | null;
  queryEmbedding: "cached" | "computed" | "unused";
  found: readonly { term: string; found: number }[];
  /** The embedder in use. */
  model: string;
};

/** Cuts to the limit and the budget and shows what is left, explained if asked. */
export function toAnswer({ input, ranked, scope, degraded, queryEmbedding, found, model }: Found): SearchView {
  const sized = ranked.slice(0, input.limit).map((hit) => ({ ...hit, tokens: estimateTokens(hit.text) }));
  const taken = withinBudget(sized, input.maxTokens);
  const pool = scope?.pool ?? "none";
  return {
    hits: taken.map((hit, i) => toHit(hit, { citation: `[M${i + 1}]`, explain: input.explain, model })),
    strategy: input.strategy === "exact" ? "recent" : input.strategy,
    degraded,
    tokens: { used: taken.reduce((sum, hit) => sum + hit.tokens, 0), budget: input.maxTokens, estimated: true },
    ...(input.explain
      ? { explain: { viewer: { pool, rule: scope?.rule ?? "unknown_user" }, terms: [...found], queryEmbedding } }
      : {}),
  };
}

function toHit(hit: RankedHit & { tokens: number }, shown: { citation: string; explain: boolean; model: string }): HitView {
  return {
    id: hit.episodeId,
    kind: "episode",
    citation: shown.citation,
    text: hit.text,
    passage: { start: hit.start, end: hit.end },
    message: { index: hit.index, messageId: hit.messageId, role: hit.role, speaker: hit.speaker },
    sessionId: hit.sessionId,
    projectId: hit.projectId,
    occurredAt: toIso(hit.occurredAt),
    score: hit.score,
    indexed: { text: true, vector: hit.vectorModel === shown.model },
    ...(shown.explain
      ? {
          explain: {
            channels: hit.channels,
            factors: [...hit.factors],
            visibleBy: hit.visibleBy,
            similar: hit.similar.length,
            tokens: hit.tokens,
          },
        }
      : {}),
  };
}
