import type { Ctx } from "#context";
import { requirePermission } from "#core/permission";
import { retryLostRace } from "#core/retry-lost-race";
import { type Query, type Results, runBatch, type Statement } from "#db/client";
import { isLostRace, isUniqueViolation } from "#db/guard";
import { commit } from "#domain/audit";
import { dispatch } from "#domain/jobs";
import { getSettings } from "#domain/settings";
import { ensureUsers } from "#domain/tenants";
import type { MemoryViewerRef } from "#domain/visibility";
import { memoryViewer, type Writer, writerOf } from "./access.ts";
import { type Decision, decideAll, type IgnoredBecause } from "./decide.ts";
import { type Author, loadReferences, THE_TENANT } from "./load-references.ts";
import { storeDecisions } from "./memory-statements.ts";
import { type DraftInput, parseInput, requireOneHome } from "./parse-input.ts";
import type { Ingest } from "./propose.ts";
import { decided, findSeen, type SeenMemory, type SeenRow } from "./rows.ts";
import type { MemoryDraftInput, RememberedView, RememberInput } from "./schemas.ts";
import { asPersons, type ShownMemory, toMemory } from "./view.ts";

type RememberCtx = Ctx<"db" | "now" | "newId" | "jobs" | "defer" | "embedder" | "caches" | "log" | "wait" | "random">;

/** Stands for a user who is not made yet, so that a call that is refused makes none. */
const NOBODY: Author = { ...THE_TENANT };

/**
 * Stores memories, all or none, in two round trips: one reads what decides, one batch writes. Words that are there already are counted,
 * not stored again; a key that is there is changed in place, its metadata merged, its old version kept. Answers in the order of the call.
 *
 * @example
 * const [memory] = await remember(ctx, { userId: "ann", content: "I like tea", key: "drink" });
 *
 * @throws unprocessable for what breaks a rule, with the field.
 * @throws not_found for a session in which the user has no part.
 * @throws forbidden for a memory that is not the writer's.
 * @throws invalid_input where a user is needed and none is named.
 * @throws conflict if others keep changing these memories at the same moment.
 */
export async function remember(ctx: RememberCtx, input: RememberInput): Promise<RememberedView[]> {
  const { ctx: at, shown, author, seen } = await rememberAs(ctx, input, null);
  return shown.map((decision, i) => toRemembered(at, { decision, isFirst: shown.indexOf(decision) === i, author, seen }));
}

/** How memories are taken from an episode; `alongside` are statements of the same batch, such as the mark that the episode was read. */
export type IngestOptions = Ingest & { alongside: readonly Statement[] };

/**
 * What became of a memory that was taken from an episode. `linked`: the episode said it already, but not what it replaces or contradicts, or
 * how strictly it is to be kept.
 */
export type IngestOutcome = "stored" | "again" | "changed" | "linked" | IgnoredBecause;

/**
 * Remembers what was taken from episodes, as `remember` does and under the same rules, but for what is not to be counted twice or undone:
 * see `IngestOutcome`. Answers in the order of the drafts.
 *
 * @throws the same as `remember`.
 */
export async function ingestMemories(
  ctx: RememberCtx,
  said: { userId: string; memories: MemoryDraftInput[] },
  ingest: IngestOptions,
): Promise<{ outcome: IngestOutcome }[]> {
  const { shown } = await rememberAs(ctx, said, ingest);
  return shown.map((decision) => ({ outcome: ingestOutcome(decision) }));
}

function ingestOutcome(decision: Decision): IngestOutcome {
  switch (decision.kind) {
    case "create":
    case "wait":
      return "stored";
    case "reinforce":
      return decision.isCounted ? "again" : "linked";
    case "change":
      return "changed";
    case "ignore":
      return decision.because;
  }
}

/** The decisions that answer the call, in its order, and what the writer sees of them; `ctx` has the time that is stored. */
type Remembered = { ctx: RememberCtx; shown: readonly Decision[]; author: Author; seen: Seen };

async function rememberAs(ctx: RememberCtx, input: RememberInput, ingest: IngestOptions | null): Promise<Remembered> {
  requirePermission(ctx.actor, "write");
  const inputs = "memories" in input ? input.memories : [input];
  const named = input.userId ?? inputs.find(({ ownerId }) => ownerId !== undefined)?.ownerId;
  const writer = writerOf(ctx, named);
  const drafts = inputs.map((draft, i) => ({ input: draft, path: "memories" in input ? `memories[${i}].` : "" }));
  for (const draft of drafts) requireOneHome(draft, writer);
  return await retryLostRace(ctx, "These memories are being changed by others at the same moment. Try again.", () =>
    tryRemember(ctx, { writer, ingest }, drafts),
  );
}

async function tryRemember(
  request: RememberCtx,
  { writer, ingest }: { writer: Writer; ingest: IngestOptions | null },
  inputs: readonly DraftInput[],
): Promise<Remembered | "lost"> {
  // One moment for all of it, so that the answer has the time that is stored.
  const now = request.now();
  const ctx: RememberCtx = { ...request, now: () => now };
  const { user } = writer;
  const { piiReview } = await getSettings(ctx);
  const drafts = await parseInput(inputs, { now, user });
  const references = await loadReferences(ctx, writer, drafts);
  const author = references.author ?? NOBODY;
  const by = { author, user, now, piiReview, ingest };
  const decisions = await decideAll(drafts, references, { ...by, newId: () => ctx.newId("memory") });
  if (author === NOBODY) {
    await runBatch(ctx, ensureUsers(ctx, user === null ? [] : [user]));
    return await tryRemember(request, { writer, ingest }, inputs);
  }
  // Of what is read from episodes, nothing is written where nothing changes.
  const written = decisions.filter(({ times, kind }) => times > 0 && (ingest === null || kind !== "ignore"));
  const reads = readBack(ctx, writer, written);
  const { statements, audit, jobIds } = storeDecisions(ctx, { author, references, piiReview, decisions: written });
  try {
    const queries = reads.map(({ query }) => query);
    const results = await commit(ctx, { statements: [...(ingest?.alongside ?? []), ...statements, ...queries], audit });
    dispatch(ctx, jobIds);
    const shown = drafts.map(({ duplicateOf }) => decisions[duplicateOf]).filter((decision) => decision !== undefined);
    return { ctx, shown, author, seen: seenIn(ctx, reads, results) };
  } catch (error) {
    if (isUniqueViolation(error) || isLostRace(error)) return "lost";
    throw error;
  }
}

type ReadBack = { viewer: MemoryViewerRef | null; query: Query<SeenRow> };

/** What was there before is shown as far as the writer may see it where it lives, decided in the batch that changes it. */
function readBack(ctx: RememberCtx, { user }: Writer, decisions: readonly Decision[]): ReadBack[] {
  const touched = decisions.filter((decision) => "before" in decision && decision.before !== null);
  const places = Map.groupBy(touched, ({ session, next }) => JSON.stringify([session?.id, next.workspaceId]));
  return [...places.values()].map((together) => {
    const [at] = together;
    const place = { sessionId: at?.session?.externalId, workspaceId: at?.next.workspaceId ?? undefined };
    const viewer = user === null ? null : memoryViewer(ctx, place, { about: null, user });
    const ids = together.map(({ publicId }) => publicId);
    return { viewer, query: findSeen(ctx, viewer, ids) };
  });
}

/** By their public ids. */
type Seen = ReadonlyMap<string, SeenMemory>;

function seenIn(ctx: RememberCtx, reads: readonly ReadBack[], results: Results): Seen {
  const seen = reads.flatMap(({ viewer, query }) => decided(ctx, viewer, results.rows(query)));
  return new Map(seen.map((memory) => [memory.publicId, memory]));
}

/** A new memory as it was written; one that was there as the writer may see it, or else no more than what they said themselves. */
function toRemembered(
  ctx: RememberCtx,
  { decision, isFirst, author, seen }: { decision: Decision; isFirst: boolean; author: Author; seen: Seen },
): RememberedView {
  const before = "before" in decision ? decision.before : null;
  // Decided before the change: who may see it only as they have made it themselves is shown only that.
  const row = before?.isVisible === false ? undefined : seen.get(decision.publicId);
  const shown = row ?? asWritten(decision, { author, now: ctx.now() });
  const visibilityReason = row?.visibilityReason ?? "own";
  return { ...toMemory(shown, { model: ctx.embedder.model, visibilityReason }), created: before === null && isFirst };
}

/** The memory that the writer would have made if there were none that they may not see. */
function asWritten(decision: Decision, { author, now }: { author: Author; now: number }): ShownMemory {
  const { kind, home, own, next, shown, session, times, publicId } = decision;
  const before = "before" in decision && decision.before?.isVisible === true ? decision.before : null;
  return {
    ...own,
    ...{ publicId, ownership: home.ownership, key: shown.key, contradicts: shown.contradicts, piiRisk: next.piiRisk },
    ownerExternalId: home.ownership === "personal" ? author.externalId : null,
    sessionExternalId: session?.externalId ?? null,
    status: before !== null && kind !== "change" ? before.status : next.status,
    subjects: asPersons(shown.subjects),
    statedBy: shown.statedBy === null ? null : { id: shown.statedBy, name: "", isReader: false },
    learnedIn: shown.learnedIn?.sessionId ?? null,
    episodeId: shown.learnedIn?.episodeId ?? null,
    ...{ validTo: null, supersededBy: null, vectorModel: null, createdAt: now, updatedAt: now },
    seenCount: before === null ? times : before.seenCount + (kind === "ignore" ? 0 : times),
    lastSeenAt: now,
    version: before === null ? 1 : before.version + (kind === "change" ? 1 : 0),
  };
}
