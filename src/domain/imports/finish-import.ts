import { sql } from "drizzle-orm";
import type { Ctx } from "#context";
import { requirePermission } from "#core/permission";
import { IMPORT } from "#db/schema/transfer";
import { commit } from "#domain/audit";
import { userIdOf } from "#domain/tenants";
import { forgetIds } from "./edgewise/id-map.ts";
import { findImport, findOwned } from "./find-import.ts";
import type { ImportFinishInput, ImportView } from "./schemas.ts";
import { toImport } from "./view.ts";

/**
 * Ends an import and answers its report. Idempotent.
 * @throws not_found
 */
export async function finishImport(
  ctx: Ctx<"db" | "now" | "newId">,
  id: string,
  { userId, isComplete = true }: ImportFinishInput,
): Promise<ImportView> {
  requirePermission(ctx.actor, "write");
  const { found, user } = await findOwned(ctx, { id, userId });
  if (found.status === "open") {
    const status = isComplete ? "finished" : "failed";
    await commit(ctx, {
      statements: [
        ...(found.platform === "edgewise" ? [forgetIds(ctx, found.id)] : []),
        ctx.db.run(sql`
          update imports set ${IMPORT.set({ status, finishedAt: ctx.now() })}
          where id = ${found.id} and tenant_id = ${ctx.tenantId} and status = 'open'`),
      ],
      audit: [
        {
          action: "import.finished",
          objectId: found.publicId,
          userId: userIdOf(ctx.tenantId, user),
          detail: { status, ...found.statistics },
          when: sql`changes() > 0`,
        },
      ],
    });
  }
  return toImport(await findImport(ctx, { id, user }));
}
