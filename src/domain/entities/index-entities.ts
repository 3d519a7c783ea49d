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

/** A column of the entity behind which the walk stands. */
const ofLast = (column: SQL) => sql`coalesce((select ${column} from entities a where a.id = w.after), '')`;

/** What the indexes hold of entities. A row has one space for ever: what moves to another project becomes another row. */
export const ENTITIES: Indexable = {
  kind: "entity",
  prefix: "ent",
  table: "entities",
  alias: "en",
  joins: sql``,
  row: { columns: ROW.columns, decode: (values) => toIndexed(ROW.decode(values)) },
  live: null,
  state: sql`en.version`,
  retag: null,
  span: null,
  owns: (passageId) => sql`en.id = ${passageId}`,
  space: sql`en.space_id`,
  changedAt: sql`en.updated_at`,
  rows: {
    places: PROJECTS,
    join: sql`entities en indexed by entities_name
      on en.project_id = w.at and (en.type, en.name_key) > (${ofLast(sql`a.type`)}, ${ofLast(sql`a.name_key`)})`,
    id: sql`en.id`,
    aStep: 500,
  },
  words: {
    table: "entity_fts",
    space: sql`'s' || en.space_id`,
    rows: {
      places: PROJECTS,
      join: sql`entity_fts f on f.entity_fts match 'space : "s' || w.space || '"' and f.rowid > w.after
        left join entities en on en.id = f.rowid`,
      id: sql`f.rowid`,
    },
    isHere: sql`en.space_id = w.space`,
  },
  jobs: { index: "entities.index", reembed: "entities.reembed", remove: "entities.remove" },
  payloads: (rows) => [{ entities: rows.map(({ id }) => id) }],
  findings: {
    words: { name: "entity.words", description: "Every entity is in the text index, under its space." },
    strayWords: { name: "words.entity", description: "The text index holds no words of an entity that is gone." },
    vectors: {
      name: "entity.vectors",
      description: "An entity older than an hour has a vector of the model in use, or a job that makes it.",
    },
    stored: { name: "entity.stored", description: "An entity that counts as embedded has its vector in the vector index." },
  },
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

/** The entity that a vector id names, or null if it names something else. */
export function entityOf(vectorId: string): number | null {
  return passageIn(ENTITIES, vectorId);
}

/** The payload of the job that removes the vectors of entities. */
export function removalOf(entities: readonly { id: number; spaceId: number }[]): string {
  return JSON.stringify({ entities: entities.map(({ id, spaceId }) => ({ id, space: spaceId })) });
}
