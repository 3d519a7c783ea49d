import { type SQL, sql } from "drizzle-orm";
import type { Ctx } from "#context";
import { isAdmin, isClient } from "#core/permission";
import { STRICTNESS } from "#core/safety/sensitivity";
import type { Statement } from "#db/client";
import { failUnless } from "#db/guard";
import { rowsInParts, rowsOf } from "#db/rows";
import { MEMORY } from "#db/schema/memories";
import type { AuditEntry } from "#domain/audit";
import { mayEnter, tenantSpaceId } from "#domain/visibility";
import { changeStatements, enqueueIndexing, insertWords, type Mutation, needsEmbedding, supersedeStatements } from "./change.ts";
import type { Decision } from "./decide.ts";
import { lifetimeMs } from "./defaults.ts";
import { forgetStatements } from "./forget.ts";
import { indexedWords, typeTokenOf } from "./index-words.ts";
import { type Author, type References, THE_TENANT } from "./load-references.ts";
import type { StoredMemory } from "./rows.ts";
import { judge, namesOf, REVIEWED_FROM } from "./values.ts";

type StoreCtx = Ctx<"db" | "now" | "newId">;

/** The statements that carry out the decisions of a call, as one batch, and the jobs that they need. */
export function storeDecisions(
  ctx: StoreCtx,
  {
    author,
    references,
    piiReview,
    decisions,
  }: { author: Author; references: References; piiReview: boolean; decisions: readonly Decision[] },
): Mutation & { jobIds: string[] } {
  const made = decisions.filter(({ kind }) => kind === "create" || kind === "wait");
  const stored = decisions.map((decision) => storeDecision(ctx, decision, { piiReview, jobId: ctx.newId("job") }));
  const needsSpace = references.tenantSpace === null && made.some(({ home }) => home.ownership === "shared");
  // Replaced memories release their words and keys before others take them.
  const replaced = decisions.flatMap(({ replaces, publicId, next: { validFrom } }) =>
    replaces.map((old) => supersedeStatements(ctx, old, { publicId, validFrom, authority: sql`true` })),
  );
  const insertion = made.length === 0 ? null : ctx.newId("job");
  return {
    statements: [
      ...guards(ctx, author, decisions),
      ...(needsSpace ? [makeTenantSpace(ctx)] : []),
      // Expired memories that are not forgotten yet are forgotten first, to release their words and keys.
      ...(references.expired.length === 0
        ? []
        : forgetStatements(ctx, references.expired, { because: "expired", jobId: ctx.newId("job") })),
      ...replaced.flatMap(({ before }) => before),
      ...(insertion === null ? [] : insertStatements(ctx, author, { made, jobId: insertion })),
      ...stored.flatMap(({ statements }) => statements),
      ...replaced.map(({ after }) => after),
    ],
    audit: decisions.flatMap((decision) => auditOf(decision, author)),
    jobIds: [...(insertion === null ? [] : [insertion]), ...stored.flatMap(({ jobId }) => jobId ?? [])],
  };
}

/** Carries out a decision about an existing memory; new ones are inserted together. `jobId` is null if nothing needs to be embedded. */
function storeDecision(
  ctx: StoreCtx,
  decision: Decision,
  { piiReview, jobId }: { piiReview: boolean; jobId: string },
): { statements: Statement[]; jobId: string | null } {
  switch (decision.kind) {
    case "reinforce":
      return { statements: reinforceStatements(ctx, decision, piiReview), jobId: null };
    case "change": {
      const { before, next, times } = decision;
      return {
        statements: changeStatements(ctx, before, next, { jobId, authority: sql`true`, saidAgain: times }),
        jobId: needsEmbedding(before, next) ? jobId : null,
      };
    }
    case "create":
    case "wait":
    case "ignore":
      return { statements: [], jobId: null };
  }
}

/** Checked again at the time of the write: the author still takes part where these memories are stored and were learned. */
function guards(ctx: StoreCtx, author: Author, decisions: readonly Decision[]): Statement[] {
  const homes = new Set(decisions.flatMap(({ session }) => session?.id ?? []));
  const learned = decisions.flatMap((decision) => {
    const before = "before" in decision ? decision.before?.learnedIn : undefined;
    return decision.next.learnedIn === before ? [] : (decision.next.learnedIn ?? []);
  });
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

function makeTenantSpace(ctx: Ctx<"db">): Statement {
  return ctx.db.run(sql`
    insert into spaces (public_id, tenant_id, kind) values (${tenantSpaceId(ctx.tenantId)}, ${ctx.tenantId}, 'tenant')
    on conflict (public_id) do nothing`);
}

/** New memories with their words, their subjects and their job, a few statements for any number. */
function insertStatements(
  ctx: StoreCtx,
  author: Author,
  { made, jobId }: { made: readonly Decision[]; jobId: string },
): Statement[] {
  const [first] = made;
  if (first === undefined) return [];
  const { columns, values } = MEMORY.insertFrom(sql`j.c0`, namesOf(columnsOf(ctx, first, author)));
  const rows = made.map((decision) => {
    // A space that is created in this batch is left out: its id is not known yet.
    const space = decision.home.ownership === "shared" ? null : (decision.session?.spaceId ?? author.spaceId);
    return [{ json: JSON.stringify({ ...MEMORY.encode(columnsOf(ctx, decision, author)), space }) }];
  });
  const words = made.map(({ publicId, next }) => [
    publicId,
    next.subjects.map((person) => ` p${person}`).join(""),
    indexedWords(next),
  ]);
  const subjects = made.flatMap(({ publicId, next }) => next.subjects.map((person) => [publicId, person]));
  return [
    ...rowsInParts(rows).map((part) =>
      ctx.db.run(sql`
        insert into memories (tenant_id, space_id, ${columns})
        select ${ctx.tenantId}, coalesce(j.c0 ->> 'space', ${tenantSpace(ctx)}), ${values}
        from ${part} j`),
    ),
    ...rowsInParts(words).map((part) =>
      ctx.db.run(sql`
        insert into memory_fts (rowid, space, text) select m.id, 's' || m.space_id || ' ' || ${typeTokenOf} || j.c1, j.c2
        from ${part} j cross join memories m on m.public_id = j.c0`),
    ),
    ...rowsInParts(subjects).map((part) =>
      ctx.db.run(sql`
        insert into memory_subjects (memory_id, person_id) select m.id, ${survivorOf(sql`j.c1`, author)}
        from ${part} j cross join memories m on m.public_id = j.c0 where true on conflict do nothing`),
    ),
    enqueueIndexing(ctx, {
      jobId,
      ids: sql`(select json_group_array(m.id) from ${rowsOf(made.map(({ publicId }) => [publicId]))} j cross join memories m on m.public_id = j.c0)`,
    }),
  ];
}

/** A person who was merged since the lookup is replaced by the survivor. The author's own person always survives a merge. */
function survivorOf(person: SQL, { personId }: Author): SQL {
  return sql`case ${person} when ${personId} then ${person} else (select coalesce(sp.merged_into, sp.id) from persons sp where sp.id = ${person}) end`;
}

function tenantSpace(ctx: Ctx): SQL {
  return sql`(select sp.id from spaces sp where sp.public_id = ${tenantSpaceId(ctx.tenantId)})`;
}

/** The columns of a new memory except its tenant and its space. */
function columnsOf(ctx: StoreCtx, decision: Decision, author: Author) {
  const { next, home, session, publicId, times } = decision;
  const { subjects, ...columns } = next;
  const now = ctx.now();
  return {
    ...columns,
    publicId,
    ownership: home.ownership,
    ownerId: home.ownership === "personal" ? author.userId : null,
    sessionId: session?.id ?? null,
    ...{ seenCount: times, lastSeenAt: now, version: 1, createdAt: now, updatedAt: now },
  };
}

/**
 * Counts, extends the expiry, keeps the higher confidence and the stricter privacy. All computed from the stored row, so that concurrent
 * writes add up. The version changes only if a reader can see a change other than the count.
 */
function reinforceStatements(ctx: StoreCtx, decision: Extract<Decision, { kind: "reinforce" }>, piiReview: boolean): Statement[] {
  const now = ctx.now();
  const { own, given, next, before } = decision;
  const id = sql.raw(String(before.id));
  const isStillThere = sql`exists (
    select 1 from memories where id = ${id} and tenant_id = ${ctx.tenantId} and hash = ${before.hash}
      and status <> 'rejected' and deleted_at is null and superseded_by is null)`;
  const isSure =
    judge({ ...own, content: before.content }, { piiReview }).status === "approved" && before.piiRisk < REVIEWED_FROM;
  const approves =
    isSure && mayApprove(ctx, decision) && next.supersedes === null ? sql`status = 'pending' and supersedes is null` : sql`false`;
  const key = before.status === "approved" && next.key !== null ? sql`${next.key}` : sql`key`;
  const expiry = expiryOf(before, { given, now });
  // Only the privacy that the caller names. The place where words are repeated changes nothing.
  const named = given.sensitivity ?? "public";
  const stored = MEMORY.encode({ sensitivity: named, portable: given.portable !== false, pinned: own.pinned });
  const isStricter = sql`${strictness} < ${STRICTNESS[named]}`;
  return [
    failUnless(ctx.db, isStillThere),
    ctx.db.run(sql`
      update memories set seen_count = seen_count + ${decision.isCounted ? decision.times : 0}, last_seen_at = ${now}, updated_at = ${now},
        confidence = max(confidence, ${own.confidence}), sensitivity = case when ${isStricter} then ${stored.sensitivity} else sensitivity end,
        portable = min(portable, ${stored.portable}), pinned = max(pinned, ${stored.pinned}),
        supersedes = coalesce(${next.supersedes}, supersedes), contradicts = coalesce(${next.contradicts}, contradicts),
        expires_at = ${expiry}, key = ${key}, status = case when ${approves} then 'approved' else status end,
        version = version + (confidence < ${own.confidence} or ${isStricter} or portable > ${stored.portable}
          or pinned < ${stored.pinned} or expires_at is not ${expiry} or key <> ${key} or (${approves}))
      where id = ${id} and tenant_id = ${ctx.tenantId}`),
    ...(next.key !== null && next.key !== before.key && before.status === "approved"
      ? [ctx.db.run(sql`delete from memory_fts where rowid = ${id}`), insertWords(ctx, { ...before, key: next.key, id })]
      : []),
  ];
}

/** An author who repeats a waiting memory approves it, if they are allowed to. A job approves nothing. */
function mayApprove({ actor }: StoreCtx, { home }: Decision): boolean {
  return isClient(actor) && (home.ownership === "personal" || isAdmin(actor));
}

/** When a repeated memory expires: as the caller says, else its type's lifetime from now on, and never earlier than before. */
function expiryOf({ type }: StoredMemory, { given, now }: { given: Decision["given"]; now: number }): SQL {
  if (given.expiresAt === null) return sql`null`;
  const lifetime = lifetimeMs(type);
  const until = given.expiresAt ?? (lifetime === null ? null : now + lifetime);
  return until === null ? sql`expires_at` : sql`iif(expires_at is null, null, max(expires_at, ${until}))`;
}

const strictness = sql`(case sensitivity when 'sensitive' then 2 when 'personal' then 1 else 0 end)`;

const ACTION = {
  create: "memory.remembered",
  wait: "memory.remembered",
  reinforce: "memory.reinforced",
  change: "memory.revised",
} as const;

/** The audit rows of one decision. */
function auditOf(decision: Decision, author: Author): AuditEntry[] {
  if (decision.kind === "ignore") return [];
  const common = { userId: author === THE_TENANT ? null : author.userId, workspaceId: decision.next.workspaceId };
  const { ownership } = decision.home;
  const { type, status } = decision.next;
  return [
    { ...common, action: ACTION[decision.kind], objectId: decision.publicId, detail: { ownership, type, status } },
    ...decision.replaces.map((old) => ({
      ...common,
      action: "memory.superseded",
      objectId: old.publicId,
      detail: { by: decision.publicId },
    })),
  ];
}
