import { sql } from "drizzle-orm";
import type { Ctx } from "#context";
import { notFound } from "#core/errors";
import { toMillis } from "#core/fields";
import type { Statement, StatementResult } from "#db/client";
import { actingUser, type UserRef } from "#domain/tenants";
import { type MemoryViewerRef, type Reach, readerCte } from "#domain/visibility";
import type { Writer } from "./authority.ts";
import type { MemoryPlaceInput } from "./schemas.ts";

/** The reader that a request names. */
export function memoryViewer(
  ctx: Ctx<"now">,
  place: MemoryPlaceInput,
  asks: { about: MemoryViewerRef["about"]; reach?: Reach; user?: UserRef },
): MemoryViewerRef {
  return {
    tenantId: ctx.tenantId,
    user: asks.user ?? actingUser(ctx, place.userId),
    sessionExternalId: place.sessionId ?? null,
    projectExternalId: place.projectId ?? null,
    includeGroups: false,
    workspaceId: place.workspaceId ?? null,
    scopeType: place.scopeType ?? null,
    scopeId: place.scopeId ?? null,
    ownProjectOnly: false,
    reach: asks.reach ?? "tenant",
    about: asks.about,
    exceptOwner: null,
    asOf: place.asOf === undefined ? null : toMillis(place.asOf),
    now: ctx.now(),
  };
}

/** The same for who writes; null for the tenant itself. */
export function writerView(ctx: Ctx<"now">, { user }: Writer, place: MemoryPlaceInput): MemoryViewerRef | null {
  return user === null ? null : memoryViewer(ctx, place, { about: "anyone", user });
}

/** Whether the place is one that the user may have no part in. */
export function isPlaced({ sessionId, projectId }: MemoryPlaceInput): boolean {
  return sessionId !== undefined || projectId !== undefined;
}

/** One row if the user is known and may be where the request says. */
export function findReader(ctx: Ctx<"db">, viewer: MemoryViewerRef): Statement {
  return ctx.db.all(sql`with ${readerCte(viewer)} select 1 as known from reader`);
}

/** Naming a session or project in which one has no part is answered like naming one that does not exist. */
export function requireReader(found: StatementResult | undefined, place: MemoryPlaceInput): void {
  if (found !== undefined && found.rows.length > 0) return;
  if (place.sessionId !== undefined) throw notFound("session");
  if (place.projectId !== undefined) throw notFound("project");
}
