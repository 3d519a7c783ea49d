import type { Ctx } from "#context";
import { AppError, breaksRule } from "#core/errors";
import { isAdmin, requirePermission } from "#core/permission";
import { retryLostRace } from "#core/retry-lost-race";
import type { Statement } from "#db/client";
import { isLostRace, isUniqueViolation } from "#db/guard";
import { commit, runBatch } from "#domain/audit";
import { hurry } from "#domain/jobs";
import { getSettings } from "#domain/settings";
import { ensureUsers, userNotNamed } from "#domain/tenants";
import { readBack, seenAgain, toRemembered } from "./answer-remembered.ts";
import { type Writer, writerOf } from "./authority.ts";
import { needsEmbedding } from "./change.ts";
import { type HeardOutcome, type Hearing, heardAs, isWritten } from "./hearing.ts";
import { type Draft, joinRepeats, keepApart, type Plan, planOf, readDraft, requireApart, requireDistinctKeys } from "./plan.ts";
import { type Author, resolve } from "./resolve.ts";
import type { RememberedView, RememberInput } from "./schemas.ts";
import { auditOf, clearExpired, guards, insertStatements, makeTenantSpace, supersessions, touchStatements } from "./store.ts";

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

type Remembered = { view: RememberedView; outcome: HeardOutcome };

/** The same, and what became of each; with `hearing`, what is taken from episodes. */
export async function rememberAs(ctx: RememberCtx, input: RememberInput, hearing: Hearing | null): Promise<Remembered[]> {
  requirePermission(ctx.actor, "write");
  const inputs = "memories" in input ? input.memories : [input];
  const named = input.userId ?? inputs.find(({ ownerId }) => ownerId !== undefined)?.ownerId;
  const writer = writerOf(ctx, named);
  const drafts = inputs.map((draft, i) => ({ draft, path: "memories" in input ? `memories[${i}].` : "" }));
  for (const draft of drafts) requireOneHome(draft, writer);
  return await retryLostRace(ctx, "These memories are being changed by others at the same moment. Try again.", () =>
    tryRemember(ctx, { writer, hearing }, drafts),
  );
}

/** Exactly one of owner, group session and tenant; and only what is one's own. */
function requireOneHome({ draft, path }: Draft, { user }: Writer): void {
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
  { writer, hearing }: { writer: Writer; hearing: Hearing | null },
  inputs: readonly Draft[],
): Promise<Remembered[] | "lost"> {
  // One moment for all of it, so that the answer has the time that is stored.
  const at = request.now();
  const ctx: RememberCtx = { ...request, now: () => at };
  const { piiReview } = await getSettings(ctx);
  const drafts = joinRepeats(await Promise.all(inputs.map((draft) => readDraft(draft, { now: at, user: writer.user }))));
  requireDistinctKeys(drafts);
  const resolved = await resolve(ctx, writer, drafts);
  const author = resolved.author ?? NOBODY;
  const planned = await Promise.all(
    drafts.map((draft, place) => planOf(ctx, { draft, place, resolved, author, user: writer.user, piiReview })),
  );
  const plans = await keepApart(planned, drafts);
  requireApart(plans, drafts);
  if (author === NOBODY) {
    await runBatch(ctx, ensureUsers(ctx, writer.user === null ? [] : [writer.user]));
    return await tryRemember(request, { writer, hearing }, inputs);
  }
  const outcomeOf = (plan: Plan) => heardAs(plan, hearing ?? { keepsOwn: false });
  const distinct = plans.flatMap((plan) => {
    const outcome = hearing === null ? null : outcomeOf(plan);
    if (plan.times === 0 || (outcome !== null && !isWritten(outcome))) return [];
    // What its own episode says again was not said once more.
    return [outcome === "linked" ? { ...plan, times: 0 } : plan];
  });
  const made = distinct.filter(({ before }) => before === null);
  const touched = distinct.filter(({ before }) => before !== null);
  const needsSpace = resolved.tenantSpace === null && made.some(({ home }) => home.ownership === "shared");
  const again = readBack(ctx, writer, touched);
  const replaced = distinct.flatMap((plan) => supersessions(ctx, plan));
  const statements: Statement[] = [
    ...(hearing?.alongside ?? []),
    ...guards(ctx, author, distinct),
    ...(needsSpace ? [makeTenantSpace(ctx)] : []),
    ...clearExpired(ctx, resolved.expired, ctx.newId("job")),
    ...replaced.flatMap(({ before }) => before),
    ...insertStatements(ctx, author, made),
    ...touched.flatMap((plan) => touchStatements(ctx, plan, { piiReview, mayApprove: mayApprove(ctx, plan) })),
    ...replaced.map(({ after }) => after),
    ...again.map(({ statement }) => statement),
  ];
  try {
    const results = await commit(ctx, { statements, audit: distinct.flatMap((plan) => auditOf(plan, author)) });
    const seen = seenAgain(ctx, again, results.slice(statements.length - again.length));
    const jobs = touched.flatMap(({ before, isAgain, next, jobId }) =>
      before === null || isAgain || !needsEmbedding(before, next) ? [] : [jobId],
    );
    hurry(ctx, made[0] === undefined ? jobs : [made[0].jobId, ...jobs]);
    const shown = drafts.map(({ standIn }) => plans[standIn]).filter((plan) => plan !== undefined);
    return shown.map((plan, i) => ({
      view: toRemembered(ctx, { plan, isFirst: shown.indexOf(plan) === i, author, seen }),
      outcome: outcomeOf(plan),
    }));
  } catch (error) {
    if (isUniqueViolation(error) || isLostRace(error)) return "lost";
    throw error;
  }
}

/** Who says again what waits approves it, if it is theirs to approve; a job that hears it again is nobody to approve. */
function mayApprove({ actor }: RememberCtx, { home }: Plan): boolean {
  return actor.kind === "key" && (home.ownership === "personal" || isAdmin(actor));
}
