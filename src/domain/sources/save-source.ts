import { sql } from "drizzle-orm";
import type { Ctx } from "#context";
import { AppError, conflict, notFound } from "#core/errors";
import { requirePermission, requireTenantPermission } from "#core/permission";
import { refuseSecrets } from "#core/safety/refuse-secrets";
import { read, readRows, type Statement } from "#db/client";
import { failUnless, isLostRace, isUniqueViolation } from "#db/guard";
import { SOURCE } from "#db/schema/sources";
import { type AuditEntry, commit } from "#domain/audit";
import { type UserRef, userIdOf, userNotNamed } from "#domain/tenants";
import { tenantSpaceId } from "#domain/visibility";
import { findProject } from "./find-project.ts";
import { documentUser, type FoundSource, findSource, isStillWritable, requireWritable } from "./find-source.ts";
import type { SourceInput, SourceView } from "./schemas.ts";
import { toSource } from "./view.ts";

type SaveCtx = Ctx<"db" | "now" | "newId">;

/**
 * Creates a source, or renames it. One without a project is the tenant's library, which only server keys write.
 * @throws not_found for a project, or a source of one, that the user does not belong to.
 * @throws forbidden for a member who does not own the project, and for the library with a key or token of one user.
 * @throws conflict if the source is of another project, or of none.
 */
export async function saveSource(
  ctx: SaveCtx,
  sourceId: string,
  input: SourceInput,
): Promise<{ source: SourceView; created: boolean }> {
  requirePermission(ctx.actor, "write");
  refuseSecrets({ name: input.name });
  const asked = { sourceId, user: documentUser(ctx, input.userId) };
  const {
    source: [known],
  } = await read(ctx, { source: findSource(ctx, asked) });
  const created = known === undefined;
  if (created) await createSource(ctx, { ...asked, ...input });
  else await renameSource(ctx, requireWritable(ctx, known, asked), { ...asked, ...input });
  const {
    source: [source],
  } = await read(ctx, { source: findSource(ctx, asked) });
  return { source: toSource(requireWritable(ctx, source, asked)), created };
}

type Saving = { sourceId: string; user: UserRef | null; projectId?: string | undefined; name?: string | undefined };

async function renameSource(ctx: SaveCtx, source: FoundSource, { user, projectId, name }: Saving): Promise<void> {
  if (projectId !== undefined && projectId !== source.projectExternalId)
    throw conflict("The source belongs to another project, or to the library; that never changes. Create another source.");
  if (name === undefined || name === source.name) return;
  await store(ctx, user, {
    statements: [
      failUnless(ctx.db, isStillWritable(ctx, source, user)),
      ctx.db.run(sql`
        update sources set ${SOURCE.set({ name, updatedAt: ctx.now() })} where id = ${source.id} and +tenant_id = ${ctx.tenantId}`),
    ],
    action: "source.renamed",
    objectId: source.publicId,
  });
}

async function createSource(ctx: SaveCtx, { sourceId, user, projectId, name = sourceId }: Saving): Promise<void> {
  const publicId = ctx.newId("source");
  const columns = {
    ...{ publicId, tenantId: ctx.tenantId, externalId: sourceId, name, createdBy: userIdOf(ctx.tenantId, user) },
    ...{ createdAt: ctx.now(), updatedAt: ctx.now() },
  };
  await store(ctx, user, {
    statements: projectId === undefined ? inLibrary(ctx, columns) : await inProject(ctx, columns, { user, projectId }),
    action: "source.created",
    objectId: publicId,
  });
}

type Columns = Omit<Parameters<typeof SOURCE.insert>[0], "spaceId" | "projectId">;

function inLibrary(ctx: SaveCtx, columns: Columns): Statement[] {
  requireTenantPermission(ctx.actor, "write");
  const space = tenantSpaceId(ctx.tenantId);
  return [
    ctx.db.run(sql`
      insert into spaces (public_id, tenant_id, kind) values (${space}, ${ctx.tenantId}, 'tenant') on conflict (public_id) do nothing`),
    ctx.db.run(sql`
      insert into sources ${SOURCE.insert({ ...columns, projectId: null, spaceId: sql`sp.id` })} from spaces sp where sp.public_id = ${space}`),
  ];
}

async function inProject(
  ctx: SaveCtx,
  columns: Columns,
  { user, projectId }: { user: UserRef | null; projectId: string },
): Promise<Statement[]> {
  if (user === null) throw userNotNamed();
  const [project] = await readRows(ctx, findProject(ctx, { externalId: projectId, user }));
  if (project === undefined) throw notFound("project");
  if (!project.isOwner) throw new AppError("forbidden", "Only the project's owner may change its documents.");
  const isOwned = sql`p.id = ${project.id} and p.owner_id = ${userIdOf(ctx.tenantId, user)}`;
  return [
    failUnless(ctx.db, sql`exists (select 1 from projects p where ${isOwned})`),
    ctx.db.run(sql`
      insert into sources ${SOURCE.insert({ ...columns, projectId: sql`p.id`, spaceId: sql`p.space_id` })} from projects p where ${isOwned}`),
  ];
}

type Change = { statements: Statement[] } & Pick<AuditEntry, "action" | "objectId">;

async function store(ctx: SaveCtx, user: UserRef | null, { statements, ...entry }: Change): Promise<void> {
  try {
    await commit(ctx, { statements, audit: [{ ...entry, userId: userIdOf(ctx.tenantId, user), detail: {} }] });
  } catch (error) {
    if (isUniqueViolation(error))
      throw new AppError("conflict", "This source is being created at the same moment. Try again.", { retryAfterSeconds: 1 });
    if (isLostRace(error)) throw notFound("source");
    throw error;
  }
}
