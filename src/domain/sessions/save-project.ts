import { sql } from "drizzle-orm";
import type { Ctx } from "#context";
import { notFound } from "#core/errors";
import { requirePermission } from "#core/permission";
import { refuseSecrets } from "#core/safety/refuse-secrets";
import { readRows, select } from "#db/client";
import { row } from "#db/row";
import { PROJECT } from "#db/schema/sessions";
import { type AuditEntry, commit } from "#domain/audit";
import { actingUser, ensureUsers, type UserRef, userIdOf } from "#domain/tenants";
import { findProject, requireOwner } from "./find-project.ts";
import type { ProjectInput, ProjectView } from "./schemas.ts";
import { type ProjectRow, toProject } from "./view.ts";

/**
 * Creates the project, owned by the user, or changes what the input names.
 * @throws not_found for a user who does not belong to it.
 * @throws forbidden for a member who is not its owner.
 */
export async function saveProject(
  ctx: Ctx<"db" | "now" | "newId">,
  externalId: string,
  input: ProjectInput,
): Promise<{ project: ProjectView; created: boolean }> {
  requirePermission(ctx.actor, "write");
  refuseSecrets({ name: input.name });
  const user = actingUser(ctx, input.userId);
  const existing = await findProject(ctx, { externalId, user });
  const publicId = ctx.newId("project");
  if (existing === undefined) await requireFreeName(ctx, externalId);
  const { name, ownMemories } = input;
  if (existing === undefined) {
    const made = { externalId, publicId, user, name: name ?? externalId, ownMemories: ownMemories ?? true };
    await createProject(ctx, made);
  } else await changeProject(ctx, { existing, user, input });
  const project = await findProject(ctx, { externalId, user });
  if (project === undefined) throw notFound("project");
  return { project: toProject(project), created: project.publicId === publicId };
}

type Change = { existing: ProjectRow; user: UserRef; input: ProjectInput };

async function changeProject(ctx: Ctx<"db" | "now" | "newId">, { existing, user, input }: Change): Promise<void> {
  const name = input.name === existing.name ? undefined : input.name;
  const ownMemories = input.ownMemories === existing.ownMemories ? undefined : input.ownMemories;
  const entry = (action: string, detail: AuditEntry["detail"]): AuditEntry => ({
    ...{ action, detail },
    objectId: existing.publicId,
    userId: userIdOf(ctx.tenantId, user),
  });
  const audit = [
    ...(name === undefined ? [] : [entry("project.renamed", {})]),
    ...(ownMemories === undefined ? [] : [entry("project.changed", { ownMemories })]),
  ];
  if (audit.length === 0) return;
  requireOwner(existing);
  await commit(ctx, {
    statements: [
      ctx.db.run(sql`
        update projects set ${PROJECT.set({ ...(name === undefined ? {} : { name }), ...(ownMemories === undefined ? {} : { ownMemories }) })} where id = ${existing.id} and tenant_id = ${ctx.tenantId}`),
    ],
    audit,
  });
}

const ID = row(PROJECT.of(sql`p`, "id"));

/** A project that the user does not belong to gets the same answer as one that does not exist, before anything is written. */
async function requireFreeName(ctx: Ctx<"db">, externalId: string): Promise<void> {
  const taken = await readRows(
    ctx,
    select(ID)`from projects p where p.tenant_id = ${ctx.tenantId} and p.external_id = ${externalId}`,
  );
  if (taken.length > 0) throw notFound("project");
}

async function createProject(
  ctx: Ctx<"db" | "now" | "newId">,
  project: { externalId: string; publicId: string; user: UserRef; name: string; ownMemories: boolean },
): Promise<void> {
  const spaceId = ctx.newId("space");
  const absent = sql`not exists (select 1 from projects where tenant_id = ${ctx.tenantId} and external_id = ${project.externalId})`;
  const made = sql`exists (select 1 from projects where tenant_id = ${ctx.tenantId} and public_id = ${project.publicId} and external_id = ${project.externalId})`;
  await commit(ctx, {
    statements: [
      ...ensureUsers(ctx, [project.user]),
      ctx.db.run(
        sql`insert into spaces (public_id, tenant_id, kind) select ${spaceId}, ${ctx.tenantId}, 'project' where ${absent}`,
      ),
      ctx.db.run(sql`
        insert into projects (public_id, tenant_id, external_id, owner_id, space_id, name, own_memories, created_at)
        select ${project.publicId}, ${ctx.tenantId}, ${project.externalId}, ${userIdOf(ctx.tenantId, project.user)}, id, ${project.name},
          ${project.ownMemories ? 1 : 0}, ${ctx.now()}
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
