import { type SQL, sql } from "drizzle-orm";
import type { Ctx } from "#context";
import { AppError } from "#core/errors";
import { toIso } from "#core/fields";
import { type UserRef, userIdOf } from "#domain/tenants";
import { isMember } from "#domain/visibility";
import type { ProjectView } from "./schemas.ts";

export type ProjectRow = {
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

/** A project of the tenant that the user belongs to. */
export async function findProject(ctx: Ctx<"db">, asked: { externalId: string; user: UserRef }): Promise<ProjectRow | undefined> {
  const user = userIdOf(ctx.tenantId, asked.user);
  const [row] = await ctx.db.all<ProjectRow>(sql`
    select ${projectColumns(user)} from projects p
    where p.tenant_id = ${ctx.tenantId} and p.external_id = ${asked.externalId} and ${isMember(user, sql`p.id`)}`);
  return row;
}

/** The columns of `ProjectRow`, from `projects p`. */
export function projectColumns(user: SQL): SQL {
  return sql`
    p.id as id, p.public_id as publicId, p.external_id as externalId, p.name as name, p.created_at as createdAt,
    (select ou.external_id from users ou where ou.id = p.owner_id) as ownerId, p.owner_id = ${user} as isOwner,
    (select json_group_array(mu.external_id order by mu.id) from project_members pm join users mu on mu.id = pm.user_id
     where pm.project_id = p.id) as memberIds`;
}

export function requireOwner(project: ProjectRow): void {
  if (project.isOwner !== 1) throw new AppError("forbidden", "Only the project's owner may change it.");
}

export function toProject(row: ProjectRow): ProjectView {
  return {
    id: row.externalId,
    name: row.name,
    ownerId: row.ownerId,
    memberIds: JSON.parse(row.memberIds),
    createdAt: toIso(row.createdAt),
  };
}
