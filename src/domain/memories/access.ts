import { type SQL, sql } from "drizzle-orm";
import type { Caller, Ctx } from "#context";
import { type AppError, notFound } from "#core/errors";
import { toMillis } from "#core/fields";
import { isAdmin, isClient } from "#core/permission";
import { type Query, read, statement } from "#db/client";
import { flag, nullable, type RowOf, row, text } from "#db/row";
import { MEMORY } from "#db/schema/memories";
import { actingUser, boundUserOf, type NamedUser, type UserRef, userIdOf, userNotNamed } from "#domain/tenants";
import { type MemoryViewerRef, type Reach, readerCte } from "#domain/visibility";
import { alternateHashesOf, freeHash } from "./content-hash.ts";
import { readerScope, type StoredMemory, storedColumns } from "./rows.ts";
import type { MemoryPlaceInput } from "./schemas.ts";

/** Whose behalf a write is done on: a user's, or (null) the tenant's, which owns the shared memories. */
export type Writer = { user: NamedUser | null };

/** A server key that names no user writes for the tenant itself, which has nothing but shared memories. */
export function writerOf(caller: Caller, named: string | undefined): Writer {
  const isServerKey = caller.actor.kind === "key" && boundUserOf(caller) === null;
  return { user: named === undefined && isServerKey ? null : actingUser(caller, named) };
}

/** The error for a memory that the writer cannot see. If the request names no user, its detail says that `userId` may be missing. */
export function notFoundFor({ user }: Writer): AppError {
  return user === null ? userNotNamed() : notFound("memory");
}

/**
 * Whether the writer may change or forget the memory row `m`. A personal memory: its owner. A group memory: the current participants of its
 * session. A shared memory: the tenant.
 */
export function mayChange(caller: Caller, { user }: Writer, m: SQL): SQL {
  const userId = userIdOf(caller.tenantId, user);
  return sql`case ${m}.ownership
    when 'personal' then ${m}.owner_id = ${userId} and ${sessionsOf(caller) === null ? 1 : 0}
    when 'group' then exists (
      select 1 from participants cp where cp.session_id = ${m}.session_id and cp.user_id = ${userId} and cp.left_at is null)
      and ${isInSessions(caller, m)}
    else ${user === null ? 1 : 0}
  end`;
}

/** The sessions that a caller's token is for; null for any. It changes no memory that belongs to none of them. */
function sessionsOf({ actor }: Caller): readonly string[] | null {
  return actor.kind === "token" ? actor.sessions : null;
}

/** Whether the row, of a memory or an episode, is of one of those sessions, or the caller is for any. */
export function isInSessions(caller: Caller, row: SQL): SQL {
  const sessions = sessionsOf(caller);
  if (sessions === null) return sql`true`;
  return sql`${row}.session_id in (select cs.id from json_each(${JSON.stringify(sessions)}) cj
    cross join sessions cs on cs.tenant_id = ${caller.tenantId} and cs.external_id = cj.value)`;
}

/**
 * Whether the writer may restore the forgotten memory row `m`: they may change it and, in a group, took part when it was forgotten. For a
 * user who joined or rejoined later, the memory never existed.
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

/** Whether a session that is not stored counts as a new private one of the user's, as it does in a search; if not, it shows nothing. */
export type NewSession = { sessionMayBeNew?: boolean };

/** The reader that a request names. */
export function memoryViewer(
  ctx: Ctx<"now">,
  place: MemoryPlaceInput & NewSession,
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
    ...(place.sessionMayBeNew === true ? { sessionMayBeNew: true } : {}),
  };
}

/** The same for the writer; null for the tenant itself. */
export function writerView(ctx: Ctx<"now">, { user }: Writer, place: MemoryPlaceInput & NewSession): MemoryViewerRef | null {
  return user === null ? null : memoryViewer(ctx, place, { about: "anyone", user });
}

/** Whether the user has no access to the place that the request names. */
export function namesPlace({ sessionId, projectId }: MemoryPlaceInput): boolean {
  return sessionId !== undefined || projectId !== undefined;
}

/** Where the user is, by IANA's name. */
const READER = row({ timeZone: nullable(text(sql`(select zu.time_zone from users zu where zu.id = user_id)`)) });

/** One row if the user is known and has access to the place that the request names. */
export function findReader(viewer: MemoryViewerRef): Query<{ timeZone: string | null }> {
  return statement(READER, sql`with ${readerCte(viewer)} select ${READER.columns} from reader`);
}

/** A session or project that the user has no access to gets the same answer as one that does not exist. */
export function requireReader(found: readonly unknown[], place: MemoryPlaceInput): void {
  if (found.length > 0) return;
  if (place.sessionId !== undefined) throw notFound("session");
  if (place.projectId !== undefined) throw notFound("project");
}

/** The columns of a memory's row with what the writer may see of it. The statement includes the reader of `readerScope`. */
export function columnsForWriter(caller: Caller, sees: (m: SQL) => SQL, { user }: Writer) {
  const userId = userIdOf(caller.tenantId, user);
  return {
    /** They see it in its own space, or in their own review queue. */
    isVisible: flag(sql`(exists (select 1 from reader r where ${sees(sql`m`)})
      or (m.status <> 'approved' and coalesce(m.owner_id = ${userId}, 0)))`),
    /** They own it, or stated it. */
    isOwn: flag(sql`(coalesce(m.owner_id = ${userId}, 0) or exists (
      select 1 from persons kp cross join persons ks on ks.id = coalesce(kp.merged_into, kp.id)
      where kp.id = m.stated_by and ks.user_id = ${userId}))`),
    ...storedColumns,
  };
}

/** An existing memory with the words or the key of a write. */
export type Existing = RowOf<ReturnType<typeof columnsForWriter>>;

/**
 * Whether a writer may learn that the memory exists: they see it, own it, stated it, or review it. A write treats any other memory as if it
 * did not exist, in what it answers and in what it does. Shared memories belong to the tenant, as does the writer of one. For a job, a
 * rejected memory is known: nobody reads its answer, and rejected words must stay rejected.
 */
export function isKnownTo(caller: Caller, writer: Writer, memory: Existing): boolean {
  if (memory.isVisible || memory.isOwn || memory.ownership === "shared") return true;
  const { actor } = caller;
  if (!isClient(actor)) return memory.status === "rejected";
  return writer.user === null && isAdmin(actor);
}

/** A memory that is about to get these words and this key, and the space where it is stored. */
type WantedMemory = {
  writer: Writer;
  memory: Pick<StoredMemory, "id" | "spaceId" | "publicId">;
  /** The group session that it belongs to, by the app's id. */
  sessionExternalId: string | null;
  hash: string;
  key: string | null;
  workspaceId: string | null;
};

/**
 * What to do about live memories of the same space that already have the words or the key. `known`: the writer may know of one, so the
 * write is refused. `hidden`: the write takes the next free hash, and takes the key from its hidden holder. `none`: nothing conflicts.
 */
export async function resolveClash(
  ctx: Ctx<"db" | "now">,
  wanted: WantedMemory,
): Promise<{ kind: "known" } | { kind: "none" } | { kind: "hidden"; hash: string; holder: StoredMemory | null }> {
  const { writer, memory, hash, key, workspaceId } = wanted;
  const { found } = await read(ctx, { found: findClashes(ctx, wanted, [hash, ...(await alternateHashesOf(hash, writer.user))]) });
  const holder = found.find((other) => key !== null && other.key === key && other.workspaceId === workspaceId) ?? null;
  const clashes = found.filter(
    (other) => other === holder || (other.hash === hash && (other.key === key || other.key === null || key === null)),
  );
  if (clashes.length === 0) return { kind: "none" };
  if (clashes.some((other) => isKnownTo(ctx, writer, other))) return { kind: "known" };
  const taken = new Set(found.flatMap((other) => (other.key === key && other !== holder ? [other.hash] : [])));
  return { kind: "hidden", hash: await freeHash(hash, { taken, user: writer.user, publicId: memory.publicId }), holder };
}

function findClashes(ctx: Ctx<"db" | "now">, wanted: WantedMemory, hashes: readonly string[]): Query<Existing> {
  const { writer, memory, key, workspaceId } = wanted;
  const place = { sessionId: wanted.sessionExternalId ?? undefined, workspaceId: workspaceId ?? undefined };
  const { reader, sees } = readerScope(ctx, writerView(ctx, writer, place));
  const [id, space] = [sql.raw(String(memory.id)), sql.raw(String(memory.spaceId))];
  const isLive = sql`m.id <> ${id} and m.deleted_at is null and m.superseded_by is null and +m.tenant_id = ${ctx.tenantId}`;
  const shape = row(columnsForWriter(ctx, sees, writer));
  const stored = MEMORY.encode({ key, workspaceId });
  return statement(
    shape,
    sql`
    with ${reader}
    select ${shape.columns} from json_each(${JSON.stringify(hashes)}) j
    cross join memories m on m.space_id = ${space} and m.hash = j.value where ${isLive}
    union
    select ${shape.columns} from memories m
    where m.space_id = ${space} and m.key = ${stored.key} and m.key <> '' and m.workspace_id = ${stored.workspaceId} and ${isLive}`,
  );
}
