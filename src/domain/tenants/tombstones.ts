import { sql } from "drizzle-orm";
import type { Services } from "#context";
import { misconfigured } from "#core/errors";
import { readRows, select } from "#db/client";
import { row } from "#db/row";
import { TOMBSTONE } from "#db/schema/transfer";

/** Kinds of things that can be erased. */
export type ErasedKind = "user" | "session" | "project" | "source";

/** What a tombstone stands for: also rows that went although what they belong to stayed. */
export type BuriedKind = ErasedKind | "episode" | "memory" | "entity" | "forgetting";

/**
 * The keyed hash by which something erased is recognised; `id` is the app's, of what the app does not name Edgewise's own.
 * @throws misconfigured without ENCRYPTION_KEY.
 */
export async function tombstoneHash(ctx: Keyed, kind: BuriedKind, id: string): Promise<string> {
  if (ctx.secretBox === null) throw misconfigured("Erasures need ENCRYPTION_KEY, which keys the hashes of what was erased.");
  return await ctx.secretBox.sign(JSON.stringify([ctx.tenantId, kind, id]), "tombstones");
}

type Keyed = { tenantId: number } & Pick<Services, "secretBox">;

const FOUND = row(TOMBSTONE.of(sql`t`, "subjectHash", "erasedAt"));

/** Those of the hashes that stand for something erased, with the time in Unix milliseconds. */
export async function findTombstones(
  ctx: Pick<Keyed, "tenantId"> & Pick<Services, "db">,
  hashes: readonly string[],
): Promise<Map<string, number>> {
  if (hashes.length === 0) return new Map();
  const found = await readRows(
    ctx,
    select(FOUND)`from json_each(${JSON.stringify(hashes)}) j
      cross join tombstones t on t.tenant_id = ${ctx.tenantId} and t.subject_hash = j.value`,
  );
  return new Map(found.map(({ subjectHash, erasedAt }) => [subjectHash, erasedAt]));
}

/** Unix milliseconds at which the user with the app's id was erased; null if they were not. */
export async function userErasedAt(ctx: Keyed & Pick<Services, "db">, id: string): Promise<number | null> {
  // Without the key, nothing was erased.
  if (ctx.secretBox === null) return null;
  const hash = await tombstoneHash(ctx, "user", id);
  return (await findTombstones(ctx, [hash])).get(hash) ?? null;
}
