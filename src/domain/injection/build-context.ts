import type { Ctx } from "#context";
import { requirePermission } from "#core/permission";
import { type HitView, search } from "#domain/retrieval";
import { getSettings } from "#domain/settings";
import { countUsage } from "#domain/usage";
import type { ChatTurn } from "./inject.ts";
import { queryOf, shortened, textOf } from "./read-turns.ts";
import type { ContextInput, ContextView, ItemView } from "./schemas.ts";
import { type Candidate, writeBlock } from "./write-block.ts";

type ContextCtx = Ctx<"db" | "now" | "embedder" | "vectors" | "caches" | "log" | "defer">;

/** The input, with messages of any shape. */
export type ContextQuery = Omit<ContextInput, "messages"> & { messages?: readonly ChatTurn[] | undefined };

export type ContextOptions = {
  /** For a chat that may be about to begin: a session that nobody has made yet is the user's own, and where they have no part nothing is told. */
  orNoSession?: boolean;
};

/**
 * What is worth knowing before the next reply, as a block to put before the conversation. It is found by `search`, so nothing is in it that
 * the viewer may not hear. 404 for a session or project in which they have no part; an unknown user is told nothing.
 */
export async function buildContext(ctx: ContextCtx, input: ContextQuery, _options: ContextOptions = {}): Promise<ContextView> {
  requirePermission(ctx.actor, "read");
  const settings = await getSettings(ctx);
  const budget = input.maxTokens ?? settings.maxTokens;
  if (!settings.enabled || budget === 0) return nothing(budget, settings.enabled ? "on" : "off");
  const query = input.messages === undefined ? shortened(input.query ?? "") : queryOf(input.messages);
  const { query: _, messages, maxTokens: __, kinds, ...asked } = input;
  const found = await search(ctx, {
    ...asked,
    query,
    reach: "tenant",
    adjust: true,
    maxTokens: Number.MAX_SAFE_INTEGER,
    ...(kinds === undefined ? {} : { kinds: kinds.filter((kind) => kind !== "entity") }),
  });
  const candidates = found.hits.map((hit) => candidateOf(hit, settings.skillsEnabled));
  const block = writeBlock(candidates, { maxTokens: budget, limit: input.limit, conversation: (messages ?? []).map(textOf) });
  ctx.defer(() =>
    countUsage(ctx, { contexts: 1, contextsWithItems: block.items.length === 0 ? 0 : 1, tokensInjected: block.tokens }),
  );
  return {
    block: block.text,
    items: block.items.map((item, i) => toItem(item, i + 1, input.explain)),
    tokens: { used: block.tokens, budget, estimated: true },
    memory: "on",
    degraded: found.degraded,
    ...(input.explain ? { explain: { query, search: found.explain, leftOut: block.leftOut } } : {}),
  };
}

function nothing(budget: number, memory: "on" | "off"): ContextView {
  return { block: "", items: [], tokens: { used: 0, budget, estimated: true }, memory, degraded: [] };
}

type HitCandidate = Candidate & { hit: HitView };

function candidateOf(hit: HitView, skillsEnabled: boolean): HitCandidate {
  const { kind, id, text, occurredAt, message, memory } = hit;
  return {
    hit,
    kind,
    id,
    text,
    occurredAt,
    type: memory?.type ?? null,
    saidBy: message === null ? null : (message.speaker ?? message.role),
    about: [],
    episodeId: memory === null ? id : (memory.learnedIn?.episodeId ?? null),
    isInstruction: skillsEnabled && memory?.type === "procedural",
  };
}

function toItem({ hit }: HitCandidate, number: number, explains: boolean): ItemView {
  const { kind, id, text, occurredAt, message, sessionId, score, explain } = hit;
  return {
    citation: `[M${number}]`,
    kind,
    id,
    text,
    occurredAt,
    role: message?.role ?? null,
    speaker: message?.speaker ?? null,
    sessionId,
    score,
    ...(explains && explain !== undefined
      ? { explain: { channels: explain.channels, factors: explain.factors, visibleBy: explain.visibleBy } }
      : {}),
  };
}
