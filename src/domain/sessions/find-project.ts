import { sql } from "drizzle-orm";
import type { Ctx } from "#context";
import { AppError } from "#core/errors";
import { type Query, readRows, select } from "#db/client";
import { row } from "#db/row";
import { PROJECT } from "#db/schema/sessions";
import { type UserRef, userIdOf } from "#domain/tenants";
import { isMember } from "#domain/visibility";
import { type ProjectRow, projectRow } from "./view.ts";

/** A project of the tenant that the user belongs to. */
export async function findProject(ctx: Ctx<"db">, asked: { externalId: string; user: UserRef }): Promise<ProjectRow | undefined> {
  const user = userIdOf(ctx.tenantId, asked.user);
  const PROJECT_ROW = projectRow(user);
  const found = select(PROJECT_ROW)`from projects p
    where p.tenant_id = ${ctx.tenantId} and p.external_id = ${asked.externalId} and ${isMember(user, sql`p.id`)}`;
  return (await readRows(ctx, found))[0];
}

const OWN = row(PROJECT.of(sql`p`, "id"));

/** One row if the project exists and the user belongs to it. */
export function findOwnProject(ctx: Ctx<"db">, asked: { externalId: string; user: UserRef }): Query<{ id: number }> {
  return select(OWN)`from projects p
    where p.tenant_id = ${ctx.tenantId} and p.external_id = ${asked.externalId}
      and ${isMember(userIdOf(ctx.tenantId, asked.user), sql`p.id`)}`;
}

/** @throws forbidden unless the user owns the project. */
export function requireOwner(project: ProjectRow): void {
  if (!project.isOwner) throw new AppError("forbidden", "Only the project's owner may change it.");
}
