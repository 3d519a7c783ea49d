import { sql } from "drizzle-orm";
import type { Ctx } from "#context";
import { breaksRule, conflict, notFound } from "#core/errors";
import { requirePermission, requireTenantPermission } from "#core/permission";
import { redactName } from "#core/safety/name-secrets";
import { storable } from "#core/text/normalize";
import { readRows, select } from "#db/client";
import { integer, row } from "#db/row";
import { IMPORT } from "#db/schema/transfer";
import { commit } from "#domain/audit";
import { findOwnProject } from "#domain/sessions";
import { actingUser, boundUserOf, ensureUsers, type NamedUser, userIdOf } from "#domain/tenants";
import { findErased } from "./find-erased.ts";
import { findImport, findSameFile } from "./find-import.ts";
import type { ImportInput, ImportView } from "./schemas.ts";
import { toImport } from "./view.ts";

const EXISTING = row({ id: integer(sql`u.id`) });

/**
 * Begins an import for a user. A file that was imported before answers that import, with `repeated`, unless `again` is asked for; one that was cut off begins anew, and
 * what it stored is known.
 *
 * @throws not_found for a project that the user does not belong to.
 * @throws conflict for a user who was erased and has not been created again.
 */
export async function startImport(
  ctx: Ctx<"db" | "now" | "newId" | "secretBox">,
  input: ImportInput,
): Promise<{ started: ImportView; created: boolean }> {
  requirePermission(ctx.actor, "write");
  const user = ownerOf(ctx, input);
  if (user !== null) await refuseErased(ctx, user);
  const { platform, sha256, again = false, dryRun = false, extraction = "rules" } = input;
  const projectId = input.projectId ?? null;
  if (projectId !== null) await requireProject(ctx, { projectId, platform, user });
  const same = dryRun || again ? undefined : await findSameFile(ctx, { user, sha256, platform, projectId });
  if (same !== undefined) return { started: toImport(same, { repeated: true }), created: false };
  const publicId = ctx.newId("import");
  const userId = userIdOf(ctx.tenantId, user);
  await commit(ctx, {
    statements: [
      ...(user === null ? [] : ensureUsers(ctx, [user])),
      ctx.db.run(sql`
        update imports set ${IMPORT.set({ status: "failed", finishedAt: ctx.now() })}
        where tenant_id = ${ctx.tenantId} and user_id is ${userId} and sha256 = ${sha256} and status = 'open'`),
      ctx.db.run(sql`
        insert into imports ${IMPORT.insert({
          ...{ publicId, tenantId: ctx.tenantId, userId, platform, sha256, extraction, dryRun, status: "open" },
          fileName: redactName(storable(input.fileName)),
          projectId: sql`(select p.id from projects p where p.tenant_id = ${ctx.tenantId} and p.external_id = ${projectId})`,
          ...{ statistics: sql`'{}'`, problems: sql`'[]'`, createdAt: ctx.now() },
        })}`),
    ],
    audit: [{ action: "import.started", objectId: publicId, userId, detail: { platform, projectId, dryRun, extraction } }],
  });
  return { started: toImport(await findImport(ctx, { id: publicId, user })), created: true };
}

/** The user; null for the import of a whole tenant from an export of Edgewise, which a key with `admin` begins without a user. */
function ownerOf(ctx: Ctx, { userId, platform }: ImportInput): NamedUser | null {
  if (platform !== "edgewise" || userId !== undefined || boundUserOf(ctx) !== null) return actingUser(ctx, userId);
  requireTenantPermission(ctx.actor, "admin");
  return null;
}

async function requireProject(
  ctx: Ctx<"db">,
  { projectId, platform, user }: { projectId: string; platform: string; user: NamedUser | null },
): Promise<void> {
  if (user === null || platform === "edgewise")
    throw breaksRule("projectId", "An export of Edgewise says which project each session is in.");
  if ((await readRows(ctx, findOwnProject(ctx, { externalId: projectId, user }))).length === 0) throw notFound("project");
}

async function refuseErased(ctx: Ctx<"db" | "secretBox">, user: NamedUser): Promise<void> {
  const erased = await findErased(ctx, "user", [user.externalId]);
  if (erased.size === 0) return;
  const existing = await readRows(ctx, select(EXISTING)`from users u where u.id = ${userIdOf(ctx.tenantId, user)}`);
  if (existing.length === 0)
    throw conflict("This user was erased. If they have come back, create the user first (PUT /v1/users/{userId}), then import.");
}
