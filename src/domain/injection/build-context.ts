import type { Ctx } from "#context";
import { requirePermission } from "#core/permission";
import { type Searched, searchFor } from "#domain/retrieval";
import { getSettings } from "#domain/settings";
import { countUsage } from "#domain/usage";
import { type HitCandidate, toCandidates } from "./candidates.ts";
import type { ChatTurn } from "./inject.ts";
import { queryOf, shortened, textOf } from "./read-turns.ts";
import type { ContextInput, ContextView, ItemView } from "./schemas.ts";
import { type Block, writeBlock } from "./write-block.ts";

type ContextCtx = Ctx<"db" | "now" | "embedder" | "vectors" | "caches" | "log" | "defer">;

/** The input, with messages of any shape. */
export type ContextQuery = Omit<ContextInput, "messages"> & { messages?: readonly ChatTurn[] | undefined };

/** More is looked for than is told, because what the conversation says already is left out. */
const SPARE = 20;
const MAX_HITS = 100;

/**
 * What is worth knowing before the next reply, as a block to put before the conversation. It is found by `search`, so nothing is in it that
 * the viewer may not hear, and of other projects than theirs nothing at all. Two sequential round trips to D1. 404 for a session or
 * project in which they have no part, whether or not there is one; an unknown user is told nothing.
 */
export async function buildContext(ctx: ContextCtx, input: ContextQuery): Promise<ContextView> {
  requirePermission(ctx.actor, "read");
  const settings = await getSettings(ctx);
  const budget = input.maxTokens ?? settings.maxTokens;
  if (!settings.enabled || budget === 0) return nothing(budget, settings.enabled ? "on" : "off");
  const query = input.messages === undefined ? shortened(input.query ?? "") : queryOf(input.messages);
  const found = await look(ctx, input, query);
  const { skillsEnabled } = settings;
  const block = writeBlock(toCandidates(found.answer.hits, { ...found, skillsEnabled, includeGroups: input.includeGroups }), {
    maxTokens: budget,
    limit: input.limit,
    conversation: (input.messages ?? []).map(textOf),
  });
  found.recall(block.items.map(({ id }) => id));
  const isOfUse = block.items.length > 0;
  ctx.defer(() => countUsage(ctx, { contexts: 1, contextsWithItems: isOfUse ? 1 : 0, tokensInjected: block.tokens }));
  return toView(block, { input, query, budget, found });
}

async function look(ctx: ContextCtx, input: ContextQuery, query: string): Promise<Searched> {
  const { messages: _, maxTokens: __, kinds, limit, ...place } = input;
  return await searchFor(
    ctx,
    {
      ...place,
      query,
      kinds: (kinds ?? ["memory", "episode"]).filter((kind) => kind !== "entity"),
      reach: "tenant",
      adjust: true,
      limit: Math.min(MAX_HITS, 2 * limit + SPARE),
      // The block has a budget of its own, which counts its frame.
      maxTokens: Number.MAX_SAFE_INTEGER,
    },
    { ownProjectOnly: true },
  );
}

function nothing(budget: number, memory: "on" | "off"): ContextView {
  return { block: "", items: [], tokens: { used: 0, budget, estimated: true }, memory, degraded: [] };
}

function toView(
  block: Block<HitCandidate>,
  of: { input: ContextQuery; query: string; budget: number; found: Searched },
): ContextView {
  const { explain } = of.input;
  return {
    block: block.text,
    items: block.items.map((item, i) => toItem(item, i + 1, explain)),
    tokens: { used: block.tokens, budget: of.budget, estimated: true },
    memory: "on",
    degraded: of.found.answer.degraded,
    ...(explain ? { explain: { query: of.query, search: of.found.answer.explain, leftOut: block.leftOut } } : {}),
  };
}

function toItem({ hit, speaker }: HitCandidate, number: number, explains: boolean): ItemView {
  const { kind, id, text, occurredAt, message, sessionId, score, explain } = hit;
  return {
    citation: `[M${number}]`,
    ...{ kind, id, text, occurredAt },
    role: message?.role ?? null,
    speaker,
    sessionId,
    score,
    ...(explains && explain !== undefined
      ? { explain: { channels: explain.channels, factors: explain.factors, visibleBy: explain.visibleBy } }
      : {}),
  };
}
