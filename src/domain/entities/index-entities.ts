import { type SQL, sql } from "drizzle-orm";
import { type RowOf, row } from "#db/row";
import { ENTITY } from "#db/schema/entities";
import { type Indexable, type IndexedRow, type Places, passageIn } from "#domain/indexing";
import { textOf, wordsOf } from "./words.ts";

const ROW = row(ENTITY.of(sql`en`, "id", "spaceId", "projectId", "type", "name", "notes", "version", "createdAt"));

/** The projects of a tenant, in the order of the app's ids. */
const PROJECTS: Places = {
  table: "projects",
  list: (tenantId, { at, after, isDone }, limit) => {
    const name = sql`coalesce((select c.external_id from projects c where c.id = ${at} and c.tenant_id = ${tenantId}), '')`;
    return sql`
      select 0 as stage, p.id as at, p.space_id as space, iif(p.id = ${at}, ${after}, 0) as after from projects p
      where p.tenant_id = ${tenantId} and p.external_id ${isDone ? sql`>` : sql`>=`} ${name} order by p.external_id limit ${limit}`;
  },
};

/** A column of the entity that the walk has reached. */
const ofLast = (column: SQL) => sql`coalesce((select ${column} from entities a where a.id = w.after), '')`;

/** What is indexed of entities. A row's space never changes: an entity that moves to another project becomes another row. */
export const ENTITIES: Indexable = {
  kind: "entity",
  prefix: "ent",
  table: "entities",
  alias: "en",
  row: { columns: ROW.columns, decode: (values) => toIndexed(ROW.decode(values)) },
  state: sql`en.version`,
  space: sql`en.space_id`,
  changedAt: sql`en.updated_at`,
  places: PROJECTS,
  rows: {
    join: sql`entities en indexed by entities_name
      on en.project_id = w.at and (en.type, en.name_key) > (${ofLast(sql`a.type`)}, ${ofLast(sql`a.name_key`)})`,
    aStep: 500,
  },
  words: { table: "entity_fts", space: sql`'s' || en.space_id`, stray: "words.entity" },
  jobs: { index: "entities.index", reembed: "entities.reembed", remove: "entities.remove" },
  payloads: (rows) => [{ entities: rows.map(({ id }) => id) }],
  counts: { reindex: "entitiesReindexed", removeWords: "entityWordsRemoved", embed: "entitiesToEmbed" },
};

function toIndexed({ id, spaceId, version, projectId, createdAt, ...entity }: RowOf<typeof ROW>): IndexedRow {
  const tags = { project: projectId, type: entity.type };
  return {
    id,
    space: spaceId,
    state: version,
    passages: [{ text: textOf(entity), words: () => wordsOf(entity), at: createdAt, tags }],
  };
}

/** The entity of a vector id, or null for another kind of vector. */
export function entityOf(vectorId: string): number | null {
  return passageIn(ENTITIES, vectorId);
}

/** The payload of the job that removes the vectors of entities. */
export function removalOf(entities: readonly { id: number; spaceId: number }[]): string {
  return JSON.stringify({ entities: entities.map(({ id, spaceId }) => ({ id, space: spaceId })) });
}
