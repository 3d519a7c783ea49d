import { type SQL, sql } from "drizzle-orm";
import type { Ctx } from "#context";
import { decodeCursor, type Page, toPage } from "#core/page";
import { requirePermission } from "#core/permission";
import { queryTerms } from "#core/text/query";
import { read, statement } from "#db/client";
import { entityProject, seesEntity, viewerCte } from "#domain/visibility";
import { entityType } from "./names.ts";
import { entityViewer, findPlace, noPlace } from "./place.ts";
import type { EntityListInput, EntityView } from "./schemas.ts";
import { ENTITY_ROW, toEntity } from "./view.ts";

const MAX_WORDS = 32;

/**
 * The entities of the viewer's current project, the last mentioned first; none without a project. One round trip.
 * @throws not_found for a session or project that the user has no access to.
 */
export async function listEntities(ctx: Ctx<"db" | "embedder">, input: EntityListInput): Promise<Page<EntityView>> {
  requirePermission(ctx.actor, "read");
  const viewer = entityViewer(ctx, input);
  const { place, rows } = await read(ctx, {
    place: findPlace(viewer),
    rows: statement(
      ENTITY_ROW,
      sql`
      with ${viewerCte(viewer)}
      select ${ENTITY_ROW.columns} from ${sourceOf(input)}
      where ${seesEntity(ctx.tenantId, sql`en`)} and ${ofType(input)} and ${olderThan(input.cursor)}
      order by en.last_seen_at desc, en.id desc limit ${input.limit + 1}`,
    ),
  });
  if (place.length === 0) throw noPlace(input);
  return toPage(rows, input.limit, {
    list: "entities",
    item: (entity) => toEntity(entity, ctx.embedder.model),
    position: (entity) => [entity.lastSeenAt, entity.publicId],
  });
}

/** Reads by an index in the order of the list, or by the text index of the viewer's project. */
function sourceOf({ text, type }: EntityListInput): SQL {
  if (text === undefined)
    return type === undefined ? sql`entities en indexed by entities_project` : sql`entities en indexed by entities_type`;
  const words = [...new Set(queryTerms(text).words)].slice(0, MAX_WORDS);
  if (words.length === 0) return sql`(select 0 as id where false) f cross join entities en on en.id = f.id`;
  const all = words.map((word) => `"${word}"`).join(" AND ");
  return sql`(
    select f.rowid as id from entity_fts f where f.entity_fts match (${spaceOfProject} || ' AND text : (' || ${all} || ')')) f
    cross join entities en on en.id = f.id`;
}

/** The first part of a MATCH in the viewer's project; without a project it matches nothing. */
export const spaceOfProject: SQL = sql`'space : "s' || coalesce((
  select sp.space_id from projects sp where sp.id = ${entityProject}), 'none') || '"'`;

function ofType({ type }: EntityListInput): SQL {
  return type === undefined ? sql`true` : sql`en.type = ${entityType(type)}`;
}

function olderThan(cursor: string | undefined): SQL {
  if (cursor === undefined) return sql`true`;
  const [at, publicId] = decodeCursor("entities", cursor, ["number", "string"]);
  return sql`(en.last_seen_at, en.id) < (${at}, coalesce((select c.id from entities c where c.public_id = ${publicId}), 0))`;
}
