import { type SQL, sql } from "drizzle-orm";
import type { Caller, Ctx } from "#context";
import { isAdmin } from "#core/permission";
import { type Query, read, statement } from "#db/client";
import { flag, type RowOf, row } from "#db/row";
import { MEMORY } from "#db/schema/memories";
import { userIdOf } from "#domain/tenants";
import { type Writer, writerView } from "./access.ts";
import { alternateHashesOf, freeHash } from "./content-hash.ts";
import { readerScope, type StoredMemory, storedColumns } from "./rows.ts";

/** The columns of a memory's row with what the writer may know of it; the statement has the reader of `readerScope`. */
export function columnsForWriter(caller: Caller, sees: (m: SQL) => SQL, { user }: Writer) {
  const userId = userIdOf(caller.tenantId, user);
  return {
    /** They see it where it lives, or in their own review queue. */
    isVisible: flag(sql`(exists (select 1 from reader r where ${sees(sql`m`)})
      or (m.status <> 'approved' and coalesce(m.owner_id = ${userId}, 0)))`),
    /** They own it, or said it. */
    isOwn: flag(sql`(coalesce(m.owner_id = ${userId}, 0) or exists (
      select 1 from persons kp cross join persons ks on ks.id = coalesce(kp.merged_into, kp.id)
      where kp.id = m.stated_by and ks.user_id = ${userId}))`),
    ...storedColumns,
  };
}

/** A memory that has the words or the key which a writer names. */
export type Existing = RowOf<ReturnType<typeof columnsForWriter>>;

/**
 * Whether a writer may learn that the memory exists: they see it, own it, said it, or review it. Of any other, a write answers, and does,
 * what it would without it. Shared memories are the tenant's, as who writes them is. What a person rejected stays rejected for a job, which
 * answers nobody.
 */
export function isKnownTo(caller: Caller, writer: Writer, memory: Existing): boolean {
  if (memory.isVisible || memory.isOwn || memory.ownership === "shared") return true;
  const { actor } = caller;
  if (actor.kind !== "key") return memory.status === "rejected";
  return writer.user === null && isAdmin(actor);
}

/** A memory that is to have these words and this key, and where it lives. */
type Wish = {
  writer: Writer;
  memory: Pick<StoredMemory, "id" | "spaceId" | "publicId">;
  /** The group session that it belongs to, by the app's id. */
  sessionExternalId: string | null;
  hash: string;
  key: string | null;
  workspaceId: string | null;
};

/**
 * What to do about live memories of the same space that have the words or the key already. `known`: the writer may know of one, and is
 * refused. `hidden`: they take the hash that is free, and the key from its hidden holder. `none`: nothing is in the way any more.
 */
export async function makeRoom(
  ctx: Ctx<"db" | "now">,
  wish: Wish,
): Promise<{ kind: "known" } | { kind: "none" } | { kind: "hidden"; hash: string; holder: StoredMemory | null }> {
  const { writer, memory, hash, key, workspaceId } = wish;
  const { found } = await read(ctx, { found: findClashes(ctx, wish, [hash, ...(await alternateHashesOf(hash, writer.user))]) });
  const holder = found.find((other) => key !== null && other.key === key && other.workspaceId === workspaceId) ?? null;
  const inTheWay = found.filter(
    (other) => other === holder || (other.hash === hash && (other.key === key || other.key === null || key === null)),
  );
  if (inTheWay.length === 0) return { kind: "none" };
  if (inTheWay.some((other) => isKnownTo(ctx, writer, other))) return { kind: "known" };
  const taken = new Set(found.flatMap((other) => (other.key === key && other !== holder ? [other.hash] : [])));
  return { kind: "hidden", hash: await freeHash(hash, { taken, user: writer.user, publicId: memory.publicId }), holder };
}

function findClashes(ctx: Ctx<"db" | "now">, wish: Wish, hashes: readonly string[]): Query<Existing> {
  const { writer, memory, key, workspaceId } = wish;
  const place = { sessionId: wish.sessionExternalId ?? undefined, workspaceId: workspaceId ?? undefined };
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
