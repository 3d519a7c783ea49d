import { sql } from "drizzle-orm";
import type { Ctx } from "#context";
import { readRows, select } from "#db/client";
import { integer, row } from "#db/row";
import { type ErasedKind, findTombstones, tombstoneHash } from "#domain/tenants";

const ANY = row({ any: integer(sql`1`) });

/**
 * Those of the app's ids that were erased.
 * @throws misconfigured if something was erased with an ENCRYPTION_KEY and there is none now: an import could bring it back.
 */
export async function findErased(
  ctx: Ctx<"db" | "secretBox">,
  kind: ErasedKind,
  externalIds: readonly string[],
): Promise<Set<string>> {
  if (ctx.secretBox === null) {
    const any = await readRows(ctx, select(ANY)`from tombstones where tenant_id = ${ctx.tenantId} limit 1`);
    if (any.length === 0) return new Set();
  }
  const hashed = await Promise.all(externalIds.map(async (id) => ({ id, hash: await tombstoneHash(ctx, kind, id) })));
  const erased = await findTombstones(
    ctx,
    hashed.map(({ hash }) => hash),
  );
  return new Set(hashed.filter(({ hash }) => erased.has(hash)).map(({ id }) => id));
}
