import { notFound } from "#core/errors";
import { toIso } from "#core/fields";
import { requirePermission } from "#core/permission";
import { readRows } from "#db/client";
import { getSettings } from "#domain/settings";
import { actingUser } from "#domain/tenants";
import { findNamed } from "./load-session.ts";
import { DEFAULT_KEEP_TOKENS, type SummarizeInput, type SummarizeView } from "./schemas.ts";
import { type SummarizeCtx, type Summarized, type SummarizedPart, summarizeSession } from "./summarize-session.ts";

/**
 * Summarizes the older episodes of a session, beyond what is to stay as it is, into memories that cite them. The episodes stay until
 * retention takes them.
 * @throws not_found for a session that the user does not take part in.
 * @throws conflict if concurrent calls keep changing the same episodes.
 * @throws upstream_failed if the chat model cannot be reached; nothing is lost, the call can be repeated.
 * @example
 * const { tokens } = await summarize(ctx, { userId: "ann", sessionId: "chat-7", keepTokens: 2000 });
 */
export async function summarize(ctx: SummarizeCtx, input: SummarizeInput): Promise<SummarizeView> {
  requirePermission(ctx.actor, "write");
  const user = actingUser(ctx, input.userId);
  const [session] = await readRows(ctx, findNamed(ctx, { externalId: input.sessionId, user }));
  if (!session?.mayEnter) throw notFound("session");
  const { summarizeAfterTokens } = await getSettings(ctx);
  const keepTokens = input.keepTokens ?? summarizeAfterTokens ?? DEFAULT_KEEP_TOKENS;
  const dryRun = input.dryRun ?? false;
  const done = await summarizeSession(ctx, session, { keepTokens, due: null, dryRun, leastTokens: 0, limit: null });
  return toView(done, { sessionId: input.sessionId, dryRun });
}

function toView({ parts, withoutContent, remaining }: Summarized, of: { sessionId: string; dryRun: boolean }): SummarizeView {
  const before = parts.reduce((sum, { summary }) => sum + summary.tokensBefore, 0);
  const after = parts.reduce((sum, { summary }) => sum + summary.tokensAfter, 0);
  const summaries = parts.map((part) => toSummary(part, of.dryRun));
  return { ...of, summaries, withoutContent, tokens: { before, after, saved: before - after }, remaining };
}

function toSummary({ id, episodes, summary, asksModel }: SummarizedPart, dryRun: boolean): SummarizeView["summaries"][number] {
  const { by, unusable, from, to, tokensBefore, tokensAfter } = summary;
  const isOpen = dryRun && asksModel;
  return {
    ...{ id, unusable, tokensBefore, tokensAfter: isOpen ? null : tokensAfter, by: isOpen ? "model" : by },
    episodes: episodes.map(({ publicId }) => publicId),
    from: toIso(from),
    to: toIso(to),
  };
}
