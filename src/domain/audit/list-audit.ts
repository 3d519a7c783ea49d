import { type SQL, sql } from "drizzle-orm";
import type { Ctx } from "#context";
import { toMillis } from "#core/fields";
import { decodeCursor, encodeCursor, type Page } from "#core/page";
import { requirePermission } from "#core/permission";
import { read, select, statement } from "#db/client";
import { integer, row } from "#db/row";
import { isAbout } from "./object-ids.ts";
import { type AuditListInput, type AuditView, ROWS_A_PAGE } from "./schemas.ts";
import { AUDIT_ROW, toAuditView } from "./view.ts";

/**
 * The tenant's audit rows, newest first. A page reads a bounded number of rows, whatever the filters, and may have fewer rows than the
 * limit, or none, with a cursor: no request grows with the size of the tenant.
 */
export async function listAudit(ctx: Ctx<"db">, input: AuditListInput): Promise<Page<AuditView>> {
  requirePermission(ctx.actor, "admin");
  const [given] = input.cursor === undefined ? [] : decodeCursor("audit", input.cursor, ["number"]);
  const newest = sql`select seq from audit where tenant_id = ${ctx.tenantId} order by seq desc limit 1`;
  const before = given === undefined ? sql`coalesce((${newest}), 0) + 1` : sql`${given}`;
  const start = row({ before: integer(before) });
  const {
    window: [window],
    rows,
  } = await read(ctx, {
    window: statement(start, sql`select ${start.columns}`),
    rows: select(AUDIT_ROW)`from audit a left join users u on u.id = a.user_id and u.tenant_id = a.tenant_id
      where a.tenant_id = ${ctx.tenantId} and a.seq < ${before} and a.seq >= ${before} - ${ROWS_A_PAGE} and ${passes(ctx, input)}
      order by a.seq desc limit ${input.limit + 1}`,
  });
  const shown = rows.slice(0, input.limit);
  const last = shown.at(-1);
  const end = (window?.before ?? 0) - ROWS_A_PAGE;
  const next = rows.length > input.limit && last !== undefined ? last.seq : end > 1 ? end : null;
  return { items: shown.map(toAuditView), nextCursor: next === null ? null : encodeCursor("audit", [next]) };
}

function passes(ctx: Ctx, input: AuditListInput): SQL {
  const { objectId, objectKind, userId, from, to } = input;
  const user = (externalId: string) =>
    sql`(select id from users where tenant_id = ${ctx.tenantId} and external_id = ${externalId})`;
  const conditions = [
    ...same(sql`a.action`, input.action),
    ...same(sql`a.actor_kind`, input.actorKind),
    ...same(sql`a.actor_id`, input.actorId),
    ...(objectId === undefined ? [] : [isAbout(ctx.tenantId, { objectId, objectKind })]),
    ...same(sql`a.workspace_id`, input.workspaceId),
    ...same(sql`a.request_id`, input.requestId),
    ...(userId === undefined ? [] : [sql`a.user_id = ${user(userId)}`]),
    ...(from === undefined ? [] : [sql`a.at >= ${toMillis(from)}`]),
    ...(to === undefined ? [] : [sql`a.at < ${toMillis(to)}`]),
  ];
  return conditions.length === 0 ? sql`true` : sql.join(conditions, sql` and `);
}

function same(column: SQL, value: string | undefined): SQL[] {
  return value === undefined ? [] : [sql`${column} = ${value}`];
}
