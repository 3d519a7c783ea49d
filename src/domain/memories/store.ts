import { type SQL, sql } from "drizzle-orm";
import type { Ctx } from "#context";
import { indexTokens } from "#core/text/index-text";
import type { Statement } from "#db/client";
import { failUnless } from "#db/guard";
import { rowsInParts } from "#db/rows";
import type { AuditEntry } from "#domain/audit";
import { tenantSpaceId } from "#domain/visibility";
import { changeStatements, enqueueIndexing, isUnchanged, supersedeStatements } from "./change.ts";
import { judge, stricter } from "./draft.ts";
import { isRejected, type Plan } from "./plan.ts";
import type { Author } from "./resolve.ts";
import type { StoredMemory } from "./stored.ts";
import { lifetimeMs } from "./types.ts";

type StoreCtx = Ctx<"db" | "now">;

/** Decided again where it is written: who takes part in the groups whose memories these are. */
export function guards(ctx: StoreCtx, author: Author, plans: readonly Plan[]): Statement[] {
  const sessions = [...new Set(plans.flatMap(({ session }) => session?.id ?? []))];
  return sessions.map((id) =>
    failUnless(
      ctx.db,
      sql`exists (select 1 from participants gp where gp.session_id = ${id} and gp.user_id = ${author.userId} and gp.left_at is null)`,
    ),
  );
}

export function makeTenantSpace(ctx: Ctx<"db">): Statement {
  return ctx.db.run(sql`
    insert into spaces (public_id, tenant_id, kind) values (${tenantSpaceId(ctx.tenantId)}, ${ctx.tenantId}, 'tenant')
    on conflict (public_id) do nothing`);
}

/** What a plan puts in the place of others, once it is in force itself: a memory that it names, and a keyless one of the same words. */
export function supersessions(ctx: StoreCtx, plan: Plan): { before: Statement[]; after: Statement }[] {
  if (isRejected(plan)) return [];
  return replacedBy(plan).map((old) =>
    supersedeStatements(ctx, old, { publicId: plan.publicId, validFrom: plan.next.validFrom }),
  );
}

function replacedBy(plan: Plan): StoredMemory[] {
  return plan.inForce ? [plan.superseded, plan.twin].filter((row) => row !== null) : [];
}

/** New memories with their words, their subjects and their job, a few statements for any number. */
export function insertStatements(ctx: StoreCtx, author: Author, made: readonly Plan[]): Statement[] {
  const [first] = made;
  if (first === undefined) return [];
  const now = ctx.now();
  const rows = made.map((plan) => [{ json: JSON.stringify(documentOf(plan, author)) }]);
  const words = made.map(({ publicId, next }) => [
    publicId,
    next.subjects.map((person) => ` p${person}`).join(""),
    indexTokens(next.content, null),
  ]);
  const subjects = made.flatMap(({ publicId, next }) => next.subjects.map((person) => [publicId, person]));
  const ids = JSON.stringify(made.map(({ publicId }) => publicId));
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
        insert into memory_subjects (memory_id, person_id) select m.id, j.c1 from ${part} j cross join memories m on m.public_id = j.c0`),
    ),
    enqueueIndexing(ctx, {
      jobId: first.jobId,
      ids: sql`(select json_group_array(m.id) from json_each(${ids}) j cross join memories m on m.public_id = j.value)`,
    }),
  ];
}

function tenantSpace(ctx: Ctx): SQL {
  return sql`(select sp.id from spaces sp where sp.public_id = ${tenantSpaceId(ctx.tenantId)})`;
}

/** The row as JSON; a space that only the batch knows is left out. */
function documentOf(plan: Plan, author: Author): Record<string, unknown> {
  const { next, home, session } = plan;
  return {
    ...next,
    publicId: plan.publicId,
    spaceId: home.ownership === "shared" ? null : (session?.spaceId ?? author.spaceId),
    ownership: home.ownership,
    ownerId: home.ownership === "personal" ? author.userId : null,
    sessionId: session?.id ?? null,
    key: next.key ?? "",
    workspaceId: next.workspaceId ?? "",
    portable: next.portable ? 1 : 0,
    pinned: next.pinned ? 1 : 0,
    metadata: JSON.stringify(next.metadata),
    seenCount: plan.times,
  };
}

/** A memory that was there: said again, or changed. */
export function touchStatements(ctx: StoreCtx, plan: Plan, piiReview: boolean): Statement[] {
  const { before } = plan;
  if (before === null || isRejected(plan)) return [];
  if (!plan.isAgain) return changeStatements(ctx, before, plan.next, plan.jobId);
  return [failUnless(ctx.db, isUnchanged(ctx, before)), sayAgain(ctx, plan, before, piiReview)];
}

/** Counts, refreshes the life, keeps the higher confidence, and of what concerns privacy the stricter. */
function sayAgain(ctx: StoreCtx, plan: Plan, before: StoredMemory, piiReview: boolean): Statement {
  const now = ctx.now();
  const { own, given, next } = plan;
  const sensitivity = stricter(before.sensitivity, own.sensitivity);
  const life = lifetimeMs(before.type);
  const until = given.expiresAt ?? (life === null ? null : now + life);
  const isSure = judge({ content: before.content, confidence: own.confidence }, { piiReview }).status === "approved";
  const approves = before.status === "pending" && isSure && (next.supersedes ?? before.supersedes) === null;
  const changes =
    sensitivity !== before.sensitivity ||
    approves ||
    (before.portable === 1 && !own.portable) ||
    (before.pinned === 0 && own.pinned);
  const expiry =
    given.expiresAt === null
      ? null
      : until === null
        ? sql`expires_at`
        : sql`iif(expires_at is null, null, max(expires_at, ${until}))`;
  return ctx.db.run(sql`
    update memories set seen_count = seen_count + ${plan.times}, last_seen_at = ${now}, updated_at = ${now},
      confidence = max(confidence, ${own.confidence}), sensitivity = ${sensitivity},
      portable = min(portable, ${own.portable ? 1 : 0}), pinned = max(pinned, ${own.pinned ? 1 : 0}),
      supersedes = coalesce(${next.supersedes}, supersedes), contradicts = coalesce(${next.contradicts}, contradicts), expires_at = ${expiry},
      key = ${plan.inForce ? (next.key ?? "") : before.key}, status = ${approves ? "approved" : before.status}, version = version + ${changes ? 1 : 0}
    where id = ${sql.raw(String(before.id))} and tenant_id = ${ctx.tenantId}`);
}

/** The audit rows of one plan. */
export function auditOf(plan: Plan, author: Author): AuditEntry[] {
  if (isRejected(plan)) return [];
  const common = { userId: author.userId, workspaceId: plan.next.workspaceId };
  const { ownership } = plan.home;
  const { type, status } = plan.next;
  const action = plan.before === null ? "memory.remembered" : plan.isAgain ? "memory.reinforced" : "memory.revised";
  return [
    { ...common, action, objectId: plan.publicId, detail: { ownership, type, status } },
    ...replacedBy(plan).map((old) => ({
      ...common,
      action: "memory.superseded",
      objectId: old.publicId,
      detail: { by: plan.publicId },
    })),
  ];
}
