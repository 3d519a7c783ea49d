import { type SQL, sql } from "drizzle-orm";
import type { Ctx } from "#context";
import { AppError, notFound } from "#core/errors";
import { requireTenantPermission } from "#core/permission";
import { type Query, select } from "#db/client";
import { flag, type RowOf, row } from "#db/row";
import { boundUserOf, refuseOtherUsers, type UserRef, userIdOf, userNotNamed } from "#domain/tenants";
import { isMember } from "#domain/visibility";
import { SOURCE_COLUMNS } from "./view.ts";

/** The user for whom a request reads or writes documents; null for a server key that names nobody, which may use the library only. */
export function documentUser(ctx: Ctx, named: string | undefined): UserRef | null {
  refuseOtherUsers(ctx, [named]);
  const externalId = named ?? boundUserOf(ctx);
  return externalId === null ? null : { externalId };
}

/** Whether the user may read the source row `so`: the library's, or one of a project that they belong to. */
export function seesSource(tenantId: number, user: UserRef | null): SQL {
  const ofProject = user === null ? sql`false` : isMember(userIdOf(tenantId, user), sql`so.project_id`);
  return sql`(so.tenant_id = ${tenantId} and (so.project_id is null or ${ofProject}))`;
}

const sourceRow = (tenantId: number, user: UserRef | null) =>
  row({
    ...SOURCE_COLUMNS,
    isSeen: flag(seesSource(tenantId, user)),
    isOwner: flag(
      user === null
        ? sql`false`
        : sql`exists (select 1 from projects op where op.id = so.project_id and op.owner_id = ${userIdOf(tenantId, user)})`,
    ),
  });

export type FoundSource = RowOf<ReturnType<typeof sourceRow>>;

/** Who asks for which source, by the app's ids. */
export type Asked = { sourceId: string; user: UserRef | null };

/** The source, if the tenant has it; `requireReadable` or `requireWritable` decides what the user may do. */
export function findSource(ctx: Ctx, { sourceId, user }: Asked): Query<FoundSource> {
  const SOURCE_ROW = sourceRow(ctx.tenantId, user);
  return select(SOURCE_ROW)`from sources so where so.tenant_id = ${ctx.tenantId} and so.external_id = ${sourceId}`;
}

/**
 * @throws not_found for a source that the user may not see.
 * @throws invalid_input for a project's source if nobody is named.
 */
export function requireReadable(source: FoundSource | undefined, { user }: Asked): FoundSource {
  if (source === undefined) throw notFound("source");
  if (source.projectId !== null && user === null) throw userNotNamed();
  if (!source.isSeen) throw notFound("source");
  return source;
}

/**
 * @throws not_found, invalid_input as `requireReadable`.
 * @throws forbidden for the library's unless it is a server key, and for a project's unless the user owns it.
 */
export function requireWritable(ctx: Ctx, found: FoundSource | undefined, asked: Asked): FoundSource {
  const source = requireReadable(found, asked);
  if (source.projectId === null) requireTenantPermission(ctx.actor, "write");
  else if (!source.isOwner) throw new AppError("forbidden", "Only the project's owner may change its documents.");
  return source;
}

/** Whether the source is still there, and the user still owns its project; checked again where something is written. */
export function isStillWritable(ctx: Ctx, source: { id: number }, user: UserRef | null): SQL {
  const owns =
    user === null
      ? sql`false`
      : sql`exists (select 1 from projects op where op.id = so.project_id and op.owner_id = ${userIdOf(ctx.tenantId, user)})`;
  return sql`exists (
    select 1 from sources so where so.id = ${sql.raw(String(source.id))} and +so.tenant_id = ${ctx.tenantId} and (so.project_id is null or ${owns}))`;
}
