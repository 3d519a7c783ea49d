import { type SQL, sql } from "drizzle-orm";
import type { Caller, Ctx } from "#context";
import { sha256 } from "#core/key";
import { isAdmin } from "#core/permission";
import type { Statement } from "#db/client";
import { runBatch } from "#domain/audit";
import { type UserRef, userIdOf } from "#domain/tenants";
import type { Writer } from "./authority.ts";
import { readerScope } from "./columns.ts";
import { writerView } from "./place.ts";
import { type StoredMemory, storedColumns } from "./stored.ts";

/** What a writer may know of a memory that has their words or their key, whether it is 1 or 0. */
export type Relation = {
  /** They see it where it lives, or in their own queue. */
  isVisible: number;
  /** They own it, or said it. */
  isOwn: number;
};

/** The columns of `Relation`, of the row `m`; the statement has the reader of `readerScope`. */
export function relationToWriter(caller: Caller, sees: (m: SQL) => SQL, { user }: Writer): SQL {
  const userId = userIdOf(caller.tenantId, user);
  return sql`
    (exists (select 1 from reader r where ${sees(sql`m`)})
      or (m.status <> 'approved' and coalesce(m.owner_id = ${userId}, 0))) as isVisible,
    (coalesce(m.owner_id = ${userId}, 0) or exists (
      select 1 from persons kp cross join persons ks on ks.id = coalesce(kp.merged_into, kp.id)
      where kp.id = m.stated_by and ks.user_id = ${userId})) as isOwn`;
}

/**
 * Whether a writer may learn that the memory exists: they see it, own it, said it, or review it. Of any other, a write answers, and does,
 * what it would without it. Shared memories are the tenant's, as who writes them is. What a person rejected stays rejected for a job, which
 * answers nobody.
 */
export function isKnownTo(caller: Caller, writer: Writer, row: Relation & Pick<StoredMemory, "ownership" | "status">): boolean {
  if (row.isVisible === 1 || row.isOwn === 1 || row.ownership === "shared") return true;
  const { actor } = caller;
  if (actor.kind !== "key") return row.status === "rejected";
  return writer.user === null && isAdmin(actor);
}

/** How many hashes one text may have, beside its own. */
export const ALTERNATE_HASHES = 4;

/**
 * Hashes of words of which there is a memory that the writer may not know of: the first is taken that is free, so that the same words by
 * somebody else find it again. The last is the writer's own.
 */
export async function alternateHashesOf(hash: string, user: UserRef | null): Promise<string[]> {
  const names = Array.from({ length: ALTERNATE_HASHES }, (_, i) => (i === ALTERNATE_HASHES - 1 ? user : i));
  return await Promise.all(names.map((name) => sha256(JSON.stringify([hash, "apart", name]))));
}

/** The first hash that nobody has; a new one if all are taken. */
export async function freeHash(
  hash: string,
  { taken, user, publicId }: { taken: ReadonlySet<string>; user: UserRef | null; publicId: string },
): Promise<string> {
  const free = [hash, ...(await alternateHashesOf(hash, user))].find((each) => !taken.has(each));
  return free ?? (await sha256(JSON.stringify([hash, "apart", publicId])));
}

type Clash = StoredMemory & Relation;

/** A memory that is to have these words and this key, and where it lives. */
type Wish = {
  writer: Writer;
  memory: Pick<StoredMemory, "id" | "spaceId" | "publicId">;
  /** The group session that it belongs to, by the app's id. */
  sessionExternalId: string | null;
  hash: string;
  key: string;
  workspaceId: string;
};

/**
 * What to do about live memories of the same space that have the words or the key already. `known`: the writer may know of one, and is told.
 * Else they have the hash that is free, and take the key from its hidden holder. `none`: nothing is in the way any more.
 */
export async function makeRoom(
  ctx: Ctx<"db" | "now">,
  wish: Wish,
): Promise<{ kind: "known" } | { kind: "none" } | { kind: "hidden"; hash: string; holder: StoredMemory | null }> {
  const { writer, memory, hash, key, workspaceId } = wish;
  const [clashes] = await runBatch(ctx, [findClashes(ctx, wish, [hash, ...(await alternateHashesOf(hash, writer.user))])]);
  const found = (clashes?.rows ?? []) as Clash[];
  const holder = found.find((row) => key !== "" && row.key === key && row.workspaceId === workspaceId) ?? null;
  const inTheWay = found.filter(
    (row) => row === holder || (row.hash === hash && (row.key === key || row.key === "" || key === "")),
  );
  if (inTheWay.length === 0) return { kind: "none" };
  if (inTheWay.some((row) => isKnownTo(ctx, writer, row))) return { kind: "known" };
  const taken = new Set(found.flatMap((row) => (row.key === key && row !== holder ? [row.hash] : [])));
  return { kind: "hidden", hash: await freeHash(hash, { taken, user: writer.user, publicId: memory.publicId }), holder };
}

function findClashes(ctx: Ctx<"db" | "now">, wish: Wish, hashes: readonly string[]): Statement {
  const { writer, memory, key, workspaceId } = wish;
  const place = { sessionId: wish.sessionExternalId ?? undefined, workspaceId: workspaceId || undefined };
  const { reader, sees } = readerScope(ctx, writerView(ctx, writer, place));
  const [id, space] = [sql.raw(String(memory.id)), sql.raw(String(memory.spaceId))];
  const isLive = sql`m.id <> ${id} and m.deleted_at is null and m.superseded_by is null and +m.tenant_id = ${ctx.tenantId}`;
  const columns = sql`${storedColumns}, ${relationToWriter(ctx, sees, writer)}`;
  return ctx.db.all(sql`
    with ${reader}
    select ${columns} from json_each(${JSON.stringify(hashes)}) j
    cross join memories m on m.space_id = ${space} and m.hash = j.value where ${isLive}
    union
    select ${columns} from memories m
    where m.space_id = ${space} and m.key = ${key} and m.key <> '' and m.workspace_id = ${workspaceId} and ${isLive}`);
}
