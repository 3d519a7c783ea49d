import { type SQL, sql } from "drizzle-orm";
import type { Ctx } from "#context";
import { conflict, notFound } from "#core/errors";
import { isPublicId } from "#core/ids";
import { requirePermission } from "#core/permission";
import { retryLostRace } from "#core/retry-lost-race";
import { type Query, read, statement } from "#db/client";
import { integer, nullable, type RowOf, row, text } from "#db/row";
import { PROJECT } from "#db/schema/sessions";
import { actingUser, type UserRef, userIdOf } from "#domain/tenants";
import { isMember } from "#domain/visibility";
import { requireEntity } from "./find-entity.ts";
import { type Move, type Moving, moveEntities } from "./move-entities.ts";
import { MAX_RETAGGED, type RetaggedManyView, type RetaggedView, type RetagManyInput, type RetagOneInput } from "./schemas.ts";
import { ENTITY_COLUMNS, type EntityRow, toEntity } from "./view.ts";

type RetagCtx = Ctx<"db" | "now" | "newId" | "jobs" | "defer" | "embedder" | "wait" | "random">;

/** An entity with more mentions than this is not moved in one batch. */
const MAX_MENTIONS = 20_000;

/**
 * Moves an entity to another project, for a user who belongs to both. If an entity with the same type and name exists there, the two are
 * merged: mentions and notes are united, and the existing entity is kept.
 * @throws not_found if the user sees no such entity or project.
 * @throws conflict if it has too many mentions, or concurrent calls change it.
 */
export async function retagEntity(ctx: RetagCtx, entityId: string, input: RetagOneInput): Promise<RetaggedView> {
  requirePermission(ctx.actor, "write");
  const user = actingUser(ctx, input.userId);
  return await retryLostRace(ctx, "This entity is being changed by others at the same moment. Try again.", async () => {
    const entity = await requireEntity(ctx, { entityId, user });
    const from = { id: entity.projectId, externalId: entity.projectExternalId };
    const look = await lookAt(ctx, { user, to: input.projectId, entities: sql`en.id = ${sql.raw(String(entity.id))}` });
    if (look === undefined) throw notFound("project");
    if (look.to.id === entity.projectId) return { id: entityId, mergedInto: null, entity: toEntity(entity, ctx.embedder.model) };
    if (entity.mentionCount > MAX_MENTIONS) throw conflict(`An entity with more than ${MAX_MENTIONS} mentions is not moved.`);
    const moved = await moveEntities(ctx, { user, from, to: look.to, moves: look.moves });
    const [row] = moved === "lost" ? [] : moved.rows;
    return row === undefined ? "lost" : { ...viewOf(entityId, row), entity: toEntity(row, ctx.embedder.model) };
  });
}

/**
 * The same for many entities: those with the given ids, or the last mentioned ones, up to the limit of a call.
 * @throws the same as `retagEntity`.
 */
export async function retagEntities(ctx: RetagCtx, input: RetagManyInput): Promise<RetaggedManyView> {
  requirePermission(ctx.actor, "write");
  const user = actingUser(ctx, input.userId);
  const ids = input.ids === undefined ? null : [...new Set(input.ids)];
  if (ids?.some((id) => !isPublicId("entity", id)) === true) throw notFound("entity");
  return await retryLostRace(ctx, "These entities are being changed by others at the same moment. Try again.", async () => {
    const from = await findOwnProject(ctx, { user, externalId: input.fromProjectId });
    const to = await lookAt(ctx, { user, to: input.toProjectId, entities: entitiesIn(from.id, ids) });
    if (to === undefined) throw notFound("project");
    if (ids !== null && to.moves.length < ids.length) throw notFound("entity");
    if (to.to.id === from.id) return { items: [], remaining: false };
    const moves = asManyAsFit(to.moves);
    if (moves.length === 0 && to.moves.length > 0)
      throw conflict(`An entity with more than ${MAX_MENTIONS} mentions is not moved.`);
    if (moves.length === 0) return { items: [], remaining: false };
    const moved = await moveEntities(ctx, { user, from, to: to.to, moves });
    if (moved === "lost") return "lost";
    const byId = new Map(moved.rows.map((row) => [row.publicId, row]));
    return {
      items: moves.flatMap((move) => {
        const row = byId.get(move.target?.publicId ?? move.entity.publicId);
        return row === undefined ? [] : [viewOf(move.entity.publicId, row)];
      }),
      remaining: to.moves.length > moves.length,
    };
  });
}

function viewOf(id: string, row: EntityRow): { id: string; mergedInto: string | null } {
  return { id, mergedInto: row.publicId === id ? null : row.publicId };
}

/** One more than a call moves, to know whether some remain. */
function entitiesIn(projectId: number, ids: readonly string[] | null): SQL {
  const project = sql`en.project_id = ${sql.raw(String(projectId))}`;
  if (ids !== null) return sql`${project} and en.public_id in (select value from json_each(${JSON.stringify(ids)}))`;
  return sql`en.id in (
    select l.id from entities l indexed by entities_project where l.project_id = ${sql.raw(String(projectId))}
    order by l.last_seen_at desc limit ${MAX_RETAGGED + 1})`;
}

function asManyAsFit(moves: readonly Move[]): Move[] {
  let room = MAX_MENTIONS;
  return moves.slice(0, MAX_RETAGGED).filter(({ entity }) => {
    room -= entity.mentionCount;
    return room >= 0;
  });
}

async function findOwnProject(ctx: RetagCtx, asked: { user: UserRef; externalId: string }): Promise<Moving["from"]> {
  const {
    project: [project],
  } = await read(ctx, { project: findProject(ctx, asked) });
  if (project === undefined) throw notFound("project");
  return project;
}

const TARGET_PROJECT = row(PROJECT.of(sql`p`, "id", "spaceId", "externalId"));

/** The project, if the user belongs to it. */
function findProject(ctx: Ctx, asked: { user: UserRef; externalId: string }): Query<Moving["to"]> {
  return statement(
    TARGET_PROJECT,
    sql`
    select ${TARGET_PROJECT.columns} from projects p where p.tenant_id = ${ctx.tenantId} and p.external_id = ${asked.externalId}
      and ${isMember(userIdOf(ctx.tenantId, asked.user), sql`p.id`)}`,
  );
}

const MOVE = row({
  ...ENTITY_COLUMNS,
  targetId: nullable(integer(sql`tn.id`)),
  targetPublicId: text(sql`tn.public_id`),
  targetVersion: integer(sql`tn.version`),
  targetNotes: nullable(text(sql`tn.notes`)),
  targetName: text(sql`tn.name`),
});

type Look = { to: Moving["to"]; moves: Move[] };

/** The target project, and beside each entity the one with the same type and name that exists there. */
async function lookAt(ctx: RetagCtx, asked: { user: UserRef; to: string; entities: SQL }): Promise<Look | undefined> {
  const userId = userIdOf(ctx.tenantId, asked.user);
  const {
    to: [to],
    moves,
  } = await read(ctx, {
    to: findProject(ctx, { user: asked.user, externalId: asked.to }),
    moves: statement(
      MOVE,
      sql`
      select ${MOVE.columns} from entities en
      left join entities tn on tn.type = en.type and tn.name_key = en.name_key and tn.project_id = (
        select p.id from projects p where p.tenant_id = ${ctx.tenantId} and p.external_id = ${asked.to})
      where ${asked.entities} and +en.tenant_id = ${ctx.tenantId} and ${isMember(userId, sql`en.project_id`)}
      order by en.last_seen_at desc`,
    ),
  });
  return to === undefined ? undefined : { to, moves: moves.map(toMove) };
}

/** The columns of the target are null if there is none. */
function toMove({ targetId, targetPublicId, targetVersion, targetNotes, targetName, ...entity }: RowOf<typeof MOVE>): Move {
  const target = { publicId: targetPublicId, version: targetVersion, notes: targetNotes, name: targetName };
  return { entity, target: targetId === null ? null : { id: targetId, ...target } };
}
