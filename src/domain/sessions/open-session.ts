import { type SQL, sql } from "drizzle-orm";
import type { Ctx } from "#context";
import type { Statement } from "#db/client";
import type { AuditEntry } from "#domain/audit";
import { ensureUsers, type UserRef, userIdOf } from "#domain/tenants";
import { isMember } from "#domain/visibility";

export type Opening = {
  externalId: string;
  kind: "private" | "group";
  owner: UserRef;
  projectExternalId: string | null;
  title: string | null;
  /** Of a group: external ids, including the owner's. */
  participants: readonly string[];
};

/**
 * Statements that create the session, in its project from the start, unless a session of that name exists or the owner does not belong to
 * the project; and its audit row.
 */
export function openSession(
  ctx: Ctx<"db" | "now" | "newId">,
  opening: Opening,
): { statements: Statement[]; audit: AuditEntry; publicId: string } {
  const publicId = ctx.newId("session");
  const now = ctx.now();
  const absent = sql`not exists (select 1 from sessions where tenant_id = ${ctx.tenantId} and external_id = ${opening.externalId})`;
  const groupSpaceId = ctx.newId("space");
  const participants = opening.participants.map((externalId) => ({ externalId }));
  const statements: Statement[] = ensureUsers(ctx, [opening.owner, ...participants]);
  if (opening.kind === "group") {
    statements.push(
      ctx.db.run(
        sql`insert into spaces (public_id, tenant_id, kind) select ${groupSpaceId}, ${ctx.tenantId}, 'session' where ${absent}`,
      ),
    );
  }
  const space: SQL =
    opening.kind === "group" ? sql`(select sp.id from spaces sp where sp.public_id = ${groupSpaceId})` : sql`u.space_id`;
  statements.push(
    ctx.db.run(sql`
      insert into sessions (public_id, tenant_id, external_id, kind, owner_id, space_id, project_id, title, tagged_project_id, created_at)
      select ${publicId}, ${ctx.tenantId}, ${opening.externalId}, ${opening.kind}, u.id, ${space}, p.id, ${opening.title},
        coalesce(p.id, 0), ${now}
      from users u left join projects p on p.tenant_id = ${ctx.tenantId} and p.external_id = ${opening.projectExternalId}
      where u.tenant_id = ${ctx.tenantId} and u.id = ${userIdOf(ctx.tenantId, opening.owner)} and ${absent}
        and (${opening.projectExternalId} is null or ${isMember(sql`u.id`, sql`p.id`)})`),
  );
  if (opening.kind === "group") {
    statements.push(
      ctx.db.run(sql`
        insert into participants (session_id, user_id, session_public_id, joined_at)
        select s.id, u.id, s.public_id, ${now} from sessions s, users u
        where s.public_id = ${publicId} and s.tenant_id = ${ctx.tenantId} and s.external_id = ${opening.externalId}
          and u.tenant_id = ${ctx.tenantId} and u.external_id in (select value from json_each(${JSON.stringify(opening.participants)}))`),
    );
  }
  const audit: AuditEntry = {
    action: "session.opened",
    objectId: publicId,
    userId: userIdOf(ctx.tenantId, opening.owner),
    detail: { kind: opening.kind, projectId: opening.projectExternalId, participants: opening.participants },
    when: sql`exists (
      select 1 from sessions where tenant_id = ${ctx.tenantId} and external_id = ${opening.externalId} and public_id = ${publicId})`,
  };
  return { statements, audit, publicId };
}
