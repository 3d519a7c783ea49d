import { sql } from "drizzle-orm";
import type { Ctx } from "#context";
import { notFound } from "#core/errors";
import { readRows, select } from "#db/client";
import { integer, row } from "#db/row";
import { isOwnSessionOfOther } from "./own-session.ts";
import type { ViewerRef } from "./rule.ts";

const STORED = row({ id: integer(sql`s.id`) });

/**
 * For a viewer who sees nothing: because they have no access to the place that they name, or because they are not known yet. A session that
 * is not stored yet is no refusal if it may be new.
 * @throws not_found
 */
export async function requirePlace(ctx: Ctx<"db">, viewer: ViewerRef): Promise<void> {
  const { sessionExternalId, projectExternalId } = viewer;
  if (sessionExternalId !== null && !(await isNew(ctx, viewer, sessionExternalId))) throw notFound("session");
  if (projectExternalId !== null) throw notFound("project");
}

async function isNew(ctx: Ctx<"db">, viewer: ViewerRef, externalId: string): Promise<boolean> {
  if (!mayOpenSession(viewer)) return false;
  const stored = select(STORED)`from sessions s where s.tenant_id = ${viewer.tenantId} and s.external_id = ${externalId}`;
  return (await readRows(ctx, stored)).length === 0;
}

/** Whether the session that the viewer names counts as a new private one of theirs if it is not stored. */
export function mayOpenSession({ sessionMayBeNew, sessionExternalId, user }: ViewerRef): boolean {
  return sessionMayBeNew === true && sessionExternalId !== null && !isOwnSessionOfOther({ externalId: sessionExternalId, user });
}
