import { sql } from "drizzle-orm";
import type { Ctx } from "#context";
import { AppError, conflict, contended, notFound } from "#core/errors";
import { isPublicId } from "#core/ids";
import { isAdmin, requirePermission } from "#core/permission";
import type { Statement } from "#db/client";
import { failUnless, isLostRace, isUniqueViolation } from "#db/guard";
import { type AuditEntry, commit, runBatch } from "#domain/audit";
import { dispatch } from "#domain/jobs";
import { userIdOf, userNotNamed } from "#domain/tenants";
import { mayReview, type Writer, writerOf } from "./authority.ts";
import { changeStatements, isUnchanged, needsEmbedding, supersedeStatements } from "./change.ts";
import { memoryColumns, OF_QUEUE } from "./columns.ts";
import { keyThatMoves } from "./decide.ts";
import { findPersons, personsOf } from "./load-references.ts";
import { complete, parseGiven } from "./parse-input.ts";
import { editing, nextOf, readSubjects } from "./revise.ts";
import type { ApproveInput, MemoryView, RejectInput, ReviewedView, ReviewInput } from "./schemas.ts";
import { type StoredMemory, storedColumns, valuesOf } from "./stored.ts";
import { type MemoryRow, toMemory } from "./view.ts";

type ReviewCtx = Ctx<"db" | "now" | "newId" | "jobs" | "defer" | "embedder" | "caches">;

type Decision = ReviewInput["decisions"][number];

/** Approves a memory that waits, changed as the input says, and with it what it supersedes. 404 unless its owner or an admin key asks. */
export async function approve(ctx: ReviewCtx, memoryId: string, { userId, ...edits }: ApproveInput): Promise<MemoryView> {
  return await decideOne(ctx, userId, { id: memoryId, action: "approve", ...edits });
}

/** Rejects a memory that waits: it is kept, so that the same words do not come back into the queue. */
export async function reject(ctx: ReviewCtx, memoryId: string, { userId }: RejectInput): Promise<MemoryView> {
  return await decideOne(ctx, userId, { id: memoryId, action: "reject" });
}

async function decideOne(ctx: ReviewCtx, userId: string | undefined, decision: Decision): Promise<MemoryView> {
  const { writer, outcomes } = await decideAll(ctx, userId, [decision]);
  const [outcome] = outcomes;
  if (outcome instanceof AppError) throw outcome;
  const [row] = await ctx.db.all<MemoryRow>(sql`
    select ${memoryColumns(OF_QUEUE)} from memories m
    cross join (select ${userIdOf(ctx.tenantId, writer.user)} as user_id) r
    where m.public_id = ${decision.id} and m.tenant_id = ${ctx.tenantId} and m.deleted_at is null and ${mayReview(ctx, writer, sql`m`)}`);
  if (row === undefined) throw notFound("memory");
  return toMemory(row, { model: ctx.embedder.model, visibilityReason: "own" });
}

/** Decides about many at once; each is refused or carried out by itself. */
export async function review(ctx: ReviewCtx, input: ReviewInput): Promise<ReviewedView> {
  const { outcomes } = await decideAll(ctx, input.userId, input.decisions);
  return {
    items: input.decisions.map(({ id, action }, i) => {
      const outcome = outcomes[i];
      if (outcome instanceof AppError) {
        const detail = outcome.fields[0] === undefined ? outcome.message : `${outcome.fields[0].path}: ${outcome.message}`;
        return { id, outcome: "refused" as const, problem: { code: outcome.code, detail } };
      }
      return { id, outcome: action === "approve" ? ("approved" as const) : ("rejected" as const) };
    }),
  };
}

type Outcome = "done" | AppError;

/** What one decision writes. */
type Prepared = { place: number; statements: Statement[]; audit: AuditEntry[]; jobIds: string[] };

async function decideAll(
  ctx: ReviewCtx,
  userId: string | undefined,
  decisions: readonly Decision[],
): Promise<{ writer: Writer; outcomes: Outcome[] }> {
  requirePermission(ctx.actor, "write");
  const writer = writerOf(ctx, userId);
  if (writer.user === null && !isAdmin(ctx.actor)) throw userNotNamed();
  const ids = decisions.map(({ id }) => id).filter((id) => isPublicId("memory", id));
  const subjects = decisions.flatMap((decision) => (decision.action === "approve" ? (decision.subjects ?? []) : []));
  const [found, superseded, persons] = await runBatch(ctx, [
    ctx.db.all(sql`
      select ${storedColumns} from json_each(${JSON.stringify(ids)}) j cross join memories m on m.public_id = j.value and m.tenant_id = ${ctx.tenantId}
      where m.deleted_at is null and m.superseded_by is null and m.status in ('pending', 'rejected') and ${mayReview(ctx, writer, sql`m`)}`),
    ctx.db.all(sql`
      select ${storedColumns} from json_each(${JSON.stringify(ids)}) j
      cross join memories n on n.public_id = j.value and n.tenant_id = ${ctx.tenantId} and n.status in ('pending', 'rejected')
      cross join memories m on m.id = n.supersedes where m.deleted_at is null and m.superseded_by is null and ${mayReview(ctx, writer, sql`n`)}`),
    findPersons(ctx, subjects),
  ]);
  const waiting = new Map(((found?.rows ?? []) as StoredMemory[]).map((row) => [row.publicId, row]));
  const replaced = new Map(((superseded?.rows ?? []) as StoredMemory[]).map((row) => [row.id, row]));
  const outcomes: Outcome[] = decisions.map(() => "done");
  const prepared: Prepared[] = [];
  const seen = new Set<string>();
  for (const [place, decision] of decisions.entries()) {
    const before = seen.has(decision.id) ? undefined : waiting.get(decision.id);
    seen.add(decision.id);
    try {
      if (before === undefined) throw notFound("memory");
      const old = before.supersedes === null ? undefined : replaced.get(before.supersedes);
      prepared.push({ place, ...(await prepare(ctx, { writer, decision, before, old, persons: personsOf(persons) })) });
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      outcomes[place] = error;
    }
  }
  await carryOut(ctx, prepared, outcomes);
  return { writer, outcomes };
}

/** Together while that works; what lost a race is found by halves, and refused alone. */
async function carryOut(ctx: ReviewCtx, prepared: readonly Prepared[], outcomes: Outcome[]): Promise<void> {
  const [first] = prepared;
  if (first === undefined) return;
  try {
    await commit(ctx, {
      statements: prepared.flatMap(({ statements }) => statements),
      audit: prepared.flatMap(({ audit }) => audit),
    });
    dispatch(
      ctx,
      prepared.flatMap(({ jobIds }) => jobIds),
    );
  } catch (error) {
    if (!isLostRace(error) && !isUniqueViolation(error)) throw error;
    if (prepared.length === 1) {
      outcomes[first.place] = isLostRace(error)
        ? contended("The memory was changed by somebody else at the same moment.")
        : conflict("The same words, or the same key, are there already.");
      return;
    }
    const half = Math.ceil(prepared.length / 2);
    await carryOut(ctx, prepared.slice(0, half), outcomes);
    await carryOut(ctx, prepared.slice(half), outcomes);
  }
}

async function prepare(
  ctx: ReviewCtx,
  of: {
    writer: Writer;
    decision: Decision;
    before: StoredMemory;
    old: StoredMemory | undefined;
    persons: Parameters<typeof readSubjects>[0];
  },
): Promise<Omit<Prepared, "place">> {
  const { decision, before, old } = of;
  const jobId = ctx.newId("job");
  const id = sql.raw(String(before.id));
  const common = {
    objectId: before.publicId,
    userId: userIdOf(ctx.tenantId, of.writer.user),
    workspaceId: before.workspaceId || null,
  };
  if (decision.action === "reject" && before.status === "rejected") return { jobIds: [], statements: [], audit: [] };
  if (decision.action === "reject") {
    return {
      jobIds: [],
      statements: [
        failUnless(ctx.db, isUnchanged(ctx, before, mayReview(ctx, of.writer, sql`m`))),
        ctx.db.run(sql`
          update memories set status = 'rejected', version = version + 1, updated_at = ${ctx.now()}
          where id = ${id} and tenant_id = ${ctx.tenantId}`),
      ],
      audit: [{ ...common, action: "memory.rejected", detail: {} }],
    };
  }
  const { id: _, action: __, ...edits } = decision;
  const given = parseGiven(edits, { now: ctx.now(), path: "" });
  const subjects = readSubjects(of.persons, edits.subjects);
  const values = complete(given, valuesOf(before), editing(ctx, before, null));
  if (values.expiresAt !== null && values.expiresAt <= ctx.now())
    throw conflict("This memory has expired. Approve it with a later expiresAt.");
  const next = await nextOf(ctx, {
    before,
    given,
    values,
    isHere: false,
    subjects: subjects?.map((person) => person.id) ?? null,
  });
  const key = values.key ?? keyThatMoves(old ?? null, values);
  const replacing =
    old === undefined
      ? null
      : supersedeStatements(ctx, old, { publicId: before.publicId, validFrom: values.validFrom, authority: sql`true` });
  return {
    jobIds: needsEmbedding(before, next) ? [jobId] : [],
    statements: [
      ...(replacing === null ? [] : replacing.before),
      ...changeStatements(
        ctx,
        before,
        { ...next, key, status: "approved" },
        { jobId, authority: mayReview(ctx, of.writer, sql`m`) },
      ),
      ...(replacing === null ? [] : [replacing.after]),
    ],
    audit: [
      { ...common, action: "memory.approved", detail: { fields: Object.keys(edits) } },
      ...(old === undefined
        ? []
        : [{ ...common, action: "memory.superseded", objectId: old.publicId, detail: { by: before.publicId } }]),
    ],
  };
}
