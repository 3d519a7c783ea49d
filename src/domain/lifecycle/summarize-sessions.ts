import { z } from "zod";
import { describeError } from "#core/describe-error";
import { AppError } from "#core/errors";
import { readRows } from "#db/client";
import { readCursor, type Step } from "#domain/indexing";
import { getSettings } from "#domain/settings";
import { findNext, type SessionToSummarize, summarizeSession } from "#domain/summaries";
import { retainedSince } from "./retain.ts";
import { emptyStep, type PreparedStep, type UpkeepCtx } from "./step.ts";

/** Sessions that a step looks for, by what is known without reading their episodes, and those whose episodes it reads. */
const SESSIONS_A_STEP = 500;
const READ_A_STEP = 10;
/** So many tokens beyond the budget, or a quarter of it if that is less, are summarized together: not each new episode by itself. */
const LEAST_TOKENS = 1_000;

/** Behind the session with this internal id. */
const Cursor = z.object({ session: z.number().int() });

/**
 * Summarizes what sessions have beyond `summarizeAfterTokens`, and, where episodes expire, what retention is about to delete. Each summary is
 * stored by itself, because a model may be asked between. If the model cannot be reached, the round ends and the next one goes on.
 */
export async function summarizeSessions(
  ctx: UpkeepCtx,
  { cursor, limit }: Step,
  { dryRun }: { dryRun: boolean },
): Promise<PreparedStep> {
  const settings = await getSettings(ctx);
  const { summarizeAfterTokens: keepTokens, expireEpisodes } = settings;
  if (keepTokens === null) return emptyStep(null);
  const due = expireEpisodes ? retainedSince(ctx, settings) : null;
  const after = cursor === "" ? 0 : readCursor(Cursor, cursor).session;
  const found = await readRows(ctx, findNext(ctx, { after, tokens: keepTokens, due, sessions: SESSIONS_A_STEP }));
  const options = { keepTokens, due, dryRun, leastTokens: Math.min(LEAST_TOKENS, keepTokens / 4) };
  const counts = { episodes: 0 };
  const beside = { summaries: 0, tokensSaved: 0 };
  let next = found.length < SESSIONS_A_STEP ? null : (found.at(-1)?.id ?? null);
  for (const [read, session] of found.filter(({ mayNeed }) => mayNeed).entries()) {
    const room = limit - counts.episodes;
    if (room <= 0 || read === READ_A_STEP) {
      next = session.id - 1;
      break;
    }
    const done = await summarizeOrStop(ctx, session, { ...options, limit: room });
    if (done === "stopped") return { counts, beside, statements: [], next: null };
    counts.episodes += done.withoutContent + done.parts.reduce((sum, { episodes }) => sum + episodes.length, 0);
    beside.summaries += done.parts.length;
    beside.tokensSaved += done.parts.reduce((sum, { summary }) => sum + summary.tokensBefore - summary.tokensAfter, 0);
    if (done.remaining) {
      next = dryRun ? next : session.id - 1;
      break;
    }
  }
  return { counts, beside, statements: [], next: next === null ? null : JSON.stringify({ session: next }) };
}

/** Another try would cost time and find the model as it is: the log says why. */
async function summarizeOrStop(
  ctx: UpkeepCtx,
  session: SessionToSummarize,
  options: Parameters<typeof summarizeSession>[2],
): Promise<Awaited<ReturnType<typeof summarizeSession>> | "stopped"> {
  try {
    return await summarizeSession(ctx, session, options);
  } catch (error) {
    if (!(error instanceof AppError) || error.code === "internal") throw error;
    ctx.log("summaries.stopped", { tenantId: ctx.tenantId, code: error.code, ...describeError(error) });
    return "stopped";
  }
}
