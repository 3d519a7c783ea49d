import { sql } from "drizzle-orm";
import type { Ctx } from "#context";
import { AppError, breaksRule, notFound } from "#core/errors";
import { requirePermission } from "#core/permission";
import { retryLostRace } from "#core/retry-lost-race";
import { refuseLabelledSecret, refuseSecrets } from "#core/safety/refuse-secrets";
import { read, statement } from "#db/client";
import { failUnless, isLostRace, isUniqueViolation } from "#db/guard";
import { integer, nullable, row, text } from "#db/row";
import { ENTITY } from "#db/schema/entities";
import { commit } from "#domain/audit";
import { dispatch } from "#domain/jobs";
import { actingUser, type UserRef, userIdOf } from "#domain/tenants";
import { isMember } from "#domain/visibility";
import { type DecidedEntity, decideEntities, isChanged, type KnownEntity } from "./decide-entities.ts";
import { loadEntity, required } from "./find-entity.ts";
import { type EntityDraft, parseEntityInput } from "./names.ts";
import type { EntityInput, SavedEntityView } from "./schemas.ts";
import { storeStatements } from "./store-entities.ts";
import { type EntityRow, toEntity } from "./view.ts";

type SaveCtx = Ctx<"db" | "now" | "newId" | "jobs" | "defer" | "embedder" | "wait" | "random">;

/**
 * Stores an entity of a project that the user belongs to, or adds to the existing one with this type and name.
 * @throws not_found for a project that the user does not belong to.
 * @throws unprocessable for a text that holds a secret, and for a name without a letter or digit.
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

/** The storable form. @throws unprocessable for a secret. */
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

const en = sql`en`;
const HOME = row({
  homeId: integer(sql`p.id`),
  spaceId: integer(sql`p.space_id`),
  id: nullable(integer(sql`en.id`)),
  ...ENTITY.of(en, "publicId", "projectId", "type", "name", "notes", "version"),
  key: text(sql`en.name_key`),
});

type Home = { projectId: number; spaceId: number; known: KnownEntity[] };

async function findHome(ctx: SaveCtx, asked: { user: UserRef; projectId: string; draft: EntityDraft }): Promise<Home> {
  const { type, key } = asked.draft;
  const {
    home: [home],
  } = await read(ctx, {
    home: statement(
      HOME,
      sql`
    select ${HOME.columns} from projects p left join entities en on en.project_id = p.id and en.type = ${type} and en.name_key = ${key}
    where p.tenant_id = ${ctx.tenantId} and p.external_id = ${asked.projectId} and ${isMember(userIdOf(ctx.tenantId, asked.user), sql`p.id`)}`,
    ),
  });
  if (home === undefined) throw notFound("project");
  const { homeId, spaceId, id, ...known } = home;
  return { projectId: homeId, spaceId, known: id === null ? [] : [{ ...known, id }] };
}

async function storeEntity(ctx: SaveCtx, saving: { user: UserRef; decided: DecidedEntity }): Promise<EntityRow | "lost"> {
  const { user, decided } = saving;
  const userId = userIdOf(ctx.tenantId, user);
  const jobId = ctx.newId("job");
  try {
    const saved = loadEntity(ctx, decided.publicId);
    const results = await commit(ctx, {
      statements: [
        failUnless(ctx.db, isMember(userId, sql.raw(String(decided.projectId)))),
        ...storeStatements(ctx, [decided], jobId),
        saved,
      ],
      audit: [{ action: "entity.saved", objectId: decided.publicId, userId, detail: { created: decided.known === null } }],
    });
    if (decided.known === null || isChanged(decided)) dispatch(ctx, [jobId]);
    return required(results.rows(saved)[0]);
  } catch (error) {
    if (isLostRace(error) || isUniqueViolation(error)) return "lost";
    throw error;
  }
}
