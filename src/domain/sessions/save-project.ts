import { sql } from "drizzle-orm";
import type { Ctx } from "#context";
import { AppError, conflict, notFound } from "#core/errors";
import { toIso } from "#core/fields";
import { decodeCursor, type Page, toPage } from "#core/page";
import { requirePermission } from "#core/permission";
import type { Statement } from "#db/client";
import { commit } from "#domain/audit";
import { actingUser, ensureUser, type UserRef, userIdOf } from "#domain/tenants";
import { isMember } from "#domain/visibility";
import type { ProjectInput, ProjectListInput, ProjectView } from "./schemas.ts";

type ProjectRow = {
  id: number;
  publicId: string;
  externalId: string;
  name: string;
  ownerId: string;
  /** A JSON array of external ids. */
  memberIds: string;
  createdAt: number;
  isOwner: number;
};

/** Makes the project, owned by the user, or renames it. Only its owner may; 404 for who is not of it. */
export async function saveProject(
  ctx: Ctx<"db" | "now" | "newId">,
  externalId: string,
  input: ProjectInput,
): Promise<{ project: ProjectView; created: boolean }> {
  requirePermission(ctx.actor, "write");
  const user = actingUser(ctx, input.userId);
  const existing = await findProject(ctx, { externalId, user });
  const publicId = ctx.newId("project");
  if (existing === undefined) await requireFreeName(ctx, externalId);
  if (existing === undefined) await createProject(ctx, { externalId, publicId, user, name: input.name ?? externalId });
  else if (input.name !== undefined && input.name !== existing.name) {
    requireOwner(existing);
    await commit(ctx, {
      statements: [
        ctx.db.run(sql`update projects set name = ${input.name} where id = ${existing.id} and tenant_id = ${ctx.tenantId}`),
      ],
      audit: [{ action: "project.renamed", objectId: existing.publicId, userId: userIdOf(ctx.tenantId, user), detail: {} }],
    });
  }
  const project = await findProject(ctx, { externalId, user });
  if (project === undefined) throw notFound("project");
  return { project: toProject(project), created: project.publicId === publicId };
}

/** Another's project is answered like none, and before anything is written. */
async function requireFreeName(ctx: Ctx<"db">, externalId: string): Promise<void> {
  const taken = await ctx.db.all(
    sql`select 1 as taken from projects where tenant_id = ${ctx.tenantId} and external_id = ${externalId}`,
  );
  if (taken.length > 0) throw notFound("project");
}

async function createProject(
  ctx: Ctx<"db" | "now" | "newId">,
  project: { externalId: string; publicId: string; user: UserRef; name: string },
): Promise<void> {
  const spaceId = ctx.newId("space");
  const absent = sql`not exists (select 1 from projects where tenant_id = ${ctx.tenantId} and external_id = ${project.externalId})`;
  const made = sql`exists (select 1 from projects where tenant_id = ${ctx.tenantId} and public_id = ${project.publicId} and external_id = ${project.externalId})`;
  await commit(ctx, {
    statements: [
      ...ensureUser(ctx, project.user),
      ctx.db.run(
        sql`insert into spaces (public_id, tenant_id, kind) select ${spaceId}, ${ctx.tenantId}, 'project' where ${absent}`,
      ),
      ctx.db.run(sql`
        insert into projects (public_id, tenant_id, external_id, owner_id, space_id, name, created_at)
        select ${project.publicId}, ${ctx.tenantId}, ${project.externalId}, ${userIdOf(ctx.tenantId, project.user)}, id, ${project.name}, ${ctx.now()}
        from spaces where public_id = ${spaceId}`),
    ],
    audit: [
      {
        action: "project.created",
        objectId: project.publicId,
        userId: userIdOf(ctx.tenantId, project.user),
        detail: {},
        when: made,
      },
    ],
  });
}

/** A project that the user belongs to. */
export async function getProject(
  ctx: Ctx<"db">,
  externalId: string,
  input: { userId?: string | undefined },
): Promise<ProjectView> {
  requirePermission(ctx.actor, "read");
  const project = await findProject(ctx, { externalId, user: actingUser(ctx, input.userId) });
  if (project === undefined) throw notFound("project");
  return toProject(project);
}

/** The projects that the user owns or is a member of, newest first. */
export async function listProjects(ctx: Ctx<"db">, input: ProjectListInput): Promise<Page<ProjectView>> {
  requirePermission(ctx.actor, "read");
  const user = userIdOf(ctx.tenantId, actingUser(ctx, input.userId));
  const [before] = input.cursor === undefined ? [] : decodeCursor(input.cursor, ["string"]);
  const rows = await ctx.db.all<ProjectRow>(sql`
    select ${projectColumns(user)} from projects p
    where p.tenant_id = ${ctx.tenantId} and p.id in (
        select o.id from projects o where o.owner_id = ${user} union select m.project_id from project_members m where m.user_id = ${user})
      and ${before === undefined ? sql`true` : sql`p.public_id < ${String(before)}`}
    order by p.public_id desc limit ${input.limit + 1}`);
  return toPage(rows, input.limit, { item: toProject, position: (row) => [row.publicId] });
}

/** Lets another user into the project, with all of its history, or out of it. Only the owner may. Doing it twice changes nothing. */
export async function changeMember(
  ctx: Ctx<"db" | "now" | "newId">,
  externalId: string,
  change: { memberId: string; userId?: string | undefined; member: boolean },
): Promise<ProjectView> {
  requirePermission(ctx.actor, "write");
  const user = actingUser(ctx, change.userId);
  const project = await findProject(ctx, { externalId, user });
  if (project === undefined) throw notFound("project");
  requireOwner(project);
  if (change.memberId === project.ownerId) throw conflict("The owner belongs to the project already, and for good.");
  const member = { externalId: change.memberId };
  const memberId = userIdOf(ctx.tenantId, member);
  const statements: Statement[] = change.member
    ? [
        ...ensureUser(ctx, member),
        ctx.db.run(sql`
          insert into project_members (project_id, user_id, added_at) select ${project.id}, ${memberId}, ${ctx.now()}
          where true on conflict (project_id, user_id) do nothing`),
      ]
    : [ctx.db.run(sql`delete from project_members where project_id = ${project.id} and user_id = ${memberId}`)];
  await commit(ctx, {
    statements,
    audit: [
      {
        action: change.member ? "project.member_added" : "project.member_removed",
        objectId: project.publicId,
        userId: userIdOf(ctx.tenantId, user),
        detail: {},
        when: sql`changes() > 0`,
      },
    ],
  });
  const after = await findProject(ctx, { externalId, user });
  if (after === undefined) throw notFound("project");
  return toProject(after);
}

async function findProject(ctx: Ctx<"db">, asked: { externalId: string; user: UserRef }): Promise<ProjectRow | undefined> {
  const user = userIdOf(ctx.tenantId, asked.user);
  const [row] = await ctx.db.all<ProjectRow>(sql`
    select ${projectColumns(user)} from projects p
    where p.tenant_id = ${ctx.tenantId} and p.external_id = ${asked.externalId} and ${isMember(user, sql`p.id`)}`);
  return row;
}

function projectColumns(user: ReturnType<typeof userIdOf>) {
  return sql`
    p.id as id, p.public_id as publicId, p.external_id as externalId, p.name as name, p.created_at as createdAt,
    (select ou.external_id from users ou where ou.id = p.owner_id) as ownerId, p.owner_id = ${user} as isOwner,
    (select json_group_array(mu.external_id order by mu.id) from project_members pm join users mu on mu.id = pm.user_id
     where pm.project_id = p.id) as memberIds`;
}

function requireOwner(project: ProjectRow): void {
  if (project.isOwner !== 1) throw new AppError("forbidden", "Only the project's owner may change it.");
}

function toProject(row: ProjectRow): ProjectView {
  return {
    id: row.publicId,
    externalId: row.externalId,
    name: row.name,
    ownerId: row.ownerId,
    memberIds: JSON.parse(row.memberIds),
    createdAt: toIso(row.createdAt),
  };
}
