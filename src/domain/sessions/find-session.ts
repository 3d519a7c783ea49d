import { sql } from "drizzle-orm";
import type { Ctx } from "#context";
import { type Query, readRows, select } from "#db/client";
import { flag, row } from "#db/row";
import { type UserRef, userIdOf } from "#domain/tenants";
import { isMember, type ViewerRef, viewerCte } from "#domain/visibility";
import { type SessionRow, sessionColumns } from "./view.ts";

export type FoundSession = SessionRow & {
  /** Whether the user may enter the session, and so know that it exists. */
  mayEnter: boolean;
  /** Whether it is the user's own private session, which they may take out of a project that they no longer belong to. */
  isOwn: boolean;
};

/** Finds a session by the app's id in the tenant, whoever the caller is; `mayEnter` says whether the user may see that it exists. */
export function findSession(ctx: Ctx<"db">, asked: { externalId: string; user: UserRef }): Query<FoundSession> {
  const user = userIdOf(ctx.tenantId, asked.user);
  const FOUND = row({
    ...sessionColumns(isMember(user, sql`s.project_id`)),
    mayEnter: flag(sql`(select pool from viewer) <> 'none'`),
    isOwn: flag(sql`s.kind = 'private' and s.owner_id = ${user}`),
  });
  const viewer = viewerIn(ctx, asked.user, { sessionExternalId: asked.externalId });
  return select(FOUND, viewerCte(viewer))`from sessions s left join projects p on p.id = s.project_id
    where s.tenant_id = ${ctx.tenantId} and s.external_id = ${asked.externalId}`;
}

/** The session if the user may enter it, else undefined, as if it did not exist. */
export async function enterSession(
  ctx: Ctx<"db">,
  asked: { externalId: string; user: UserRef },
): Promise<FoundSession | undefined> {
  const [session] = await readRows(ctx, findSession(ctx, asked));
  return session?.mayEnter ? session : undefined;
}

/** A user reading in a session, or in a project without a session. */
export function viewerIn(
  { tenantId }: Ctx,
  user: UserRef,
  place: { sessionExternalId: string } | { projectExternalId: string },
): ViewerRef {
  return { tenantId, user, sessionExternalId: null, projectExternalId: null, includeGroups: false, ...place };
}
