import type { Ctx } from "#context";
import { AppError, breaksRule, conflict } from "#core/errors";
import { toIso } from "#core/fields";
import { requirePermission } from "#core/permission";
import type { Statement, StatementResult } from "#db/client";
import { isLostRace, isUniqueViolation } from "#db/guard";
import { commit, runBatch } from "#domain/audit";
import { hurry } from "#domain/jobs";
import { getSettings } from "#domain/settings";
import { actingUser, ensureUsers } from "#domain/tenants";
import type { MemoryViewerRef } from "#domain/visibility";
import { type Writer, writerOf } from "./authority.ts";
import { needsEmbedding } from "./change.ts";
import { decided, loadSeen, type SeenRow } from "./columns.ts";
import { memoryViewer } from "./place.ts";
import {
  type Draft,
  isRejected,
  joinRepeats,
  keepApart,
  type Plan,
  planOf,
  readDraft,
  requireApart,
  requireDistinctKeys,
} from "./plan.ts";
import { type Author, resolve } from "./resolve.ts";
import type { RememberedView, RememberInput } from "./schemas.ts";
import { auditOf, clearExpired, guards, insertStatements, makeTenantSpace, supersessions, touchStatements } from "./store.ts";
import { classOf } from "./types.ts";
import { toMemory } from "./view.ts";

type RememberCtx = Ctx<"db" | "now" | "newId" | "jobs" | "defer" | "embedder" | "caches" | "log">;

/** A lost race is decided by reading again; more than this many in a row is no accident. */
const MAX_TRIES = 5;

/** Stands for a user who is not made yet, so that a call that is refused makes none. */
const NOBODY: Author = { userId: 0, spaceId: 0, personId: 0, personPublicId: "", externalId: "" };

/**
 * Stores memories, all or none, in two round trips: one reads what decides, one batch writes. Words that are there already are said
 * again, not stored again; a key that is there is changed in place, its metadata merged, its old version kept. Answers in the order
 * of the call. 422 for what breaks a rule, 404 for a session in which the user has no part, 403 for another's memory.
 */
export async function remember(ctx: RememberCtx, input: RememberInput): Promise<RememberedView[]> {
  requirePermission(ctx.actor, "write");
  const inputs = "memories" in input ? input.memories : [input];
  const named = input.userId ?? inputs.find(({ ownerId }) => ownerId !== undefined)?.ownerId;
  const writer = writerOf(ctx, actingUser(ctx, named), named);
  const drafts = inputs.map((draft, i) => ({ draft, path: "memories" in input ? `memories[${i}].` : "" }));
  for (const draft of drafts) requireOneHome(draft, { named, writer });
  for (let tries = 1; tries <= MAX_TRIES; tries += 1) {
    const remembered = await tryRemember(ctx, writer, drafts);
    if (remembered !== "lost") return remembered;
  }
  throw conflict("These memories are being changed by others at the same moment. Try again.");
}

/** Exactly one of owner, group session and tenant; and only what is one's own. */
function requireOneHome({ draft, path }: Draft, { named, writer }: { named: string | undefined; writer: Writer }): void {
  const { ownerId, sessionId, shared, sensitivity } = draft;
  const homes = [ownerId !== undefined, sessionId !== undefined, shared === true].filter(Boolean);
  if (homes.length > 1) {
    const field = sessionId === undefined ? "shared" : "sessionId";
    throw breaksRule(`${path}${field}`, "A memory has an owner, or a group session, or is shared: one of the three.");
  }
  if (ownerId !== undefined && ownerId !== named) throw new AppError("forbidden", "A personal memory is written by its owner.");
  if (shared !== true) return;
  if (!writer.asTenant) throw new AppError("forbidden", "Shared memories are written by a key that names no user.");
  if (sensitivity !== undefined && sensitivity !== "public") throw breaksRule(`${path}sensitivity`, "A shared memory is public.");
}

async function tryRemember(request: RememberCtx, writer: Writer, inputs: readonly Draft[]): Promise<RememberedView[] | "lost"> {
  // One moment for all of it, so that the answer has the time that is stored.
  const at = request.now();
  const ctx: RememberCtx = { ...request, now: () => at };
  const { piiReview } = await getSettings(ctx);
  const drafts = joinRepeats(await Promise.all(inputs.map((draft) => readDraft(draft, at))));
  requireDistinctKeys(drafts);
  const resolved = await resolve(ctx, writer, drafts);
  const author = resolved.author ?? NOBODY;
  const planned = await Promise.all(drafts.map((draft, place) => planOf(ctx, { draft, place, resolved, author, piiReview })));
  const plans = await keepApart(planned, drafts);
  requireApart(plans, drafts);
  if (author === NOBODY) {
    await runBatch(ctx, ensureUsers(ctx, [writer.user]));
    return "lost";
  }
  const distinct = plans.filter(({ times }) => times > 0);
  const made = distinct.filter(({ before }) => before === null);
  const touched = distinct.filter(({ before }) => before !== null);
  const needsSpace = resolved.tenantSpace === null && made.some(({ home }) => home.ownership === "shared");
  const again = readBack(ctx, writer, touched);
  const replaced = distinct.flatMap((plan) => supersessions(ctx, plan));
  const statements: Statement[] = [
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
    return shown.map((plan, i) => toRemembered(ctx, { plan, isFirst: shown.indexOf(plan) === i, author, seen }));
  } catch (error) {
    if (isUniqueViolation(error) || isLostRace(error)) return "lost";
    throw error;
  }
}

/** Who says again what waits approves it, if it is theirs to approve. */
function mayApprove({ actor }: RememberCtx, { home }: Plan): boolean {
  return home.ownership === "personal" || (actor.kind === "key" && actor.permissions.includes("admin"));
}

type ReadBack = { viewer: MemoryViewerRef; statement: Statement };

/** What was there before is shown as far as the writer may hear it where it lives, decided in the batch that changes it. */
function readBack(ctx: RememberCtx, { user }: Writer, touched: readonly Plan[]): ReadBack[] {
  const places = Map.groupBy(touched, ({ session, next }) => JSON.stringify([session?.id, next.workspaceId]));
  return [...places.values()].map((plans) => {
    const [at] = plans;
    const place = { sessionId: at?.session?.externalId, workspaceId: at?.next.workspaceId ?? undefined };
    const viewer = memoryViewer(ctx, place, { about: null, user });
    return {
      viewer,
      statement: loadSeen(
        ctx,
        viewer,
        plans.map(({ publicId }) => publicId),
      ),
    };
  });
}

type Seen = Map<string, SeenRow & { arrival: Parameters<typeof toMemory>[1]["arrival"] }>;

function seenAgain(ctx: RememberCtx, again: readonly ReadBack[], results: readonly StatementResult[]): Seen {
  return new Map(
    again.flatMap(({ viewer }, i) =>
      decided(ctx, viewer, (results[i]?.rows ?? []) as SeenRow[]).map((row) => [row.publicId, row] as const),
    ),
  );
}

/** A new memory as it was written; one that was there as the writer may hear it, or else no more than what they said themselves. */
function toRemembered(ctx: RememberCtx, of: { plan: Plan; isFirst: boolean; author: Author; seen: Seen }): RememberedView {
  const { plan, author, seen } = of;
  // Decided before the change: who may hear it only as they have made it themselves is told only that.
  const row = plan.before?.heard === 0 ? undefined : seen.get(plan.publicId);
  const created = plan.before === null && of.isFirst;
  if (row !== undefined) return { ...toMemory(row, { model: ctx.embedder.model, arrival: row.arrival }), created };
  const { own, home, before, isAgain, next } = plan;
  const isNew = before === null || before.heard === 0;
  const now = toIso(ctx.now());
  return {
    id: plan.publicId,
    ownership: home.ownership,
    ownerId: home.ownership === "personal" ? author.externalId : null,
    sessionId: plan.session?.externalId ?? null,
    type: own.type,
    class: classOf(own.type),
    content: own.content,
    key: isNew ? next.key : own.key,
    workspaceId: own.workspaceId,
    scopeType: own.scopeType,
    scopeId: own.scopeId,
    confidence: own.confidence,
    sensitivity: own.sensitivity ?? "public",
    portable: own.portable,
    pinned: own.pinned,
    status: !isNew && (isAgain || isRejected(plan)) ? before.status : next.status,
    piiRisk: next.piiRisk,
    metadata: own.metadata,
    subjects: plan.shown.subjects,
    statedBy: plan.shown.statedBy,
    learnedIn: plan.shown.learnedIn,
    validFrom: toIso(own.validFrom),
    validTo: null,
    supersededBy: null,
    contradicts: plan.shown.contradicts,
    expiresAt: own.expiresAt === null ? null : toIso(own.expiresAt),
    seen: { count: isNew ? plan.times : before.seenCount + (isRejected(plan) ? 0 : plan.times), lastAt: now },
    version: isNew ? 1 : before.version + (isAgain || isRejected(plan) ? 0 : 1),
    createdAt: now,
    updatedAt: now,
    indexed: { text: true, vector: false },
    created,
  };
}
