import type { Ctx } from "#context";
import { AppError, breaksRule } from "#core/errors";
import { isAdmin, requirePermission } from "#core/permission";
import { retryLostRace } from "#core/retry-lost-race";
import type { Statement } from "#db/client";
import { isLostRace, isUniqueViolation } from "#db/guard";
import { commit, runBatch } from "#domain/audit";
import { dispatch } from "#domain/jobs";
import { getSettings } from "#domain/settings";
import { ensureUsers, userNotNamed } from "#domain/tenants";
import { readBack, seenAgain, toRemembered } from "./answer-remembered.ts";
import { type Writer, writerOf } from "./authority.ts";
import { needsEmbedding } from "./change.ts";
import {
  type Decision,
  type DraftInput,
  decide,
  disambiguateHashes,
  joinRepeats,
  parseMemoryInput,
  requireDistinctKeys,
  requireDistinctTargets,
} from "./decide.ts";
import { type IngestOptions, type IngestOutcome, ingestOutcome, isWritten } from "./ingest-outcome.ts";
import { type Author, loadReferences } from "./load-references.ts";
import {
  auditOf,
  clearExpired,
  guards,
  insertStatements,
  makeTenantSpace,
  supersessions,
  touchStatements,
} from "./memory-statements.ts";
import type { RememberedView, RememberInput } from "./schemas.ts";

export type RememberCtx = Ctx<"db" | "now" | "newId" | "jobs" | "defer" | "embedder" | "caches" | "log" | "wait" | "random">;

/** Stands for a user who is not made yet, so that a call that is refused makes none. */
const NOBODY: Author = { userId: 0, spaceId: 0, personId: 0, personPublicId: "", externalId: "" };

/**
 * Stores memories, all or none, in two round trips: one reads what decides, one batch writes. Words that are there already are said
 * again, not stored again; a key that is there is changed in place, its metadata merged, its old version kept. Answers in the order
 * of the call. 422 for what breaks a rule, 404 for a session in which the user has no part, 403 for another's memory.
 */
export async function remember(ctx: RememberCtx, input: RememberInput): Promise<RememberedView[]> {
  return (await rememberAs(ctx, input, null)).map(({ view }) => view);
}

type Remembered = { view: RememberedView; outcome: IngestOutcome };

/** The same, and what became of each; with `hearing`, what is taken from episodes. */
export async function rememberAs(
  ctx: RememberCtx,
  input: RememberInput,
  ingestOptions: IngestOptions | null,
): Promise<Remembered[]> {
  requirePermission(ctx.actor, "write");
  const inputs = "memories" in input ? input.memories : [input];
  const named = input.userId ?? inputs.find(({ ownerId }) => ownerId !== undefined)?.ownerId;
  const writer = writerOf(ctx, named);
  const drafts = inputs.map((draft, i) => ({ draft, path: "memories" in input ? `memories[${i}].` : "" }));
  for (const draft of drafts) requireOneHome(draft, writer);
  return await retryLostRace(ctx, "These memories are being changed by others at the same moment. Try again.", () =>
    tryRemember(ctx, { writer, ingestOptions }, drafts),
  );
}

/** Exactly one of owner, group session and tenant; and only what is one's own. */
function requireOneHome({ draft, path }: DraftInput, { user }: Writer): void {
  const { ownerId, sessionId, shared, sensitivity } = draft;
  const homes = [ownerId !== undefined, sessionId !== undefined, shared === true].filter(Boolean);
  if (homes.length > 1) {
    const field = sessionId === undefined ? "shared" : "sessionId";
    throw breaksRule(`${path}${field}`, "A memory has an owner, or a group session, or is shared: one of the three.");
  }
  if (shared !== true && user === null) throw userNotNamed();
  if (ownerId !== undefined && ownerId !== user?.externalId)
    throw new AppError("forbidden", "A personal memory is written by its owner.");
  if (shared !== true) return;
  if (user !== null) throw new AppError("forbidden", "Shared memories are written by a server key that names no user.");
  if (sensitivity !== undefined && sensitivity !== "public") throw breaksRule(`${path}sensitivity`, "A shared memory is public.");
}

async function tryRemember(
  request: RememberCtx,
  { writer, ingestOptions }: { writer: Writer; ingestOptions: IngestOptions | null },
  inputs: readonly DraftInput[],
): Promise<Remembered[] | "lost"> {
  // One moment for all of it, so that the answer has the time that is stored.
  const at = request.now();
  const ctx: RememberCtx = { ...request, now: () => at };
  const { piiReview } = await getSettings(ctx);
  const drafts = joinRepeats(await Promise.all(inputs.map((draft) => parseMemoryInput(draft, { now: at, user: writer.user }))));
  requireDistinctKeys(drafts);
  const references = await loadReferences(ctx, writer, drafts);
  const author = references.author ?? NOBODY;
  const initial = await Promise.all(
    drafts.map((draft, place) => decide(ctx, { draft, place, references, author, user: writer.user, piiReview })),
  );
  const decisions = await disambiguateHashes(initial, drafts);
  requireDistinctTargets(decisions, drafts);
  if (author === NOBODY) {
    await runBatch(ctx, ensureUsers(ctx, writer.user === null ? [] : [writer.user]));
    return await tryRemember(request, { writer, ingestOptions }, inputs);
  }
  const outcomeOf = (decision: Decision) => ingestOutcome(decision, ingestOptions ?? { keepsOwn: false });
  const distinct = decisions.flatMap((decision) => {
    const outcome = ingestOptions === null ? null : outcomeOf(decision);
    if (decision.times === 0 || (outcome !== null && !isWritten(outcome))) return [];
    // What its own episode says again was not said once more.
    return [outcome === "linked" ? { ...decision, times: 0 } : decision];
  });
  const made = distinct.filter(({ before }) => before === null);
  const touched = distinct.filter(({ before }) => before !== null);
  const needsSpace = references.tenantSpace === null && made.some(({ home }) => home.ownership === "shared");
  const again = readBack(ctx, writer, touched);
  const replaced = distinct.flatMap((decision) => supersessions(ctx, decision));
  const statements: Statement[] = [
    ...(ingestOptions?.alongside ?? []),
    ...guards(ctx, author, distinct),
    ...(needsSpace ? [makeTenantSpace(ctx)] : []),
    ...clearExpired(ctx, references.expired, ctx.newId("job")),
    ...replaced.flatMap(({ before }) => before),
    ...insertStatements(ctx, author, made),
    ...touched.flatMap((decision) => touchStatements(ctx, decision, { piiReview, mayApprove: mayApprove(ctx, decision) })),
    ...replaced.map(({ after }) => after),
    ...again.map(({ statement }) => statement),
  ];
  try {
    const results = await commit(ctx, { statements, audit: distinct.flatMap((decision) => auditOf(decision, author)) });
    const seen = seenAgain(ctx, again, results.slice(statements.length - again.length));
    const jobs = touched.flatMap(({ before, isAgain, next, jobId }) =>
      before === null || isAgain || !needsEmbedding(before, next) ? [] : [jobId],
    );
    dispatch(ctx, made[0] === undefined ? jobs : [made[0].jobId, ...jobs]);
    const shown = drafts.map(({ duplicateOf }) => decisions[duplicateOf]).filter((decision) => decision !== undefined);
    return shown.map((decision, i) => ({
      view: toRemembered(ctx, { decision, isFirst: shown.indexOf(decision) === i, author, seen }),
      outcome: outcomeOf(decision),
    }));
  } catch (error) {
    if (isUniqueViolation(error) || isLostRace(error)) return "lost";
    throw error;
  }
}

/** Who says again what waits approves it, if it is theirs to approve; a job that hears it again is nobody to approve. */
function mayApprove({ actor }: RememberCtx, { home }: Decision): boolean {
  return actor.kind === "key" && (home.ownership === "personal" || isAdmin(actor));
}
