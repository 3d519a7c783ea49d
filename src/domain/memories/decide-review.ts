import { sql } from "drizzle-orm";
import type { Ctx } from "#context";
import { AppError, conflict, contended, notFound } from "#core/errors";
import { isPublicId } from "#core/ids";
import { isAdmin, requirePermission } from "#core/permission";
import { read, statement } from "#db/client";
import { failUnless } from "#db/guard";
import { dispatch } from "#domain/jobs";
import { userIdOf, userNotNamed } from "#domain/tenants";
import { mayReview, type Writer, writerOf } from "./access.ts";
import { changeStatements, inheritedKey, isUnchanged, type Mutation, needsEmbedding, replacing, tryCommit } from "./change.ts";
import { byAskedId, findPersons, type Person } from "./load-references.ts";
import { requireSubjects } from "./require-references.ts";
import { editing, nextOf } from "./revise.ts";
import { QUEUED, STORED, type StoredMemory } from "./rows.ts";
import type { ApproveInput, MemoryView, RejectInput, ReviewedView, ReviewInput } from "./schemas.ts";
import { complete, parseGiven, valuesOf } from "./values.ts";
import { toMemory } from "./view.ts";

type ReviewCtx = Ctx<"db" | "now" | "newId" | "jobs" | "defer" | "embedder" | "caches">;

type Decision = ReviewInput["decisions"][number];

/**
 * Approves a waiting memory, after changing it as the input says, and replaces what it supersedes.
 * @throws not_found unless the caller is its owner or an admin key.
 * @throws conflict if another memory has the same words or key, it has expired, or a concurrent write changed it.
 * @throws unprocessable for a change that breaks a rule.
 */
export async function approve(ctx: ReviewCtx, memoryId: string, { userId, ...edits }: ApproveInput): Promise<MemoryView> {
  return await decideOne(ctx, userId, { id: memoryId, action: "approve", ...edits });
}

/**
 * Rejects a waiting memory. It is kept, so that the same words do not return to the queue.
 * @throws not_found unless the caller is its owner or an admin key.
 */
export async function reject(ctx: ReviewCtx, memoryId: string, { userId }: RejectInput): Promise<MemoryView> {
  return await decideOne(ctx, userId, { id: memoryId, action: "reject" });
}

async function decideOne(ctx: ReviewCtx, userId: string | undefined, decision: Decision): Promise<MemoryView> {
  const { writer, outcomes } = await decideAll(ctx, userId, [decision]);
  const [outcome] = outcomes;
  if (outcome instanceof AppError) throw outcome;
  const {
    found: [row],
  } = await read(ctx, {
    found: statement(
      QUEUED,
      sql`
      select ${QUEUED.columns} from memories m
      cross join (select ${userIdOf(ctx.tenantId, writer.user)} as user_id) r
      where m.public_id = ${decision.id} and m.tenant_id = ${ctx.tenantId} and m.deleted_at is null and ${mayReview(ctx, writer, sql`m`)}`,
    ),
  });
  if (row === undefined) throw notFound("memory");
  return toMemory(row, { model: ctx.embedder.model, visibilityReason: "own" });
}

/** Decides about many memories; each is refused or carried out independently. */
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
type Prepared = Mutation & { place: number; jobIds: string[] };

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
  const found = await read(ctx, {
    waiting: statement(
      STORED,
      sql`
      select ${STORED.columns} from json_each(${JSON.stringify(ids)}) j cross join memories m on m.public_id = j.value and m.tenant_id = ${ctx.tenantId}
      where m.deleted_at is null and m.superseded_by is null and m.status in ('pending', 'rejected') and ${mayReview(ctx, writer, sql`m`)}`,
    ),
    replaced: statement(
      STORED,
      sql`
      select ${STORED.columns} from json_each(${JSON.stringify(ids)}) j
      cross join memories n on n.public_id = j.value and n.tenant_id = ${ctx.tenantId} and n.status in ('pending', 'rejected')
      cross join memories m on m.id = n.supersedes where m.deleted_at is null and m.superseded_by is null and ${mayReview(ctx, writer, sql`n`)}`,
    ),
    persons: findPersons(ctx, subjects),
  });
  const persons = byAskedId(found.persons);
  const waiting = new Map(found.waiting.map((memory) => [memory.publicId, memory]));
  const replaced = new Map(found.replaced.map((memory) => [memory.id, memory]));
  const outcomes: Outcome[] = decisions.map(() => "done");
  const prepared: Prepared[] = [];
  const seen = new Set<string>();
  for (const [place, decision] of decisions.entries()) {
    const before = seen.has(decision.id) ? undefined : waiting.get(decision.id);
    seen.add(decision.id);
    try {
      if (before === undefined) throw notFound("memory");
      const old = before.supersedes === null ? null : (replaced.get(before.supersedes) ?? null);
      prepared.push({ place, ...(await prepare(ctx, { writer, decision, before, old, persons })) });
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      outcomes[place] = error;
    }
  }
  await carryOut(ctx, prepared, outcomes);
  return { writer, outcomes };
}

/** Runs all decisions as one batch if possible. If one loses a race, the batch is halved until only that one is refused. */
async function carryOut(ctx: ReviewCtx, prepared: readonly Prepared[], outcomes: Outcome[]): Promise<void> {
  const [first] = prepared;
  if (first === undefined) return;
  const outcome = await tryCommit(ctx, {
    statements: prepared.flatMap(({ statements }) => statements),
    audit: prepared.flatMap(({ audit }) => audit),
  });
  if (outcome === "stored") {
    dispatch(
      ctx,
      prepared.flatMap(({ jobIds }) => jobIds),
    );
  } else if (prepared.length > 1) {
    const half = Math.ceil(prepared.length / 2);
    await carryOut(ctx, prepared.slice(0, half), outcomes);
    await carryOut(ctx, prepared.slice(half), outcomes);
  } else {
    outcomes[first.place] =
      outcome === "lost"
        ? contended("The memory was changed by somebody else at the same moment.")
        : conflict("The same words, or the same key, are there already.");
  }
}

type ToPrepare = {
  writer: Writer;
  decision: Decision;
  before: StoredMemory;
  old: StoredMemory | null;
  persons: ReadonlyMap<string, Person>;
};

async function prepare(ctx: ReviewCtx, of: ToPrepare): Promise<Omit<Prepared, "place">> {
  const { decision, before, old, writer } = of;
  const { publicId: objectId, workspaceId } = before;
  const common = { objectId, userId: userIdOf(ctx.tenantId, writer.user), workspaceId };
  const authority = mayReview(ctx, writer, sql`m`);
  if (decision.action === "reject" && before.status === "rejected") return { jobIds: [], statements: [], audit: [] };
  if (decision.action === "reject") {
    return {
      jobIds: [],
      statements: [
        failUnless(ctx.db, isUnchanged(ctx, before, authority)),
        ctx.db.run(sql`
          update memories set status = 'rejected', version = version + 1, updated_at = ${ctx.now()}
          where id = ${sql.raw(String(before.id))} and tenant_id = ${ctx.tenantId}`),
      ],
      audit: [{ ...common, action: "memory.rejected", detail: {} }],
    };
  }
  const { id, action, ...edits } = decision;
  const given = parseGiven(edits, { now: ctx.now(), path: "" });
  const subjects = requireSubjects(of, edits.subjects)?.map((person) => person.id) ?? before.subjects;
  const values = complete(given, valuesOf(before), editing(ctx, before, null));
  if (values.expiresAt !== null && values.expiresAt <= ctx.now())
    throw conflict("This memory has expired. Approve it with a later expiresAt.");
  const next = await nextOf(ctx, { before, given, values, isHere: false, subjects, since: edits.validFrom });
  const approved = { ...next, key: values.key ?? inheritedKey(old, values), status: "approved" as const };
  const jobId = ctx.newId("job");
  const mutation = {
    statements: changeStatements(ctx, before, approved, { jobId, authority }),
    audit: [{ ...common, action: "memory.approved", detail: { fields: Object.keys(edits) } }],
  };
  return {
    jobIds: needsEmbedding(before, next) ? [jobId] : [],
    ...replacing(ctx, old, { by: { publicId: objectId, validFrom: values.validFrom }, mutation }),
  };
}
