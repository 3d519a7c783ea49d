import { type SQL, sql } from "drizzle-orm";
import type { Caller, Ctx } from "#context";
import { type AppError, notFound } from "#core/errors";
import { toMillis } from "#core/fields";
import { isAdmin } from "#core/permission";
import { type Query, statement } from "#db/client";
import { integer, row } from "#db/row";
import { actingUser, boundUserOf, type NamedUser, type UserRef, userIdOf, userNotNamed } from "#domain/tenants";
import { type MemoryViewerRef, type Reach, readerCte } from "#domain/visibility";
import type { MemoryPlaceInput } from "./schemas.ts";

/** On whose behalf a write is done: a user's, or (null) the tenant's own, to which shared memories belong. */
export type Writer = { user: NamedUser | null };

/** A server key that names no user writes for the tenant itself, which has nothing but shared memories. */
export function writerOf(caller: Caller, named: string | undefined): Writer {
  const isServerKey = caller.actor.kind === "key" && boundUserOf(caller) === null;
  return { user: named === undefined && isServerKey ? null : actingUser(caller, named) };
}

/** The error for a memory that is not there for the writer. Who named no user may have forgotten to. */
export function notFoundFor({ user }: Writer): AppError {
  return user === null ? userNotNamed() : notFound("memory");
}

/**
 * Whether the writer may change or forget the memory row `m`: a personal one's owner, whoever takes part in a group memory's session
 * now; a shared one is the tenant's.
 */
export function mayChange(caller: Caller, { user }: Writer, m: SQL): SQL {
  const userId = userIdOf(caller.tenantId, user);
  return sql`case ${m}.ownership
    when 'personal' then ${m}.owner_id = ${userId}
    when 'group' then exists (
      select 1 from participants cp where cp.session_id = ${m}.session_id and cp.user_id = ${userId} and cp.left_at is null)
    else ${user === null ? 1 : 0}
  end`;
}

/**
 * Whether the writer may bring back the forgotten memory row `m`: who may change it, and in a group took part when it was forgotten. To who
 * joined later, or came back later, it never was there.
 */
export function mayRestore(caller: Caller, writer: Writer, m: SQL): SQL {
  return sql`(${mayChange(caller, writer, m)} and (${m}.session_id is null or exists (
    select 1 from participants rp where rp.session_id = ${m}.session_id and rp.user_id = ${userIdOf(caller.tenantId, writer.user)}
      and rp.joined_at <= ${m}.deleted_at and (rp.left_at is null or rp.left_at >= ${m}.deleted_at))))`;
}

/** Whether the writer may approve or reject the memory row `m`: its owner, or any key with the permission `admin`. */
export function mayReview(caller: Caller, { user }: Writer, m: SQL): SQL {
  return isAdmin(caller.actor) ? sql`true` : sql`${m}.owner_id = ${userIdOf(caller.tenantId, user)}`;
}

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

const KNOWN = row({ known: integer(sql`1`) });

/** One row if the user is known and may be where the request says. */
export function findReader(viewer: MemoryViewerRef): Query<{ known: number }> {
  return statement(KNOWN, sql`with ${readerCte(viewer)} select ${KNOWN.columns} from reader`);
}

/** A session or project in which the user has no part is answered like one that does not exist. */
export function requireReader(found: readonly unknown[], place: MemoryPlaceInput): void {
  if (found.length > 0) return;
  if (place.sessionId !== undefined) throw notFound("session");
  if (place.projectId !== undefined) throw notFound("project");
}
