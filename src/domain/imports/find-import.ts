import type { Ctx } from "#context";
import { notFound } from "#core/errors";
import { isAdmin } from "#core/permission";
import { readRows, select } from "#db/client";
import { actingUser, boundUserOf, type NamedUser, userIdOf } from "#domain/tenants";
import { IMPORT_ROW, type ImportRow } from "./view.ts";

/**
 * An import of the user.
 * @throws not_found
 */
export async function findImport(ctx: Ctx<"db">, { id, user }: { id: string; user: NamedUser | null }): Promise<ImportRow> {
  const [found] = await readRows(ctx, selectImport(ctx, { id, user }));
  if (found === undefined) throw notFound("import");
  return found;
}

function selectImport(ctx: Ctx, { id, user }: { id: string; user: NamedUser | null }) {
  return select(IMPORT_ROW)`from imports i
    where i.public_id = ${id} and i.tenant_id = ${ctx.tenantId} and i.user_id is ${userIdOf(ctx.tenantId, user)}`;
}

/**
 * An import that a request names, with its user: null for the whole tenant's, which a key with `admin` names without a user.
 * @throws not_found
 */
export async function findOwned(
  ctx: Ctx<"db">,
  { id, userId }: { id: string; userId: string | undefined },
): Promise<{ found: ImportRow; user: NamedUser | null }> {
  if (userId === undefined && boundUserOf(ctx) === null && isAdmin(ctx.actor)) {
    const [found] = await readRows(ctx, selectImport(ctx, { id, user: null }));
    if (found !== undefined) return { found, user: null };
  }
  const user = actingUser(ctx, userId);
  return { found: await findImport(ctx, { id, user }), user };
}

/** The finished import of the same file for the same user into the same project. */
export async function findSameFile(
  ctx: Ctx<"db">,
  same: { user: NamedUser | null; sha256: string; platform: string; projectId: string | null },
): Promise<ImportRow | undefined> {
  const [found] = await readRows(
    ctx,
    select(IMPORT_ROW)`from imports i
      where i.tenant_id = ${ctx.tenantId} and i.user_id is ${userIdOf(ctx.tenantId, same.user)} and i.sha256 = ${same.sha256}
        and i.platform = ${same.platform} and i.status = 'finished' and not i.dry_run
        and i.project_id is (select p.id from projects p where p.tenant_id = ${ctx.tenantId} and p.external_id = ${same.projectId})
      order by i.id desc limit 1`,
  );
  return found;
}
