import { sql } from "drizzle-orm";
import type { Ctx } from "#context";
import { notFound } from "#core/errors";
import { decodeCursor, type Page, toPage } from "#core/page";
import { requirePermission } from "#core/permission";
import { actingUser, userIdOf } from "#domain/tenants";
import { findProject, type ProjectRow, projectColumns, toProject } from "./find-project.ts";
import type { ProjectListInput, ProjectView } from "./schemas.ts";

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
