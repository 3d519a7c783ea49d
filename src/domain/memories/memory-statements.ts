import { type SQL, sql } from "drizzle-orm";
import type { Ctx } from "#context";
import { indexTokens } from "#core/text/analyse";
import type { Statement } from "#db/client";
import { failUnless } from "#db/guard";
import { rowsInParts, rowsOf } from "#db/rows";
import type { AuditEntry } from "#domain/audit";
import { mayEnter, tenantSpaceId } from "#domain/visibility";
import { changeStatements, enqueueIndexing, supersedeStatements } from "./change.ts";
import { type Decision, isRejected } from "./decide.ts";
import { forgetStatements } from "./forget.ts";
import { type Author, THE_TENANT } from "./load-references.ts";
import { judge, REVIEWED_FROM } from "./parse-input.ts";
import type { StoredMemory } from "./stored.ts";
import { lifetimeMs } from "./types.ts";

type StoreCtx = Ctx<"db" | "now">;

/** Decided again where it is written: that the author still takes part where these memories live and were learned. */
export function guards(ctx: StoreCtx, author: Author, decisions: readonly Decision[]): Statement[] {
  const homes = new Set(decisions.flatMap(({ session }) => session?.id ?? []));
  const learned = decisions.flatMap(({ next, before }) => (next.learnedIn === before?.learnedIn ? [] : (next.learnedIn ?? [])));
  const others = new Set(learned.filter((id) => !homes.has(id)));
  return [
    ...[...homes].map(
      (id) =>
        sql`exists (select 1 from participants gp where gp.session_id = ${id} and gp.user_id = ${author.userId} and gp.left_at is null)`,
    ),
    ...[...others].map(
      (id) => sql`exists (
        select 1 from (select ${sql.raw(String(author.userId))} as id) gu cross join sessions gs
        where gs.id = ${id} and gs.tenant_id = ${ctx.tenantId} and ${mayEnter(sql`gu`, sql`gs`)})`,
    ),
  ].map((condition) => failUnless(ctx.db, condition));
}

/** What has expired and was not forgotten yet makes room for what is said now. */
export function clearExpired(ctx: StoreCtx, expired: readonly StoredMemory[], jobId: string): Statement[] {
  return expired.length === 0 ? [] : forgetStatements(ctx, expired, { because: "expired", jobId });
}

export function makeTenantSpace(ctx: Ctx<"db">): Statement {
  return ctx.db.run(sql`
    insert into spaces (public_id, tenant_id, kind) values (${tenantSpaceId(ctx.tenantId)}, ${ctx.tenantId}, 'tenant')
    on conflict (public_id) do nothing`);
}

/** What a plan puts in the place of others, once it is in force itself: a memory that it names, and a keyless one of the same words. */
export function supersessions(ctx: StoreCtx, decision: Decision): { before: Statement[]; after: Statement }[] {
  if (isRejected(decision)) return [];
  return replacedBy(decision).map((old) =>
    supersedeStatements(ctx, old, { publicId: decision.publicId, validFrom: decision.next.validFrom, authority: sql`true` }),
  );
}

function replacedBy(decision: Decision): StoredMemory[] {
  const replaced = decision.inForce ? [decision.superseded, decision.duplicate, decision.hiddenHolder] : [];
  return [...new Map(replaced.flatMap((row) => (row === null ? [] : [[row.id, row] as const]))).values()];
}

/** New memories with their words, their subjects and their job, a few statements for any number. */
export function insertStatements(ctx: StoreCtx, author: Author, made: readonly Decision[]): Statement[] {
  const [first] = made;
  if (first === undefined) return [];
  const now = ctx.now();
  const rows = made.map((decision) => [{ json: JSON.stringify(documentOf(decision, author)) }]);
  const words = made.map(({ publicId, next }) => [
    publicId,
    next.subjects.map((person) => ` p${person}`).join(""),
    indexTokens(next.content, null),
  ]);
  const subjects = made.flatMap(({ publicId, next }) => next.subjects.map((person) => [publicId, person]));
  return [
    ...rowsInParts(rows).map((part) =>
      ctx.db.run(sql`
        insert into memories (public_id, tenant_id, space_id, ownership, owner_id, session_id, type, content, key, hash, workspace_id,
          scope_type, scope_id, confidence, sensitivity, portable, pinned, status, pii_risk, metadata, stated_by, learned_in, episode_id,
          learned_at, valid_from, supersedes, contradicts, seen_count, last_seen_at, expires_at, version, created_at, updated_at)
        select j.c0 ->> 'publicId', ${ctx.tenantId}, coalesce(j.c0 ->> 'spaceId', ${tenantSpace(ctx)}), j.c0 ->> 'ownership',
          j.c0 ->> 'ownerId', j.c0 ->> 'sessionId', j.c0 ->> 'type', j.c0 ->> 'content', j.c0 ->> 'key', j.c0 ->> 'hash',
          j.c0 ->> 'workspaceId', j.c0 ->> 'scopeType', j.c0 ->> 'scopeId', j.c0 ->> 'confidence', j.c0 ->> 'sensitivity',
          j.c0 ->> 'portable', j.c0 ->> 'pinned', j.c0 ->> 'status', j.c0 ->> 'piiRisk', j.c0 ->> 'metadata', j.c0 ->> 'statedBy',
          j.c0 ->> 'learnedIn', j.c0 ->> 'episodeId', j.c0 ->> 'learnedAt', j.c0 ->> 'validFrom', j.c0 ->> 'supersedes',
          j.c0 ->> 'contradicts', j.c0 ->> 'seenCount', ${now}, j.c0 ->> 'expiresAt', 1, ${now}, ${now}
        from ${part} j`),
    ),
    ...rowsInParts(words).map((part) =>
      ctx.db.run(sql`
        insert into memory_fts (rowid, space, text) select m.id, 's' || m.space_id || j.c1, j.c2
        from ${part} j cross join memories m on m.public_id = j.c0`),
    ),
    ...rowsInParts(subjects).map((part) =>
      ctx.db.run(sql`
        insert into memory_subjects (memory_id, person_id) select m.id, ${survivorOf(sql`j.c1`, author)}
        from ${part} j cross join memories m on m.public_id = j.c0 where true on conflict do nothing`),
    ),
    enqueueIndexing(ctx, {
      jobId: first.jobId,
      ids: sql`(select json_group_array(m.id) from ${rowsOf(made.map(({ publicId }) => [publicId]))} j cross join memories m on m.public_id = j.c0)`,
    }),
  ];
}

/** Who was merged since they were looked up stands for the survivor; the author's own person always survives. */
function survivorOf(person: SQL, { personId }: Author): SQL {
  return sql`case ${person} when ${personId} then ${person} else (select coalesce(sp.merged_into, sp.id) from persons sp where sp.id = ${person}) end`;
}

function tenantSpace(ctx: Ctx): SQL {
  return sql`(select sp.id from spaces sp where sp.public_id = ${tenantSpaceId(ctx.tenantId)})`;
}

/** The row as JSON; a space that only the batch knows is left out. */
function documentOf(decision: Decision, author: Author): Record<string, unknown> {
  const { next, home, session } = decision;
  return {
    ...next,
    publicId: decision.publicId,
    spaceId: home.ownership === "shared" ? null : (session?.spaceId ?? author.spaceId),
    ownership: home.ownership,
    ownerId: home.ownership === "personal" ? author.userId : null,
    sessionId: session?.id ?? null,
    key: next.key ?? "",
    workspaceId: next.workspaceId ?? "",
    portable: next.portable ? 1 : 0,
    pinned: next.pinned ? 1 : 0,
    metadata: JSON.stringify(next.metadata),
    seenCount: decision.times,
  };
}

/** A memory that was there: said again, or changed. */
export function touchStatements(ctx: StoreCtx, decision: Decision, review: Review): Statement[] {
  const { before } = decision;
  if (before === null || isRejected(decision)) return [];
  if (!decision.isAgain) return changeStatements(ctx, before, decision.next, { jobId: decision.jobId, authority: sql`true` });
  const isStillThere = sql`exists (
    select 1 from memories where id = ${sql.raw(String(before.id))} and tenant_id = ${ctx.tenantId} and hash = ${before.hash}
      and status <> 'rejected' and deleted_at is null and superseded_by is null)`;
  return [failUnless(ctx.db, isStillThere), sayAgain(ctx, decision, before, review)];
}

/** Whether identifiers in the words send a memory to review, and whether the writer may approve what they repeat. */
export type Review = { piiReview: boolean; mayApprove: boolean };

/**
 * Counts, refreshes the life, keeps the higher confidence, and of what concerns privacy the stricter: all of it from the row as the
 * database has it, so that many may say it at once. The version counts what a reader can see has changed beside the counting.
 */
function sayAgain(ctx: StoreCtx, decision: Decision, before: StoredMemory, { piiReview, mayApprove }: Review): Statement {
  const now = ctx.now();
  const { own, given, next } = decision;
  const lifetime = lifetimeMs(before.type);
  const until = given.expiresAt ?? (lifetime === null ? null : now + lifetime);
  const expiry =
    given.expiresAt === null
      ? sql`null`
      : until === null
        ? sql`expires_at`
        : sql`iif(expires_at is null, null, max(expires_at, ${until}))`;
  const isSure =
    judge({ ...own, content: before.content }, { piiReview }).status === "approved" && before.piiRisk < REVIEWED_FROM;
  const approves = sql`${isSure && mayApprove && next.supersedes === null ? 1 : 0} = 1 and status = 'pending' and supersedes is null`;
  const key = decision.inForce && next.key !== null ? sql`${next.key}` : sql`key`;
  // Only what the caller says of privacy: the place where words are said again opens and closes nothing.
  const named = given.sensitivity ?? null;
  const sensitivity = sql`case when ${strictness} < ${STRICTNESS[named ?? "public"]} then ${named} else sensitivity end`;
  const portable = given.portable === false ? 0 : 1;
  const pinned = own.pinned ? 1 : 0;
  return ctx.db.run(sql`
    update memories set seen_count = seen_count + ${decision.times}, last_seen_at = ${now}, updated_at = ${now},
      confidence = max(confidence, ${own.confidence}), sensitivity = ${sensitivity}, portable = min(portable, ${portable}),
      pinned = max(pinned, ${pinned}), supersedes = coalesce(${next.supersedes}, supersedes),
      contradicts = coalesce(${next.contradicts}, contradicts), expires_at = ${expiry}, key = ${key},
      status = case when ${approves} then 'approved' else status end,
      version = version + (confidence < ${own.confidence} or ${strictness} < ${STRICTNESS[named ?? "public"]} or portable > ${portable}
        or pinned < ${pinned} or expires_at is not ${expiry} or key <> ${key} or (${approves}))
    where id = ${sql.raw(String(before.id))} and tenant_id = ${ctx.tenantId}`);
}

const STRICTNESS = { public: 0, personal: 1, sensitive: 2 };
const strictness = sql`(case sensitivity when 'sensitive' then 2 when 'personal' then 1 else 0 end)`;

/** The audit rows of one plan. */
export function auditOf(decision: Decision, author: Author): AuditEntry[] {
  if (isRejected(decision)) return [];
  const common = { userId: author === THE_TENANT ? null : author.userId, workspaceId: decision.next.workspaceId };
  const { ownership } = decision.home;
  const { type, status } = decision.next;
  const action = decision.before === null ? "memory.remembered" : decision.isAgain ? "memory.reinforced" : "memory.revised";
  return [
    { ...common, action, objectId: decision.publicId, detail: { ownership, type, status } },
    ...replacedBy(decision).map((old) => ({
      ...common,
      action: "memory.superseded",
      objectId: old.publicId,
      detail: { by: decision.publicId },
    })),
  ];
}
