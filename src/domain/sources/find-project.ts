import { sql } from "drizzle-orm";
import type { Ctx } from "#context";
import { type Query, select } from "#db/client";
import { flag, row } from "#db/row";
import { PROJECT } from "#db/schema/sessions";
import { type UserRef, userIdOf } from "#domain/tenants";
import { isMember } from "#domain/visibility";

/** A project of the tenant that the user belongs to. */
export function findProject(
  ctx: Ctx,
  asked: { externalId: string; user: UserRef },
): Query<{ id: number; spaceId: number; isOwner: boolean }> {
  const user = userIdOf(ctx.tenantId, asked.user);
  const FOUND = row({ ...PROJECT.of(sql`p`, "id", "spaceId"), isOwner: flag(sql`p.owner_id = ${user}`) });
  return select(FOUND)`from projects p
    where p.tenant_id = ${ctx.tenantId} and p.external_id = ${asked.externalId} and ${isMember(user, sql`p.id`)}`;
}
