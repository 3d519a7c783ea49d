import { sql } from "drizzle-orm";
import type { Ctx } from "#context";
import { conflict, notFound } from "#core/errors";
import { requirePermission } from "#core/permission";
import type { Statement } from "#db/client";
import { commit } from "#domain/audit";
import { actingUser, ensureUsers, userIdOf } from "#domain/tenants";
import { findProject, requireOwner } from "./find-project.ts";
import type { ProjectView } from "./schemas.ts";
import { toProject } from "./view.ts";

/**
 * Adds another user to the project, with access to all of its history, or removes them. Idempotent.
 * @throws not_found for a user who does not belong to the project.
 * @throws forbidden for a member who is not its owner.
 * @throws conflict if the member is the owner.
 */
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
        ...ensureUsers(ctx, [member]),
        ctx.db.run(sql`
          insert into project_members (project_id, user_id, project_public_id, added_at)
          select ${project.id}, ${memberId}, ${project.publicId}, ${ctx.now()}
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
        detail: { memberId: change.memberId },
        when: sql`changes() > 0`,
      },
    ],
  });
  const after = await findProject(ctx, { externalId, user });
  if (after === undefined) throw notFound("project");
  return toProject(after);
}
