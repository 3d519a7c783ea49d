import { sql } from "drizzle-orm";
import type { Ctx } from "#context";
import { notFound } from "#core/errors";
import type { Statement, StatementResult } from "#db/client";
import { type UserRef, userIdOf } from "#domain/tenants";
import { isMember } from "#domain/visibility";

/** Answers one row if the project exists and the user belongs to it. */
export function findOwnProject(ctx: Ctx<"db">, asked: { externalId: string | null; user: UserRef }): Statement {
  return ctx.db.all(sql`
    select p.id as id from projects p
    where p.tenant_id = ${ctx.tenantId} and p.external_id = ${asked.externalId}
      and ${isMember(userIdOf(ctx.tenantId, asked.user), sql`p.id`)}`);
}

export function requireProject(found: StatementResult | undefined): void {
  if (found === undefined || found.rows.length === 0) throw notFound("project");
}
