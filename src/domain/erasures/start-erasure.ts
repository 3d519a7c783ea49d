import { sql } from "drizzle-orm";
import type { Ctx } from "#context";
import { AppError, breaksRule, notFound } from "#core/errors";
import { isAdmin, requirePermission, requireTenantPermission } from "#core/permission";
import { refuseSecrets } from "#core/safety/refuse-secrets";
import { read, readRows, select } from "#db/client";
import { flag, row } from "#db/row";
import { ERASURE } from "#db/schema/transfer";
import { commit } from "#domain/audit";
import { dispatch, enqueue } from "#domain/jobs";
import { actingUser, boundUserOf, tombstoneHash, userIdOf } from "#domain/tenants";
import { isMember, mayEnter } from "#domain/visibility";
import { previewErasure } from "./preview-erasure.ts";
import { newProgress } from "./progress.ts";
import type { ErasureInput, ErasureView } from "./schemas.ts";
import type { Scope } from "./scope.ts";
import { findSubject, type SubjectRow } from "./survey.ts";
import { findErasure, findRunning, toErasure } from "./view.ts";

type StartCtx = Ctx<"db" | "now" | "newId" | "jobs" | "defer" | "secretBox" | "vectors" | "files">;

/**
 * Starts the erasure of a user, session, project or source, or, as a dry run, counts what it would erase. Asked for again while it runs, it
 * answers the one that runs.
 * @throws not_found for what does not exist, or the user may not see.
 * @throws forbidden for a user without the permission `admin`, for a project that the user does not own, and for the library without `admin`.
 * @throws misconfigured without ENCRYPTION_KEY.
 * @throws unprocessable for `aboutOthers` of anything but a user.
 */
export async function startErasure(ctx: StartCtx, input: ErasureInput): Promise<ErasureView> {
  if (input.kind === "user") requireTenantPermission(ctx.actor, "admin");
  else requirePermission(ctx.actor, "write");
  if (input.kind !== "user" && input.aboutOthers !== undefined)
    throw breaksRule("aboutOthers", "Only the erasure of a user asks what becomes of memories of others. Leave it out.");
  // A DELETE names them in its query, where nothing else looks for secrets.
  refuseSecrets({ basis: input.basis, requestRef: input.requestRef });
  const subject = await findErasable(ctx, input);
  const hash = await tombstoneHash(ctx, input.kind, input.id);
  if (input.dryRun === true) return await previewErasure(ctx, subject, input);
  const [running] = await readRows(ctx, findRunning(ctx, { hash, id: subject.id }));
  if (running !== undefined) return toErasure(running);
  return await storeErasure(ctx, { input, subject, hash });
}

/** The subject, if the caller may erase it: see docs/erasure.md. */
async function findErasable(ctx: StartCtx, { kind, id, userId }: ErasureInput): Promise<SubjectRow> {
  const isServer = isAdmin(ctx.actor) && boundUserOf(ctx) === null;
  if (isServer && userId === undefined) {
    const [subject] = await readRows(ctx, findSubject(ctx, kind, id));
    if (subject === undefined) throw notFound(kind);
    return subject;
  }
  if (kind === "user") {
    const [subject] = await readRows(ctx, findSubject(ctx, kind, id));
    if (subject === undefined) throw notFound(kind);
    return subject;
  }
  const acting = userIdOf(ctx.tenantId, actingUser(ctx, userId));
  const {
    subject: [subject],
    access: [access],
  } = await read(ctx, { subject: findSubject(ctx, kind, id), access: findAccess(ctx, { kind, id, acting }) });
  if (subject === undefined || access?.maySee !== true) throw notFound(kind);
  if (!access.mayErase) throw new AppError("forbidden", REFUSALS[kind]);
  return subject;
}

const REFUSALS: Readonly<Record<Exclude<Scope["kind"], "user">, string>> = {
  session: 'Others take part in this group. Only a key with the permission "admin" may erase it.',
  project: 'Only its owner may erase this project, or a key with the permission "admin".',
  source: 'Only the owner of its project may erase this source, or a key with the permission "admin".',
};

type Asked = { kind: Scope["kind"]; id: string; acting: ReturnType<typeof userIdOf> };

/** Whether the user sees the subject, and may erase it: a session in which nobody else takes part, and owners of projects and documents. */
function findAccess(ctx: Ctx, { kind, id, acting }: Asked) {
  const named = (alias: string) => sql`${sql.raw(alias)}.tenant_id = ${ctx.tenantId} and ${sql.raw(alias)}.external_id = ${id}`;
  switch (kind) {
    case "session": {
      const enters = sql`(select ${mayEnter(sql`u`, sql`s`)} from users u where u.id = ${acting} and u.tenant_id = s.tenant_id)`;
      const isAlone = sql`not exists (
        select 1 from participants o where o.session_id = s.id and o.left_at is null and o.user_id <> ${acting})`;
      return select(
        row({ maySee: flag(enters), mayErase: flag(sql`${enters} and ${isAlone}`) }),
      )`from sessions s where ${named("s")}`;
    }
    case "project":
      return select(
        row({ maySee: flag(isMember(acting, sql`p.id`)), mayErase: flag(sql`p.owner_id = ${acting}`) }),
      )`from projects p where ${named("p")}`;
    default:
      return select(
        row({
          maySee: flag(sql`(x.project_id is null or ${isMember(acting, sql`x.project_id`)})`),
          mayErase: flag(sql`coalesce(p.owner_id = ${acting}, 0)`),
        }),
      )`from sources x left join projects p on p.id = x.project_id where ${named("x")}`;
  }
}

type Storing = { input: ErasureInput; subject: SubjectRow; hash: string };

/** The tombstone is written at once: an import that comes meanwhile must not bring anything back. */
async function storeErasure(ctx: StartCtx, { input, subject, hash }: Storing): Promise<ErasureView> {
  const publicId = ctx.newId("erasure");
  const jobId = ctx.newId("job");
  const aboutOthers = input.aboutOthers ?? "unlink";
  const scope: Scope = {
    ...{ kind: input.kind, tenantId: ctx.tenantId, id: subject.id, publicId: subject.publicId },
    ...{ spaces: [], sessions: [], groups: [], projects: [], sources: [], persons: [], memories: [], others: [], near: [] },
  };
  const values = {
    ...{ publicId, tenantId: ctx.tenantId, kind: input.kind, subjectHash: hash, subjectId: subject.id, aboutOthers },
    ...{ dryRun: false, basis: input.basis ?? null, requestRef: input.requestRef ?? null, requestedBy: ctx.actor.id },
    ...{ status: "initialized" as const, progress: newProgress(scope, aboutOthers), createdAt: ctx.now() },
  };
  const made = sql`(select e.id from erasures e where e.public_id = ${publicId})`;
  await commit(ctx, {
    statements: [
      ctx.db.run(sql`
        insert into erasures ${ERASURE.insert(values)} where not exists (
          select 1 from erasures r where r.tenant_id = ${ctx.tenantId} and r.subject_hash = ${hash} and r.subject_id = ${subject.id}
            and r.status in ('initialized', 'running'))`),
      ctx.db.run(sql`
        insert into tombstones (tenant_id, subject_hash, erasure_id, erased_at)
        select ${ctx.tenantId}, ${hash}, ${made}, ${ctx.now()} where ${made} is not null
        on conflict (tenant_id, subject_hash) do update set erasure_id = excluded.erasure_id, erased_at = excluded.erased_at`),
      enqueue(ctx, {
        id: jobId,
        kind: "erasures.run",
        payload: sql`json_object('erasureId', e.id)`,
        from: sql`erasures e where e.public_id = ${publicId}`,
      }),
    ],
    audit: [
      {
        action: "erasure.started",
        objectId: publicId,
        userId: null,
        detail: { kind: input.kind, ...(input.kind === "user" ? { aboutOthers } : {}) },
        when: sql`changes() > 0`,
      },
    ],
  });
  const { own, running } = await read(ctx, {
    own: findErasure(ctx, publicId),
    running: findRunning(ctx, { hash, id: subject.id }),
  });
  const stored = own[0] ?? running[0];
  // Another request started and ended it in between.
  if (stored === undefined) throw notFound(input.kind);
  if (own[0] !== undefined) dispatch(ctx, [jobId]);
  return toErasure(stored);
}
