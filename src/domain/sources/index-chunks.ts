import { sql } from "drizzle-orm";
import { indexTokens } from "#core/text/analyse";
import { integer, nullable, type RowOf, row } from "#db/row";
import { CHUNK } from "#db/schema/sources";
import { type Indexable, type IndexedRow, type Places, passageIn } from "#domain/indexing";

const ROW = row({
  ...CHUNK.of(sql`ck`, "id", "spaceId", "revision", "text", "headings", "createdAt"),
  projectId: nullable(integer(sql`so.project_id`)),
});

/** The sources of a tenant, in the order of the app's ids. */
const SOURCES: Places = {
  table: "sources",
  list: (tenantId, { at, after, isDone }, limit) => {
    const name = sql`coalesce((select c.external_id from sources c where c.id = ${at} and c.tenant_id = ${tenantId}), '')`;
    return sql`
      select 0 as stage, p.id as at, p.space_id as space, iif(p.id = ${at}, ${after}, 0) as after from sources p
      where p.tenant_id = ${tenantId} and p.external_id ${isDone ? sql`>` : sql`>=`} ${name} order by p.external_id limit ${limit}`;
  },
};

/** Sources of one project share its space, so the words of a space are read at its first source only. */
const isFirstOfSpace = sql`w.at = (select first.id from sources first where first.space_id = w.space order by first.id limit 1)`;

/** What is indexed of documents: their chunks, which never change. A file that is read again gets other chunks. */
export const CHUNKS: Indexable = {
  kind: "chunk",
  prefix: "chk",
  table: "chunks",
  alias: "ck",
  joins: sql`left join sources so on so.id = ck.source_id`,
  row: { columns: ROW.columns, decode: (values) => toIndexed(ROW.decode(values)) },
  state: sql`ck.revision`,
  space: sql`ck.space_id`,
  changedAt: sql`ck.created_at`,
  places: SOURCES,
  rows: { join: sql`chunks ck indexed by chunks_source on ck.source_id = w.at and ck.id > w.after`, aStep: 500 },
  words: { table: "chunk_fts", space: sql`'s' || ck.space_id`, stray: "words.chunk" },
  passages: {
    count: sql`1`,
    owns: (passageId) => sql`ck.id = ${passageId}`,
    words: {
      join: sql`chunk_fts f on f.chunk_fts match 'space : "s' || iif(${isFirstOfSpace}, w.space, 0) || '"' and f.rowid > w.after
        left join chunks ck on ck.id = f.rowid and ck.space_id = w.space`,
      id: sql`f.rowid`,
    },
  },
  jobs: { index: "chunks.index", reembed: "chunks.reembed", remove: "chunks.remove" },
  payloads: (rows) => [{ chunks: rows.map(({ id }) => id) }],
  counts: { reindex: "chunksReindexed", removeWords: "chunkWordsRemoved", embed: "chunksToEmbed" },
};

function toIndexed({ id, spaceId, revision, createdAt, projectId, ...chunk }: RowOf<typeof ROW>): IndexedRow {
  const passage = { text: textOf(chunk), words: () => wordsOf(chunk), at: createdAt, tags: { project: projectId } };
  return { id, space: spaceId, state: revision, passages: [passage] };
}

type Worded = { text: string; headings: readonly string[] };

/** The text of a chunk that is embedded: the path of its headings, and what is below them. */
function textOf({ text, headings }: Worded): string {
  return headings.length === 0 ? text : `${headings.join(" > ")}\n${text}`;
}

/** The text column of the index. */
export function wordsOf(chunk: Worded): string {
  return indexTokens(textOf(chunk), null);
}

/** The chunk of a vector id, or null for another kind of vector. */
export function documentChunkOf(vectorId: string): number | null {
  return passageIn(CHUNKS, vectorId);
}
