import { sql } from "drizzle-orm";
import type { Ctx } from "#context";
import { AppError, breaksRule, notFound } from "#core/errors";
import { requirePermission } from "#core/permission";
import { retryLostRace } from "#core/retry-lost-race";
import { refuseLabelledSecret, refuseSecrets } from "#core/safety/refuse-secrets";
import { failUnless, isLostRace, isUniqueViolation } from "#db/guard";
import { commit } from "#domain/audit";
import { dispatch } from "#domain/jobs";
import { actingUser, type UserRef, userIdOf } from "#domain/tenants";
import { isMember } from "#domain/visibility";
import { type DecidedEntity, decideEntities, isChanged, type KnownEntity } from "./decide-entities.ts";
import { loadEntity, loadedEntity } from "./find-entity.ts";
import { type EntityDraft, parseEntityInput } from "./names.ts";
import type { EntityInput, SavedEntityView } from "./schemas.ts";
import { storeStatements } from "./store-entities.ts";
import { type EntityRow, toEntity } from "./view.ts";

type SaveCtx = Ctx<"db" | "now" | "newId" | "jobs" | "defer" | "embedder" | "wait" | "random">;

/**
 * Stores an entity of a project that the user belongs to, or adds to what is known of the one of this type and name. 404 for
 * another's project.
 */
export async function saveEntity(ctx: SaveCtx, input: EntityInput): Promise<SavedEntityView> {
  requirePermission(ctx.actor, "write");
  const draft = requireEntityInput(input);
  const user = actingUser(ctx, input.userId);
  return await retryLostRace(ctx, "This entity is being changed by others at the same moment. Try again.", async () => {
    const found = await findHome(ctx, { user, projectId: input.projectId, draft });
    const namedEntities = { ...draft, projectId: found.projectId, spaceId: found.spaceId, episodeId: null, at: ctx.now() };
    const [decided] = decideEntities([namedEntities], found.known, () => ctx.newId("entity"));
    if (decided === undefined) throw new AppError("internal", "There is nothing to store of an entity.");
    const stored = await storeEntity(ctx, { user, decided });
    return stored === "lost" ? "lost" : { ...toEntity(stored, ctx.embedder.model), created: decided.known === null };
  });
}

/** What is stored; a secret is a 422. */
export function requireEntityInput(input: { type: string; name: string; notes?: string | null | undefined }): EntityDraft {
  const { type, name, notes } = input;
  refuseSecrets({ type, name, notes });
  refuseSecrets({ notes: `${name} ${notes ?? ""}` });
  refuseLabelledSecret(type, name, "name");
  if (typeof notes === "string") for (const label of [type, name]) refuseLabelledSecret(label, notes, "notes");
  const draft = parseEntityInput({ type, name, notes });
  if (draft === null) throw breaksRule("name", "A name and a type need a letter or a digit.");
  return draft;
}

type Home = { projectId: number; spaceId: number; known: KnownEntity[] };

async function findHome(ctx: SaveCtx, asked: { user: UserRef; projectId: string; draft: EntityDraft }): Promise<Home> {
  const { type, key } = asked.draft;
  const [row] = await ctx.db.all<Omit<KnownEntity, "id"> & { id: number | null; homeId: number; spaceId: number }>(sql`
    select p.id as homeId, p.space_id as spaceId, en.id as id, en.public_id as publicId, en.project_id as projectId, en.type as type,
      en.name as name, en.name_key as key, en.notes as notes, en.version as version
    from projects p left join entities en on en.project_id = p.id and en.type = ${type} and en.name_key = ${key}
    where p.tenant_id = ${ctx.tenantId} and p.external_id = ${asked.projectId} and ${isMember(userIdOf(ctx.tenantId, asked.user), sql`p.id`)}`);
  if (row === undefined) throw notFound("project");
  const { homeId, spaceId, id, ...known } = row;
  return { projectId: homeId, spaceId, known: id === null ? [] : [{ ...known, id }] };
}

async function storeEntity(ctx: SaveCtx, saving: { user: UserRef; decided: DecidedEntity }): Promise<EntityRow | "lost"> {
  const { user, decided } = saving;
  const userId = userIdOf(ctx.tenantId, user);
  const jobId = ctx.newId("job");
  try {
    const results = await commit(ctx, {
      statements: [
        failUnless(ctx.db, isMember(userId, sql.raw(String(decided.projectId)))),
        ...storeStatements(ctx, [decided], jobId),
        loadEntity(ctx, decided.publicId),
      ],
      audit: [{ action: "entity.saved", objectId: decided.publicId, userId, detail: { created: decided.known === null } }],
    });
    if (decided.known === null || isChanged(decided)) dispatch(ctx, [jobId]);
    return loadedEntity(results.at(-1));
  } catch (error) {
    if (isLostRace(error) || isUniqueViolation(error)) return "lost";
    throw error;
  }
}
