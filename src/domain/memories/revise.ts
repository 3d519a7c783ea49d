import { sql } from "drizzle-orm";
import type { Ctx } from "#context";
import { AppError, breaksRule, conflict, notFound } from "#core/errors";
import { isPublicId } from "#core/ids";
import { requirePermission } from "#core/permission";
import { retryLostRace } from "#core/retry-lost-race";
import type { Statement, StatementResult } from "#db/client";
import { isLostRace, isUniqueViolation } from "#db/guard";
import { commit, runBatch } from "#domain/audit";
import { dispatch } from "#domain/jobs";
import { getSettings } from "#domain/settings";
import { userIdOf } from "#domain/tenants";
import { mayChange, notFoundFor, type Writer, writerOf } from "./authority.ts";
import { changeStatements, type NextMemory, needsEmbedding, sameSet, supersedeStatements } from "./change.ts";
import { decided, loadSeen, type SeenRow } from "./columns.ts";
import { contentHash } from "./content-hash.ts";
import { judgedAgain } from "./decide.ts";
import { defaultPrivacy, type Privacy } from "./default-privacy.ts";
import { makeRoom } from "./known-to-writer.ts";
import { findPersons, personsOf, type References, requirePerson } from "./load-references.ts";
import { complete, parseGiven, sameValues, type Values, type Words } from "./parse-input.ts";
import { writerView } from "./place.ts";
import type { MemoryView, ReviseInput, WriterPlaceInput } from "./schemas.ts";
import { type StoredMemory, storedColumns, subjectsOf, valuesOf } from "./stored.ts";
import { asSubjects, toMemory } from "./view.ts";

type ReviseCtx = Ctx<"db" | "now" | "newId" | "jobs" | "defer" | "embedder" | "caches" | "log" | "wait" | "random">;

/**
 * Changes what the input names and keeps the old version. Only who may hear the memory and may change it can: 404, else 403. 412 when
 * it is not the version that the caller has, 409 when others keep changing it at the same moment or the same words are there.
 */
export async function revise(
  ctx: ReviseCtx,
  named: { memoryId: string; versions: readonly number[] | null; place: WriterPlaceInput },
  input: ReviseInput,
): Promise<MemoryView> {
  requirePermission(ctx.actor, "write");
  if (!isPublicId("memory", named.memoryId)) throw notFound("memory");
  return await retryLostRace(ctx, "The memory is being changed by others at the same moment. Try again.", () =>
    tryRevise(ctx, named, input),
  );
}

async function tryRevise(
  ctx: ReviseCtx,
  named: { memoryId: string; versions: readonly number[] | null; place: WriterPlaceInput },
  input: ReviseInput,
): Promise<MemoryView | "lost"> {
  const { memoryId, place } = named;
  const writer = writerOf(ctx, place.userId);
  const viewer = writerView(ctx, writer, place);
  const given = parseGiven(input, { now: ctx.now(), path: "" });
  const [seenRows, stored, found] = await runBatch(ctx, [
    loadSeen(ctx, viewer, [memoryId]),
    findChangeable(ctx, writer, memoryId),
    findPersons(ctx, input.subjects ?? []),
  ]);
  const [seen] = decided(ctx, viewer, (seenRows?.rows ?? []) as SeenRow[]);
  if (seen === undefined) throw notFoundFor(writer);
  const before = asStored(stored);
  if (before === undefined) throw mayNotChange();
  if (named.versions !== null && !named.versions.includes(before.version)) throw isStale();

  const persons = readSubjects(personsOf(found), input.subjects);
  const values = complete(given, valuesOf(before), editing(ctx, before, seen));
  const isHere = seen.learnedHere === 1;
  const next = await nextOf(ctx, { before, given, values, isHere, subjects: persons?.map(({ id }) => id) ?? null });
  const old = toMemory(seen, { model: ctx.embedder.model, visibilityReason: seen.visibilityReason });
  if (saysNothingNew(before, next)) return old;
  const jobId = ctx.newId("job");
  const change = { writer, before, next, jobId, fields: Object.keys(input) };
  let outcome = await storeRevision(ctx, { ...change, holder: null });
  if (outcome === "taken") {
    const wish = { writer, memory: before, sessionExternalId: before.sessionId === null ? null : seen.sessionExternalId };
    const room = await makeRoom(ctx, { ...wish, hash: next.hash, key: next.key ?? "", workspaceId: next.workspaceId ?? "" });
    if (room.kind === "known") throw conflict("The same words, or the same key, are there already.");
    if (room.kind === "none") return "lost";
    outcome = await storeRevision(ctx, { ...change, next: { ...next, hash: room.hash }, holder: room.holder });
  }
  if (outcome === "lost" && named.versions !== null) throw isStale();
  if (outcome !== "stored") return "lost";
  if (needsEmbedding(before, next)) dispatch(ctx, [jobId]);
  const { type, workspaceId, scopeType, scopeId, confidence, sensitivity, portable, pinned, metadata, status } = next;
  return toMemory(
    {
      ...seen,
      ...{
        content: next.content,
        type,
        key: next.key ?? "",
        workspaceId: workspaceId ?? "",
        scopeType,
        scopeId,
        confidence,
        sensitivity,
      },
      ...{
        portable: portable ? 1 : 0,
        pinned: pinned ? 1 : 0,
        metadata: JSON.stringify(metadata),
        status,
        piiRisk: next.piiRisk,
      },
      ...{ validFrom: next.validFrom, expiresAt: next.expiresAt, version: before.version + 1, updatedAt: ctx.now() },
      ...(next.learnedIn === before.learnedIn ? {} : { learnedIn: null, episodeId: null }),
      vectorModel: needsEmbedding(before, next) ? null : seen.vectorModel,
      subjects: persons === null ? seen.subjects : asSubjects(persons.map(({ publicId }) => publicId)),
    },
    { model: ctx.embedder.model, visibilityReason: seen.visibilityReason },
  );
}

/** `taken`, and nothing written, where another has the words or the key; `holder` is one that gives the key up. */
async function storeRevision(
  ctx: ReviseCtx,
  change: {
    writer: Writer;
    before: StoredMemory;
    next: NextMemory;
    jobId: string;
    fields: string[];
    holder: StoredMemory | null;
  },
): Promise<"stored" | "taken" | "lost"> {
  const { writer, before, next, jobId, fields, holder } = change;
  const { publicId } = before;
  const common = { userId: userIdOf(ctx.tenantId, writer.user), workspaceId: next.workspaceId };
  const replaced =
    holder === null ? null : supersedeStatements(ctx, holder, { publicId, validFrom: next.validFrom, authority: sql`true` });
  try {
    await commit(ctx, {
      statements: [
        ...(replaced?.before ?? []),
        ...changeStatements(ctx, before, next, { jobId, authority: mayChange(ctx, writer, sql`m`) }),
        ...(replaced === null ? [] : [replaced.after]),
      ],
      audit: [
        { ...common, action: "memory.revised", objectId: publicId, detail: { fields, version: before.version + 1 } },
        ...(holder === null
          ? []
          : [{ ...common, action: "memory.superseded", objectId: holder.publicId, detail: { by: publicId } }]),
      ],
    });
    return "stored";
  } catch (error) {
    if (isUniqueViolation(error)) return "taken";
    if (isLostRace(error)) return "lost";
    throw error;
  }
}

/** The memory of that id that is not deleted, if the writer may change it. */
export function findChangeable(ctx: Ctx<"db">, writer: Writer, memoryId: string): Statement {
  return ctx.db.all(sql`
    select ${storedColumns} from memories m
    where m.public_id = ${memoryId} and m.tenant_id = ${ctx.tenantId} and m.deleted_at is null and ${mayChange(ctx, writer, sql`m`)}`);
}

/** A row of `storedColumns`. */
export function asStored(result: StatementResult | undefined): StoredMemory | undefined {
  return result?.rows[0] as StoredMemory | undefined;
}

export function mayNotChange(): AppError {
  return new AppError("forbidden", "Only its owner, or who takes part in its group, may change a memory.");
}

function isStale(): AppError {
  return new AppError("precondition_failed", "The memory has changed since you read it.");
}

/** Each person once, or null when none are named. */
export function readSubjects(
  persons: References["persons"],
  subjects: readonly string[] | undefined,
): { id: number; publicId: string }[] | null {
  if (subjects === undefined) return null;
  const named = subjects.map((id, i) => requirePerson({ persons }, id, `subjects[${i}]`));
  return [...new Map(named.map((person) => [person.id, person])).values()];
}

/** Where a memory is changed, as far as its reader row says: whether it was learned there, and whether others are there too. */
type Standing = { learnedHere: number; isGroup: number };

/**
 * How changes are completed. A new statement is as private as the place where it is written; a group's memory is written for its group.
 * `standing` is null where nobody stands in a session, as in the review queue.
 */
export function editing(ctx: Ctx<"now">, { ownership }: Pick<StoredMemory, "ownership">, standing: Standing | null) {
  const amongOthers = ownership === "group" || (standing?.learnedHere === 1 && standing.isGroup === 1);
  return {
    now: ctx.now(),
    path: "",
    isShared: ownership === "shared",
    privacyOf: (words: Words): Privacy => defaultPrivacy(words, { ownership, amongOthers }),
  };
}

/** Who saw the old statement did not see the new one: that was learned when it is written, and where only if it is written there. */
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

/** A memory with the values that were given. 422 for a shared one that would not be public any more. */
export async function nextOf(
  ctx: Ctx<"db" | "now" | "caches">,
  of: {
    before: StoredMemory;
    given: Partial<Values>;
    values: Values;
    subjects: readonly number[] | null;
    /** Whether the change is made in the session where it was learned. */
    isHere: boolean;
  },
): Promise<NextMemory> {
  const { before, given, values } = of;
  if (before.ownership === "shared" && values.sensitivity !== null) throw breaksRule("sensitivity", "A shared memory is public.");
  const { piiReview } = await getSettings(ctx);
  const { statedBy } = before;
  const words = await contentHash(values);
  // Words that have their place beside the same words keep it; a guess gets the place of what is known.
  const keepsPlace = before.supersedes === null && words === (await contentHash(valuesOf(before)));
  return {
    ...values,
    ...judgedAgain(before, { given, values, piiReview }),
    hash: keepsPlace ? before.hash : words,
    subjects: of.subjects ?? subjectsOf(before),
    ...whereLearned(ctx, of),
    ...{ statedBy, supersedes: null, contradicts: null, saidAgain: 0 },
  };
}

function saysNothingNew(before: StoredMemory, next: NextMemory): boolean {
  return sameValues(valuesOf(before), next) && next.status === before.status && sameSet(subjectsOf(before), next.subjects);
}
