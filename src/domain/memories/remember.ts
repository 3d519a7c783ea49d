import type { Ctx } from "#context";
import { requirePermission } from "#core/permission";
import { retryLostRace } from "#core/retry-lost-race";
import { type Query, type Results, runBatch, type Statement } from "#db/client";
import { isLostRace, isUniqueViolation } from "#db/guard";
import { type AuditEntry, commit } from "#domain/audit";
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

/** Placeholder for a user who does not exist yet, so that a refused call creates none. */
const NOBODY: Author = { ...THE_TENANT };

/**
 * Stores memories, all or none, in two round trips: one read, one batch. Repeated words are counted, not stored again. An existing key is
 * changed in place: its metadata is merged and the old version is kept. Results are in the order of the call.
 *
 * @example
 * const [memory] = await remember(ctx, { userId: "ann", content: "I like tea", key: "drink" });
 *
 * @throws unprocessable for what breaks a rule, with the field.
 * @throws not_found for a session that the user has no access to.
 * @throws forbidden for a memory that the writer may not write.
 * @throws invalid_input if a user is needed and none is named.
 * @throws conflict if concurrent calls keep changing these memories.
 */
export async function remember(ctx: RememberCtx, input: RememberInput): Promise<RememberedView[]> {
  const { ctx: at, shown, author, seen } = await rememberAs(ctx, input, null);
  return shown.map((decision, i) => toRemembered(at, { decision, isFirst: shown.indexOf(decision) === i, author, seen }));
}

/**
 * How memories are taken from an episode. `alongside` are statements for the same batch, such as the mark that the episode was read; those in
 * `after` follow the memories, and `audit` is beside their own rows.
 */
export type IngestOptions = Ingest & {
  alongside: readonly Statement[];
  after?: readonly Statement[];
  audit?: readonly AuditEntry[];
};

/**
 * The outcome for a memory that was taken from an episode. `linked`: the episode stated it before, but the links to what it replaces or
 * contradicts, or its stricter privacy, are new.
 */
export type IngestOutcome = "stored" | "again" | "changed" | "linked" | IgnoredBecause;

/**
 * Remembers what was extracted from episodes, by the rules of `remember`, except that repeated extraction is not counted twice and does not
 * undo newer values; see `IngestOutcome`. Results are in the order of the drafts.
 * @throws the same as `remember`.
 */
export async function ingestMemories(
  ctx: RememberCtx,
  said: { userId: string; memories: MemoryDraftInput[] },
  ingest: IngestOptions,
): Promise<{ id: string; outcome: IngestOutcome }[]> {
  const { shown } = await rememberAs(ctx, said, ingest);
  return shown.map((decision) => ({ id: decision.publicId, outcome: ingestOutcome(decision) }));
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

/** The decisions in the order of the call, and what the writer sees of them. `ctx` has the time that is stored. */
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
  // One timestamp for the whole call, so that the answer has the time that is stored.
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
  // An ingestion that changes nothing writes nothing.
  const written = decisions.filter(({ times, kind }) => times > 0 && (ingest === null || kind !== "ignore"));
  const reads = readBack(ctx, writer, written);
  const { statements, audit, jobIds } = storeDecisions(ctx, { author, references, piiReview, decisions: written });
  try {
    const queries = reads.map(({ query }) => query);
    const results = await commit(ctx, {
      statements: [...(ingest?.alongside ?? []), ...statements, ...(ingest?.after ?? []), ...queries],
      audit: [...audit, ...(ingest?.audit ?? [])],
    });
    dispatch(ctx, jobIds);
    const shown = drafts.map(({ duplicateOf }) => decisions[duplicateOf]).filter((decision) => decision !== undefined);
    return { ctx, shown, author, seen: seenIn(ctx, reads, results) };
  } catch (error) {
    if (isUniqueViolation(error) || isLostRace(error)) return "lost";
    throw error;
  }
}

type ReadBack = { viewer: MemoryViewerRef | null; query: Query<SeenRow> };

/** An existing memory is shown as far as the writer may see it where it is stored. This is read in the batch that changes it. */
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

/** A new memory as it was written; an existing one as the writer may see it, else only what they stated. */
function toRemembered(
  ctx: RememberCtx,
  { decision, isFirst, author, seen }: { decision: Decision; isFirst: boolean; author: Author; seen: Seen },
): RememberedView {
  const before = "before" in decision ? decision.before : null;
  // Whether they may see it was read before the change: a writer who could not see the old memory is shown only what they wrote.
  const row = before?.isVisible === false ? undefined : seen.get(decision.publicId);
  const shown = row ?? asWritten(decision, { author, now: ctx.now() });
  const visibilityReason = row?.visibilityReason ?? "own";
  return { ...toMemory(shown, { model: ctx.embedder.model, visibilityReason }), created: before === null && isFirst };
}

/** The memory that the writer would have created if no hidden one existed. */
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
