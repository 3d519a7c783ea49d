import { sql } from "drizzle-orm";
import type { Ctx } from "#context";
import { toIso } from "#core/fields";
import type { Statement } from "#db/client";
import { isLostRace, isUniqueViolation } from "#db/guard";
import { FORGETTING, type Originals, type RemovedFact, type RemovedVersion } from "#db/schema/forgettings";
import { type AuditEntry, commit } from "#domain/audit";
import { removeFacts } from "#domain/facts";
import { dispatch } from "#domain/jobs";
import {
  bringBackStatements,
  forgetStatements,
  forgettableBy,
  removeVersions,
  type StoredMemory,
  type Writer,
} from "#domain/memories";
import { forgetNames, type PersonRow } from "#domain/people";
import { deleteSummaries, type Rewritten, rewriteStatements } from "#domain/sessions";
import { findStating, type StatingSummary } from "./find-stating.ts";
import type { ForgottenView } from "./schemas.ts";

/** How long forgotten memories and words can be restored. */
export const GRACE_MS = 30 * 86_400_000;

export type ForgetCtx = Ctx<"db" | "now" | "newId" | "jobs" | "defer" | "log" | "wait" | "random">;

/** What is to be forgotten, as it was read: the batch fails if any of it has changed since. */
export type Plan = {
  writer: Writer;
  /** The internal id of the user whose words they are; null for the tenant, which has said nothing. */
  userId: number | null;
  memories: readonly StoredMemory[];
  rewritten: readonly (Rewritten & Pick<Originals, "words">)[];
  facts: readonly RemovedFact[];
  versions: readonly RemovedVersion[];
  persons: readonly PersonRow[];
  /** Episodes of which what is left is extracted again. */
  extractedAgain: readonly number[];
  /** Whether what the memories replaced is current again. */
  bringsBack: boolean;
  /** Passages that asked for it. */
  hidden: readonly number[];
  askedBy: { memory: string } | { message: string; sessionId: number };
  audit: (forgetting: { id: string; detail: Record<string, unknown> }) => AuditEntry;
};

/** Forgets it as one change. `lost`: something has changed since it was read. `known`: the message has been followed already. */
export async function carryOut(request: ForgetCtx, plan: Plan): Promise<ForgottenView | "lost" | "known"> {
  // One timestamp for the whole change: undoing finds the removed values by it.
  const at = request.now();
  const ctx: ForgetCtx = { ...request, now: () => at };
  const { memories, rewritten, facts, userId } = plan;
  const words = rewritten.flatMap((one) => one.words);
  const removal = ctx.newId("job");
  const broughtBack = ctx.newId("job");
  const bringBack = plan.bringsBack ? bringBackStatements(ctx, memories, { writer: plan.writer, jobId: broughtBack }) : [];
  const changes = rewritten.map((one) => {
    const jobId = ctx.newId("job");
    return { jobId, statements: rewriteStatements(ctx, one, { jobId }) };
  });
  const summaries = await findStating(ctx, plan);
  const isAsked = "message" in plan.askedBy;
  const summaryRemoval = ctx.newId("job");
  const hasWords = words.length > 0 || facts.length > 0 || "message" in plan.askedBy;
  const id = hasWords && userId !== null ? ctx.newId("forgetting") : null;
  const detail = {
    memories: memories.length,
    passages: words.length,
    facts: facts.length,
    ...(id === null ? {} : { forgetting: id }),
  };
  try {
    await commit(ctx, {
      statements: [
        ...(memories.length === 0
          ? []
          : forgetStatements(ctx, memories, {
              because: "forgotten",
              jobId: removal,
              authority: forgettableBy(ctx, plan.writer),
            })),
        ...bringBack,
        ...takeStating(ctx, summaries, { isAsked, jobId: summaryRemoval }),
        ...changes.flatMap(({ statements }) => statements),
        ...extractAgain(ctx, plan),
        ...(userId === null ? [] : removeFacts(ctx, userId, facts)),
        ...removeVersions(ctx, plan.versions),
        ...forgetNames(ctx, plan.persons),
        ...(id === null || userId === null
          ? []
          : [insertForgetting(ctx, plan, { id, userId, words, summaries: isAsked ? summaries : [] })]),
      ],
      audit: [plan.audit({ id: id ?? "", detail })],
    });
  } catch (error) {
    if (isLostRace(error)) return "lost";
    if (isUniqueViolation(error)) return "known";
    throw error;
  }
  const jobs = changes.flatMap(({ jobId, statements }) => (statements.length === 0 ? [] : [jobId]));
  const removals = [...(memories.length === 0 ? [] : [removal]), ...(isAsked && summaries.length > 0 ? [summaryRemoval] : [])];
  dispatch(ctx, [...removals, ...(bringBack.length === 0 ? [] : [broughtBack]), ...jobs]);
  return {
    forgettingId: id,
    memories: memories.length,
    facts: facts.length,
    redacted: rewritten.flatMap(({ before, words: taken }) =>
      taken.map(({ message, start, words: said }) => ({
        sessionId: before.sessionExternalId,
        episodeId: before.publicId,
        ...{ message, start, end: start + said.length },
      })),
    ),
    undoUntil: toIso(ctx.now() + GRACE_MS),
  };
}

/**
 * The job that embeds what is left of an episode extracts it again too. Not where a memory was deleted before, whose words may have been kept:
 * it would come back.
 */
function extractAgain(ctx: Ctx<"db">, { memories, extractedAgain }: Plan): Statement[] {
  if (extractedAgain.length === 0) return [];
  const [episodes, going] = [JSON.stringify(extractedAgain), JSON.stringify(memories.map(({ id }) => id))];
  return [
    ctx.db.run(sql`
      update episodes set extracted = null
      where tenant_id = ${ctx.tenantId} and id in (select value from json_each(${episodes})) and not exists (
        select 1 from memories d where d.episode_id = episodes.id and d.deleted_at is not null
          and d.id not in (select value from json_each(${going})))`),
  ];
}

/**
 * Summaries go for good with a memory that was deleted. What is asked for in talk is only hidden: a summary whose episodes are deleted already
 * could not be made anew when it is undone.
 */
function takeStating(
  ctx: Ctx<"db" | "now">,
  summaries: readonly StatingSummary[],
  { isAsked, jobId }: { isAsked: boolean; jobId: string },
): Statement[] {
  if (summaries.length === 0) return [];
  if (isAsked) return forgetStatements(ctx, summaries, { because: "forgotten", jobId });
  const ids = JSON.stringify(summaries.map(({ id }) => id));
  return deleteSummaries(ctx, sql`select value from json_each(${ids})`);
}

function insertForgetting(
  ctx: Ctx<"db" | "now">,
  { memories, facts, hidden, versions, persons, askedBy }: Plan,
  {
    id,
    userId,
    words,
    summaries,
  }: { id: string; userId: number } & Pick<Originals, "words"> & { summaries: readonly StatingSummary[] },
): Statement {
  const names = persons.map(({ publicId, name, aliases, relationship, notes }) => ({
    id: publicId,
    name,
    aliases,
    relationship,
    notes,
  }));
  const originals: Originals = {
    words,
    facts,
    hidden,
    versions,
    names,
    memories: [...memories, ...summaries].map(({ publicId }) => publicId),
  };
  return ctx.db.run(sql`
    insert into forgettings ${FORGETTING.insert({
      ...{ publicId: id, tenantId: ctx.tenantId, userId, originals, forgottenAt: ctx.now() },
      askedBy: "message" in askedBy ? askedBy.message : askedBy.memory,
      sessionId: "message" in askedBy ? askedBy.sessionId : null,
    })}`);
}
