import { type SQL, sql } from "drizzle-orm";
import type { Ctx } from "#context";
import { AppError, breaksRule, conflict, notFound } from "#core/errors";
import { requirePermission } from "#core/permission";
import { refuseSecrets } from "#core/safety/refuse-secrets";
import { read, readRows, type Statement } from "#db/client";
import { isSummary, MEMORY } from "#db/schema/memories";
import { SESSION } from "#db/schema/sessions";
import { type AuditEntry, commit } from "#domain/audit";
import { dispatch, enqueue } from "#domain/jobs";
import { actingUser, boundUserOf, ensureUsers, type NamedUser, userIdOf } from "#domain/tenants";
import { isOwnSessionOfOther } from "#domain/visibility";
import { findOwnProject } from "./find-project.ts";
import { type FoundSession, findSession } from "./find-session.ts";
import { openSession } from "./open-session.ts";
import type { SessionInput, SessionView } from "./schemas.ts";
import { toSession } from "./view.ts";

type SaveCtx = Ctx<"db" | "now" | "newId" | "jobs" | "defer" | "vectors">;

/**
 * Creates the session or changes the fields that the input names; idempotent. A change of project applies from the next read on, to the
 * history too.
 * @throws not_found for a session or a project that the user does not belong to.
 * @throws conflict for another kind than the session has.
 * @throws unprocessable for participants that the kind does not allow.
 * @throws forbidden if a key that is bound to one user removes another from a group.
 */
export async function saveSession(
  ctx: SaveCtx,
  externalId: string,
  input: SessionInput,
): Promise<{ session: SessionView; created: boolean }> {
  requirePermission(ctx.actor, "write");
  refuseSecrets({ title: input.title });
  // A server key that names a group's participants acts for the first of them.
  const user = actingUser(ctx, input.userId ?? (boundUserOf(ctx) === null ? input.participants?.[0] : undefined));
  const projectId = input.projectId ?? null;
  const {
    session: [existing],
    project,
  } = await read(ctx, {
    session: findSession(ctx, { externalId, user }),
    project: projectId === null ? null : findOwnProject(ctx, { externalId: projectId, user }),
  });
  if (projectId !== null && project.length === 0) throw notFound("project");
  if (existing === undefined && isOwnSessionOfOther({ externalId, user })) throw notFound("session");
  const madeId = existing === undefined ? await create(ctx, { externalId, user, input }) : null;
  if (existing !== undefined) await change(ctx, { existing, user, input });
  const [session] = await readRows(ctx, findSession(ctx, { externalId, user }));
  if (session === undefined) throw notFound("session");
  // A concurrent request created it, so this one is a change. That happens once: a session is never deleted.
  if (madeId !== null && session.publicId !== madeId) return await saveSession(ctx, externalId, input);
  return { session: toSession(session), created: madeId !== null };
}

type Change = { existing: FoundSession; user: NamedUser; input: SessionInput };

/** Returns the id that the session already has, if it existed. */
async function create(ctx: SaveCtx, wanted: { externalId: string; user: NamedUser; input: SessionInput }): Promise<string> {
  const { externalId, user, input } = wanted;
  const kind = input.kind ?? (input.participants === undefined ? "private" : "group");
  const participants = participantsFor(kind, user, input);
  const opened = openSession(ctx, {
    externalId,
    kind,
    owner: user,
    projectExternalId: input.projectId ?? null,
    title: input.title ?? null,
    participants,
  });
  await commit(ctx, { statements: opened.statements, audit: [opened.audit] });
  return opened.publicId;
}

function participantsFor(kind: "private" | "group", user: NamedUser, input: SessionInput): string[] {
  if (kind === "private") {
    if (input.participants !== undefined)
      throw breaksRule("participants", "A private session has its one user and no participants.");
    return [];
  }
  const participants = [...new Set(input.participants ?? [])];
  if (participants.length === 0) throw breaksRule("participants", "A group session names who takes part.");
  if (!participants.includes(user.externalId)) {
    throw breaksRule("participants", "The user who opens a group session takes part in it.");
  }
  return participants;
}

async function change(ctx: SaveCtx, { existing, user, input }: Change): Promise<void> {
  if (!existing.mayEnter && !onlyTakesOut(existing, input)) throw notFound("session");
  if (input.kind !== undefined && input.kind !== existing.kind)
    throw conflict(`This session is ${existing.kind}; its kind never changes.`);
  if (existing.kind === "private" && input.participants !== undefined) participantsFor("private", user, input);
  const parts = [
    titleChange(ctx, existing, input),
    participantsChange(ctx, existing, input),
    projectChange(ctx, existing, input),
  ];
  const userId = userIdOf(ctx.tenantId, user);
  const statements = parts.flatMap((part) => part.statements);
  if (statements.length === 0) return;
  await commit(ctx, { statements, audit: parts.flatMap((part) => part.audit).map((entry) => ({ ...entry, userId })) });
  dispatch(
    ctx,
    parts.flatMap((part) => part.jobIds),
  );
}

/** A user who was removed from a project sees nothing of it, including their own session in it; they may still move that session out. */
function onlyTakesOut(existing: FoundSession, { userId: _, ...change }: SessionInput): boolean {
  return existing.isOwn && change.projectId === null && Object.keys(change).length === 1;
}

type Part = { statements: Statement[]; audit: Omit<AuditEntry, "userId">[]; jobIds: string[] };

const NOTHING: Part = { statements: [], audit: [], jobIds: [] };

function titleChange(ctx: SaveCtx, existing: FoundSession, input: SessionInput): Part {
  if (input.title === undefined || input.title === existing.title) return NOTHING;
  return {
    statements: [ctx.db.run(sql`update sessions set ${SESSION.set({ title: input.title })} where ${thisSession(ctx, existing)}`)],
    audit: [{ action: "session.titled", objectId: existing.publicId, detail: {} }],
    jobIds: [],
  };
}

/**
 * Vectors are tagged with the project, which a job updates; until then a search looks up moved sessions separately. The summaries of a
 * private session move with it.
 */
function projectChange(ctx: SaveCtx, existing: FoundSession, input: SessionInput): Part {
  if (input.projectId === undefined || input.projectId === existing.projectExternalId) return NOTHING;
  const jobId = ctx.newId("job");
  return {
    statements: [
      ctx.db.run(sql`
        update sessions set project_id = (
          select id from projects where tenant_id = ${ctx.tenantId} and external_id = ${input.projectId})
        where ${thisSession(ctx, existing)}`),
      ...moveSummaries(ctx, existing, input.projectId),
      enqueue(ctx, {
        id: jobId,
        kind: "session.retag",
        payload: JSON.stringify({ sessionId: existing.id }),
        dueAt: ctx.now() + ctx.vectors.settlesAfterMs,
      }),
    ],
    audit: [
      { action: "session.moved", objectId: existing.publicId, detail: { from: existing.projectExternalId, to: input.projectId } },
    ],
    jobIds: ctx.vectors.settlesAfterMs === 0 ? [jobId] : [],
  };
}

/** Their vectors have the scope as a tag, so they are indexed again. */
function moveSummaries(ctx: SaveCtx, { id, kind, spaceId }: FoundSession, projectExternalId: string | null): Statement[] {
  if (kind === "group") return [];
  const scope = { scopeType: projectExternalId === null ? null : "project", scopeId: projectExternalId };
  const which = sql`memories m where m.space_id = ${spaceId} and m.key <> '' and ${isSummary(sql`m`)} and m.learned_in = ${id}
    and m.deleted_at is null and m.superseded_by is null`;
  return [
    ctx.db.run(sql`
      update memories set ${MEMORY.set(scope)}, version = version + 1, updated_at = ${ctx.now()} where id in (select m.id from ${which})`),
    enqueue(ctx, {
      id: ctx.newId("job"),
      kind: "memories.index",
      payload: sql`json_object('memories', json(f.ids))`,
      from: sql`(select json_group_array(m.id) as ids, count(*) as n from ${which}) f where f.n > 0`,
    }),
  ];
}

function participantsChange(ctx: SaveCtx, existing: FoundSession, input: SessionInput): Part {
  if (input.participants === undefined || existing.kind === "private") return NOTHING;
  const before = new Set(existing.participants);
  const after = new Set(input.participants);
  requireMayRemove(
    ctx,
    [...before].filter((externalId) => !after.has(externalId)),
  );
  if (before.size === after.size && [...after].every((externalId) => before.has(externalId))) return NOTHING;
  const wanted = JSON.stringify([...after]);
  const now = ctx.now();
  return {
    statements: [
      ...ensureUsers(
        ctx,
        input.participants.map((externalId) => ({ externalId })),
      ),
      ctx.db.run(sql`
        update participants set left_at = ${now}
        where session_id = ${existing.id} and left_at is null and user_id not in (
          select u.id from users u where u.tenant_id = ${ctx.tenantId} and u.external_id in (select value from json_each(${wanted})))`),
      ctx.db.run(sql`
        insert into participants (session_id, user_id, session_public_id, joined_at)
        select ${existing.id}, u.id, ${existing.publicId}, ${now} from users u
        where u.tenant_id = ${ctx.tenantId} and u.external_id in (select value from json_each(${wanted}))
          and not exists (select 1 from participants p where p.session_id = ${existing.id} and p.user_id = u.id and p.left_at is null)
        on conflict (session_id, user_id, joined_at) do update set left_at = null`),
    ],
    audit: [
      {
        action: "session.participants",
        objectId: existing.publicId,
        detail: { joined: [...after].filter((id) => !before.has(id)), left: [...before].filter((id) => !after.has(id)) },
      },
    ],
    jobIds: [],
  };
}

/** A key that is bound to one user may add others to a group and leave it for its own user, but not remove anybody else. */
function requireMayRemove(ctx: SaveCtx, removed: readonly string[]): void {
  const bound = boundUserOf(ctx);
  if (bound === null || removed.every((externalId) => externalId === bound)) return;
  throw new AppError("forbidden", "This key is bound to one user, who may leave a group but not put others out of it.");
}

function thisSession(ctx: Ctx, existing: FoundSession): SQL {
  return sql`id = ${existing.id} and tenant_id = ${ctx.tenantId}`;
}
