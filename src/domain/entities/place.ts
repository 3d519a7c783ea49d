import { sql } from "drizzle-orm";
import type { Ctx } from "#context";
import { type AppError, breaksRule, notFound } from "#core/errors";
import { type Query, statement } from "#db/client";
import { row, text } from "#db/row";
import { actingUser, type UserRef } from "#domain/tenants";
import { type Pool, type ViewerRef, viewerCte } from "#domain/visibility";
import type { EntityPlaceInput } from "./schemas.ts";

export function entityViewer(ctx: Ctx, place: EntityPlaceInput): ViewerRef {
  return {
    tenantId: ctx.tenantId,
    user: placedUser(ctx, place),
    sessionExternalId: place.sessionId ?? null,
    projectExternalId: place.projectId ?? null,
    includeGroups: false,
  };
}

/**
 * The user for whom a request reads entities. Entities belong to a project, so the request must name a session or a project.
 * @throws unprocessable if it names neither, once the user is known.
 */
export function placedUser(ctx: Ctx, { userId, sessionId, projectId }: EntityPlaceInput): UserRef {
  const user = actingUser(ctx, userId);
  if (sessionId === undefined && projectId === undefined)
    throw breaksRule("sessionId", "Name the session in which the answer is shown, or the project.");
  return user;
}

const PLACE = row({ pool: text<Pool>(sql`v.pool`) });

/** One row if the user is known and has access to the place that the request names. */
export function findPlace(viewer: ViewerRef): Query<{ pool: Pool }> {
  return statement(PLACE, sql`with ${viewerCte(viewer)} select ${PLACE.columns} from viewer v where v.pool <> 'none'`);
}

/** A session or project that the user has no access to gets the same answer as one that does not exist. */
export function noPlace(place: EntityPlaceInput): AppError {
  return notFound(place.sessionId === undefined ? "project" : "session");
}
