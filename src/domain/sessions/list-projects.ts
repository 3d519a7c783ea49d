import { type SQL, sql } from "drizzle-orm";
import type { Ctx } from "#context";
import { notFound } from "#core/errors";
import { withoutPrefix, withPrefix } from "#core/ids";
import { decodeCursor, type Page, toPage } from "#core/page";
import { requirePermission } from "#core/permission";
import { readRows, select } from "#db/client";
import { actingUser, userIdOf } from "#domain/tenants";
import { findProject } from "./find-project.ts";
import type { ProjectListInput, ProjectView } from "./schemas.ts";
import { projectRow, toProject } from "./view.ts";

/**
 * A project that the user belongs to.
 * @throws not_found for any other.
 */
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
  const [position] = input.cursor === undefined ? [] : decodeCursor("projects", input.cursor, ["string"]);
  const before = position === undefined ? undefined : withPrefix("project", String(position));
  const older = (publicId: SQL) => (before === undefined ? sql`true` : sql`${publicId} < ${before}`);
  const last = input.limit + 1;
  // Each branch reads an index in the order of the list and stops.
  const PROJECT_ROW = projectRow(user);
  const projects = select(PROJECT_ROW)`from projects p
    where +p.tenant_id = ${ctx.tenantId} and p.id in (
      select id from (
        select o.id as id from projects o where o.owner_id = ${user} and ${older(sql`o.public_id`)}
        order by o.public_id desc limit ${last})
      union all
      select id from (
        select m.project_id as id from project_members m where m.user_id = ${user} and ${older(sql`m.project_public_id`)}
        order by m.project_public_id desc limit ${last}))
    order by p.public_id desc limit ${last}`;
  const rows = await readRows(ctx, projects);
  return toPage(rows, input.limit, { list: "projects", item: toProject, position: (row) => [withoutPrefix(row.publicId)] });
}
