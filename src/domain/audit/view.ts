import { sql } from "drizzle-orm";
import { toIso } from "#core/fields";
import { nullable, type RowOf, row, text } from "#db/row";
import { AUDIT } from "#db/schema/tenants";
import { shownObjectId } from "./object-ids.ts";
import type { AuditView } from "./schemas.ts";

/** An audit row and the app's id of its user, from `audit a left join users u`. */
export const AUDIT_ROW = row({
  ...AUDIT.of(sql`a`, "id", "seq", "at", "actorKind", "actorId", "workspaceId", "action", "detail", "requestId", "erasedAt"),
  objectId: shownObjectId,
  userId: nullable(text(sql`u.external_id`)),
});

export function toAuditView(row: RowOf<typeof AUDIT_ROW>): AuditView {
  return {
    id: row.id,
    seq: row.seq,
    at: toIso(row.at),
    actor: { kind: row.actorKind, id: row.actorId },
    userId: row.userId,
    workspaceId: row.workspaceId,
    action: row.action,
    objectId: row.objectId,
    detail: row.detail,
    requestId: row.requestId,
    erased: row.erasedAt !== null,
  };
}
