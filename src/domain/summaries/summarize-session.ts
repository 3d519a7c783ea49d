import type { Ctx, Services } from "#context";
import { AppError } from "#core/errors";
import { commitUnlessLost } from "#domain/audit";
import { getSettings, wantsModel } from "#domain/settings";
import { type Beyond, dropOutdated, type EpisodeToSummarize, loadBeyond, loadSurroundings } from "./load-episodes.ts";
import type { SessionToSummarize } from "./load-session.ts";
import { partsOf } from "./parts.ts";
import { markWithoutContent, type StoreCtx, storeSummary } from "./store-summary.ts";
import { type WrittenSummary, writeSummary } from "./write-summary.ts";

export type SummarizeCtx = StoreCtx & Ctx<"chatModel">;

/** Summaries that one call writes: an answer of a model takes seconds. */
const PARTS = { model: 2, sentences: 5 };
/** How often a part that others change at the same moment is read again. */
const MAX_RACES = 3;

type Options = Beyond & {
  dryRun: boolean;
  /** Fewer tokens are left until there are more; 0 for none. */
  leastTokens: number;
  /** The most episodes; null for any number. */
  limit: number | null;
};

export type SummarizedPart = {
  id: string | null;
  episodes: readonly EpisodeToSummarize[];
  summary: WrittenSummary;
  asksModel: boolean;
};

export type Summarized = { parts: SummarizedPart[]; withoutContent: number; remaining: boolean };

/**
 * Summarizes the oldest episodes of a session beyond the budget that no summary covers yet, a few parts at a time. Before, summaries that
 * state something which was replaced since are dropped, and so written anew.
 * @throws conflict if others keep changing the same episodes.
 * @throws upstream_failed, misconfigured if the chat model cannot be asked: nothing of that part is stored.
 */
export async function summarizeSession(ctx: SummarizeCtx, session: SessionToSummarize, options: Options): Promise<Summarized> {
  const model = await chatModelOf(ctx);
  if (!options.dryRun) await rewriteOutdated(ctx, session);
  const most = model === null ? PARTS.sentences : PARTS.model;
  const done: Summarized = { parts: [], withoutContent: 0, remaining: false };
  const skipped = new Set<number>();
  for (let rounds = 0, races = 0; ; rounds += 1) {
    const { episodes, hasMore } = await loadBeyond(ctx, session, options);
    const open = episodes.filter(({ id }) => !skipped.has(id));
    const tokens = open.reduce((sum, one) => sum + one.tokens, 0);
    const isDue = options.due !== null && open.some(({ createdAt }) => createdAt < (options.due ?? 0));
    const room = options.limit === null ? open.length : options.limit - countOf(done);
    const [part] = partsOf(open.slice(0, Math.max(0, room)));
    if (open.length === 0 || (tokens < options.leastTokens && !hasMore && !isDue)) return { ...done, remaining: hasMore };
    if (part === undefined || rounds - races === most) return { ...done, remaining: true };
    const outcome = await summarizePart(ctx, { session, episodes: part, model, dryRun: options.dryRun });
    if (outcome === "lost") {
      races += 1;
      if (races === MAX_RACES)
        throw new AppError("conflict", "These episodes are being changed by others at the same moment. Try again.");
      continue;
    }
    if (options.dryRun) for (const { id } of part) skipped.add(id);
    if (outcome === "nothing") done.withoutContent += part.length;
    else done.parts.push({ ...outcome, episodes: part });
  }
}

function countOf({ parts, withoutContent }: Summarized): number {
  return parts.reduce((sum, { episodes }) => sum + episodes.length, withoutContent);
}

async function chatModelOf(ctx: SummarizeCtx): Promise<Services["chatModel"]> {
  return wantsModel(await getSettings(ctx)) ? ctx.chatModel : null;
}

async function rewriteOutdated(ctx: SummarizeCtx, session: SessionToSummarize): Promise<void> {
  const statements = await dropOutdated(ctx, session);
  if (statements.length === 0) return;
  const audit = [{ action: "summaries.outdated", objectId: session.publicId, userId: session.writerId, detail: {} }];
  await commitUnlessLost(ctx, { statements, audit });
}

type Outcome = Omit<SummarizedPart, "episodes"> | "nothing" | "lost";

async function summarizePart(
  ctx: SummarizeCtx,
  of: { session: SessionToSummarize; episodes: readonly EpisodeToSummarize[]; model: Services["chatModel"]; dryRun: boolean },
): Promise<Outcome> {
  const { session, episodes, model, dryRun } = of;
  const part = { session, episodes, surroundings: await loadSurroundings(ctx, episodes) };
  const summary = session.writer === null || !session.mayEnter ? null : await writeSummary(dryRun ? null : model, part);
  if (dryRun) return summary === null ? "nothing" : { id: null, summary, asksModel: model !== null };
  if (summary === null || session.writer === null) return (await markWithoutContent(ctx, part)) === "lost" ? "lost" : "nothing";
  try {
    const id = await storeSummary(ctx, { ...part, writer: session.writer }, summary);
    return { id, summary, asksModel: model !== null };
  } catch (error) {
    if (error instanceof AppError && error.code === "conflict") return "lost";
    throw error;
  }
}
