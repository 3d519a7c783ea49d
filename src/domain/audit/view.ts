import { toIso } from "#core/fields";
import type { AuditView } from "./schemas.ts";

export type AuditRow = {
  id: string;
  seq: number;
  at: number;
  actorKind: AuditView["actor"]["kind"];
  actorId: string;
  /** The app's own id. */
  userId: string | null;
  workspaceId: string | null;
  action: string;
  objectId: string | null;
  detail: string | null;
  requestId: string;
  erasedAt: number | null;
};

export function toAuditView(row: AuditRow): AuditView {
  return {
    id: row.id,
    seq: row.seq,
    at: toIso(row.at),
    actor: { kind: row.actorKind, id: row.actorId },
    userId: row.userId,
    workspaceId: row.workspaceId,
    action: row.action,
    objectId: row.objectId,
    detail: row.detail === null ? null : JSON.parse(row.detail),
    requestId: row.requestId,
    erased: row.erasedAt !== null,
  };
}
