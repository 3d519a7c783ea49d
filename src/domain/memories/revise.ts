import { sql } from "drizzle-orm";
import type { Ctx } from "#context";
import { AppError, breaksRule, conflict, notFound } from "#core/errors";
import { isPublicId } from "#core/ids";
import { requirePermission } from "#core/permission";
import { retryLostRace } from "#core/retry-lost-race";
import { type Query, read, statement } from "#db/client";
import { dispatch } from "#domain/jobs";
import { getSettings } from "#domain/settings";
import { userIdOf } from "#domain/tenants";
import { mayChange, type NewSession, notFoundFor, resolveClash, type Writer, writerOf, writerView } from "./access.ts";
import { changeStatements, type Mutation, type NextMemory, needsEmbedding, replacing, sameSet, tryCommit } from "./change.ts";
import { contentHash } from "./content-hash.ts";
import { defaultPrivacy } from "./defaults.ts";
import { byAskedId, findPersons } from "./load-references.ts";
import { requireSubjects } from "./require-references.ts";
import { decided, findSeen, STORED, type StoredMemory } from "./rows.ts";
import type { MemoryView, ReviseInput, WriterPlaceInput } from "./schemas.ts";
import { type Completion, complete, judgedAgain, offsetOf, parseGiven, sameValues, type Values, valuesOf } from "./values.ts";
import { asPersons, toMemory } from "./view.ts";

type ReviseCtx = Ctx<"db" | "now" | "newId" | "jobs" | "defer" | "embedder" | "caches" | "log" | "wait" | "random">;

/** A memory, the versions that the caller may have, and the session or project that the caller names. */
type Named = { memoryId: string; versions: readonly number[] | null; place: WriterPlaceInput & NewSession };

/**
 * Changes the named fields and keeps the old version. The caller must be able to see the memory and allowed to change it.
 * @throws not_found for a user who may not see it.
 * @throws forbidden for a user who may see it but not change it.
 * @throws precondition_failed if its version is none of those named.
 * @throws conflict if another memory has the same words or key, or concurrent calls keep changing it.
 * @throws unprocessable for what breaks a rule, with the field.
 */
export async function revise(ctx: ReviseCtx, named: Named, input: ReviseInput): Promise<MemoryView> {
  requirePermission(ctx.actor, "write");
  if (!isPublicId("memory", named.memoryId)) throw notFound("memory");
  return await retryLostRace(ctx, "The memory is being changed by others at the same moment. Try again.", () =>
    tryRevise(ctx, named, input),
  );
}

async function tryRevise(ctx: ReviseCtx, named: Named, input: ReviseInput): Promise<MemoryView | "lost"> {
  const { memoryId, place, versions } = named;
  const writer = writerOf(ctx, place.userId);
  const viewer = writerView(ctx, writer, place);
  const given = parseGiven(input, { now: ctx.now(), path: "" });
  const found = await read(ctx, {
    seen: findSeen(ctx, viewer, [memoryId]),
    stored: findChangeable(ctx, writer, memoryId),
    persons: findPersons(ctx, input.subjects ?? []),
  });
  const [seen] = decided(ctx, viewer, found.seen);
  if (seen === undefined) throw notFoundFor(writer);
  const [before] = found.stored;
  if (before === undefined) throw mayNotChange();
  if (versions !== null && !versions.includes(before.version)) throw isStale();

  const subjects = requireSubjects({ persons: byAskedId(found.persons) }, input.subjects);
  const values = complete(given, valuesOf(before), editing(ctx, before, seen));
  const about = subjects?.map(({ id }) => id) ?? before.subjects;
  const next = await nextOf(ctx, { before, given, values, isHere: seen.learnedHere, subjects: about, since: input.validFrom });
  const { visibilityReason } = seen;
  const shown = { model: ctx.embedder.model, visibilityReason };
  if (saysNothingNew(before, next)) return toMemory(seen, shown);
  const jobId = ctx.newId("job");
  const outcome = await storeRevision(ctx, { writer, before, next, jobId, fields: Object.keys(input) }, seen.sessionExternalId);
  if (outcome === "lost" && versions !== null) throw isStale();
  if (outcome !== "stored") return "lost";
  const embeds = needsEmbedding(before, next);
  if (embeds) dispatch(ctx, [jobId]);
  const { status, piiRisk, learnedIn } = next;
  const changed = {
    ...{ ...seen, ...valuesOf(next), status, piiRisk, version: before.version + 1, updatedAt: ctx.now() },
    ...(learnedIn === before.learnedIn ? {} : { learnedIn: null, episodeId: null }),
    vectorModel: embeds ? null : seen.vectorModel,
    subjects: subjects === null ? seen.subjects : asPersons(subjects.map(({ publicId }) => publicId)),
  };
  return toMemory(changed, shown);
}

type Revision = { writer: Writer; before: StoredMemory; next: NextMemory; jobId: string; fields: string[] };

/** Stores a revision. Memories with the same words or key that the writer may not know of are worked around. */
async function storeRevision(
  ctx: ReviseCtx,
  revision: Revision,
  sessionExternalId: string | null,
): Promise<"stored" | "taken" | "lost" | "again"> {
  const { writer, before, next } = revision;
  const { hash, key, workspaceId } = next;
  const outcome = await tryCommit(ctx, revisionOf(ctx, revision));
  if (outcome !== "taken") return outcome;
  const session = before.sessionId === null ? null : sessionExternalId;
  const clash = await resolveClash(ctx, { writer, memory: before, sessionExternalId: session, hash, key, workspaceId });
  if (clash.kind === "known") throw conflict("The same words, or the same key, are there already.");
  // What had the words or the key is gone: the memory itself has not changed.
  if (clash.kind === "none") return "again";
  const mutation = revisionOf(ctx, { ...revision, next: { ...next, hash: clash.hash } });
  const by = { publicId: before.publicId, validFrom: next.validFrom };
  return await tryCommit(ctx, replacing(ctx, clash.holder, { by, mutation }));
}

function revisionOf(ctx: ReviseCtx, { writer, before, next, jobId, fields }: Revision): Mutation {
  const userId = userIdOf(ctx.tenantId, writer.user);
  const detail = { fields, version: before.version + 1 };
  return {
    statements: changeStatements(ctx, before, next, { jobId, authority: mayChange(ctx, writer, sql`m`) }),
    audit: [{ action: "memory.revised", objectId: before.publicId, userId, workspaceId: next.workspaceId, detail }],
  };
}

/** The memory with that id that is not deleted, if the writer may change it. */
export function findChangeable(ctx: Ctx, writer: Writer, memoryId: string): Query<StoredMemory> {
  return statement(
    STORED,
    sql`
    select ${STORED.columns} from memories m
    where m.public_id = ${memoryId} and m.tenant_id = ${ctx.tenantId} and m.deleted_at is null and ${mayChange(ctx, writer, sql`m`)}`,
  );
}

export function mayNotChange(): AppError {
  return new AppError("forbidden", "Only its owner, or who takes part in its group, may change a memory.");
}

function isStale(): AppError {
  return new AppError("precondition_failed", "The memory has changed since you read it.");
}

/**
 * How changes are completed. A new statement is as private as the place where it is written; a group's memory is for its group. `standing`
 * says whether the change is made in the session where the memory was learned, and whether other users are there; null in the review queue.
 */
export function editing(
  ctx: Ctx<"now">,
  { ownership }: Pick<StoredMemory, "ownership">,
  standing: { learnedHere: boolean; isGroup: boolean } | null,
): Completion {
  const amongOthers = ownership === "group" || (standing?.learnedHere === true && standing.isGroup);
  return {
    now: ctx.now(),
    path: "",
    isShared: ownership === "shared",
    privacyOf: (words) => defaultPrivacy(words, { ownership, amongOthers }),
  };
}

/**
 * A changed statement was not known to those who learned the old one: it counts as learned now, and in this session only if it is written
 * there.
 */
function whereLearned(
  ctx: Ctx<"now">,
  { before, values, isHere }: { before: StoredMemory; values: Values; isHere: boolean },
): Pick<NextMemory, "learnedIn" | "episodeId" | "learnedAt"> {
  const { ownership, learnedIn, episodeId, learnedAt } = before;
  if (values.content === before.content) return { learnedIn, episodeId, learnedAt };
  return ownership === "group" || isHere
    ? { learnedIn, episodeId, learnedAt: ctx.now() }
    : { learnedIn: null, episodeId: null, learnedAt: ctx.now() };
}

/**
 * A memory with the changed values.
 * @throws unprocessable for a shared memory that would no longer be public.
 */
export async function nextOf(
  ctx: Ctx<"db" | "now" | "caches">,
  of: {
    before: StoredMemory;
    given: Partial<Values>;
    values: Values;
    subjects: readonly number[];
    /** Whether the change is made in the session where it was learned. */
    isHere: boolean;
    /** The given `validFrom`, as it was sent. */
    since: string | undefined;
  },
): Promise<NextMemory> {
  const { before, given, values } = of;
  if (before.ownership === "shared" && values.sensitivity !== "public")
    throw breaksRule("sensitivity", "A shared memory is public.");
  const { piiReview } = await getSettings(ctx);
  const { statedBy } = before;
  const words = await contentHash(values);
  // Words with an alternate hash keep it; words that waited under a key get the plain hash.
  const keepsPlace = before.supersedes === null && words === (await contentHash(valuesOf(before)));
  return {
    ...values,
    ...judgedAgain(before, { given, values, piiReview }),
    hash: keepsPlace ? before.hash : words,
    subjects: of.subjects,
    ...whereLearned(ctx, of),
    ...{ statedBy, supersedes: null, contradicts: null },
    validOffset: offsetOf(of.since, before),
  };
}

function saysNothingNew(before: StoredMemory, next: NextMemory): boolean {
  return sameValues(valuesOf(before), next) && next.status === before.status && sameSet(before.subjects, next.subjects);
}
