/**
 * Indexing keeps the text index and the vector index equal to the rows, with one implementation for every kind of row.
 *
 * A kind (memories, episodes, entities) is one `Indexable`: where its rows are, their text for both indexes, the metadata of their
 * vectors, and how its rows are found. It is used by the jobs that embed rows and remove vectors (`indexRows`, `reembed`, `removeVectors`),
 * the checks of the doctor (`checkRows`, `checkWords`, `checkVectors`) and the repairs (`prepareIndexRepairs`).
 *
 * To add a kind: give its table the column `vector_model` and an FTS5 table (`space`, `text`, contentless) whose row ids are those of its
 * passages, write one `Indexable` in its domain, and add it to `INDEXABLES` in `lifecycle/findings.ts` (and its spaces to `VECTOR_PLACES`
 * there, if no other kind uses them). Its writers enqueue `jobs.index` when a row is stored or changed, and `jobs.remove` when one is
 * deleted. `retrieval/hit.ts` says how to make a search return it.
 */
import { type SQL, sql } from "drizzle-orm";
import { z } from "zod";
import type { RowShape } from "#db/row";
import type { VectorRef } from "#ports/vector-index";
import type { Path, Places } from "./walk.ts";

/** What a vector can be filtered by, besides kind, space, model and day. */
export type Tags = {
  session?: number | null;
  project?: number | null;
  workspace?: string | null;
  /** Of a memory: `scopeTag`. */
  scope?: string;
  type?: string;
  /** Unix milliseconds. */
  expiresAt?: number | null;
};

/** A piece of a row that has its own entry in both indexes. */
export type Passage = {
  /** The text that is embedded. */
  text: string;
  /** The words for the text index; called only when they are written. */
  words: () => string;
  /** Unix milliseconds. */
  at: number;
  tags: Tags;
};

export type IndexedRow = {
  id: number;
  space: number;
  /** The value of `Indexable.state` when the row was read. */
  state: number;
  /** The value of `Indexable.edits` when the row was read. */
  edits?: number;
  /** The ids of its passages in both indexes are `id`, `id + 1`, … */
  passages: readonly Passage[];
};

/** A row by its id, with the number of its passages. */
export type RowRef = { id: number; span: number };

export type Indexable = {
  /** The `kind` in the metadata of its vectors, and the name of its findings (`memory.words`). */
  kind: string;
  /** The id of a vector is this, ":", and the id of the passage. */
  prefix: string;
  table: string;
  /** The table's name in all SQL below. */
  alias: string;
  /** Left joins that `row`, `state` and `space` need. */
  joins?: SQL;
  row: RowShape<IndexedRow>;
  /** Which rows are indexed, for kinds whose rows can be hidden and restored. Absent if rows are deleted for good. */
  live?: SQL;
  /** Which of those have vectors, so that what no search returns takes no place among the nearest. Absent if all have. */
  embedded?: SQL;
  /** A number that changes when the row's text or tags do. */
  state: SQL;
  /** The tag that `state` stands for. Absent if the row must be embedded again when `state` changes. */
  retag?: (state: number) => Tags;
  /** For a kind with `retag` whose text can change too: a number that changes when it does. Its writers enqueue `jobs.index` then. */
  edits?: SQL;
  space: SQL;
  /** Unix milliseconds. A row that is not embedded an hour later is a finding. */
  changedAt: SQL;
  /** How all rows of a tenant are found: joined to its places `w`, and how many one step reads. */
  places: Places;
  rows: { join: SQL; aStep: number };
  /** The FTS5 table, its column `space`, and the name of the finding that it has an entry without a row. */
  words: {
    table: string;
    space: SQL;
    /** Whether the row's entry has the words that it would get today. Absent if the form of entries has never changed. */
    isCurrent?: SQL;
    stray: string;
  };
  /** For kinds with several passages a row. Absent if a row is one passage with the row's id. */
  passages?: {
    count: SQL;
    /** Whether the row has the passage of this id. */
    owns: (passageId: SQL) => SQL;
    /** The entries of the text index, joined to the places `w`, each with the row of the same place that has the passage. */
    words: { join: SQL; id: SQL };
  };
  /** Kinds of jobs. `later`: those that do what `index` does, behind other jobs. */
  jobs: { index: string; reembed: string; remove: string; later?: string };
  /** Payloads of jobs `jobs.index` that name these rows, one for each job. */
  payloads: (rows: readonly RowRef[]) => object[];
  /** The names of counts in answers of repairs and in the audit. */
  counts: { reindex: string; removeWords: string; embed: string };
};

/** What the doctor finds of a kind. */
export function findingsOf({ kind, words }: Indexable): Record<"words" | "vectors" | "stored" | "strayWords", FindingName> {
  return {
    words: { name: `${kind}.words`, description: `The words of every ${kind} are in the text index, under its space.` },
    vectors: {
      name: `${kind}.vectors`,
      description: `Every ${kind} older than an hour has vectors of the model in use, or a job that makes them.`,
    },
    stored: {
      name: `${kind}.stored`,
      description: `Every ${kind} that is marked as embedded has its vectors in the vector index.`,
    },
    strayWords: { name: words.stray, description: `The text index holds no words where the ${kind} is gone.` },
  };
}

type FindingName = { name: string; description: string };

/** The id of a passage's vector. */
export function vectorIdOf({ prefix }: Pick<Indexable, "prefix">, passageId: number): string {
  return `${prefix}:${passageId}`;
}

/** The passage of a vector id, or null for another kind of vector. */
export function passageIn({ prefix }: Pick<Indexable, "prefix">, vectorId: string): number | null {
  const [before, id, ...more] = vectorId.split(":");
  return before === prefix && more.length === 0 && /^\d{1,16}$/.test(id ?? "") ? Number(id) : null;
}

/** The vectors of a row. */
export function vectorRefs(indexable: Indexable, row: RowRef & { space: number }): VectorRef[] {
  return Array.from({ length: row.span }, (_, i) => ({ id: vectorIdOf(indexable, row.id + i), space: row.space }));
}

export type Range = { from: number; chunks: number; space?: number | undefined };

const Id = z.number().int();

const PassageRange = z.object({ from: Id, chunks: Id.min(1), space: Id.optional() });

/** A range of passages, several, or, under any name, a list of rows; jobs that remove vectors say in which space. */
const Payload = z.union([
  PassageRange.transform((range): Range[] => [range]),
  z.object({ ranges: z.array(PassageRange) }).transform(({ ranges }): Range[] => ranges),
  z
    .record(z.string(), z.array(z.union([Id.transform((id) => ({ id })), z.object({ id: Id, space: Id })])))
    .transform((lists): Range[] =>
      Object.values(lists).flatMap((rows) => rows.map(({ id, ...more }) => ({ from: id, chunks: 1, ...more }))),
    ),
]);

/** The passages that the payload of a job names, whatever its kind. */
export function rangesIn(payload: unknown): Range[] {
  return Payload.parse(payload);
}

export const ALWAYS = sql`true`;

/** `table alias`, for a `from` or a join. */
export function tableOf({ table, alias }: Indexable): SQL {
  return sql`${sql.identifier(table)} ${sql.identifier(alias)}`;
}

/** A column of the table that every kind has. */
export function columnOf({ alias }: Indexable, name: "id" | "public_id" | "tenant_id" | "vector_model"): SQL {
  return sql`${sql.identifier(alias)}.${sql.identifier(name)}`;
}

/** Whether the row is this tenant's and in the indexes. The `+` keeps SQLite from choosing an index of tenants. */
export function isIndexed(ctx: { tenantId: number }, indexable: Indexable): SQL {
  return sql`(+${columnOf(indexable, "tenant_id")} = ${ctx.tenantId} and ${indexable.live ?? ALWAYS})`;
}

/** Whether the row is this tenant's and has vectors, or is to get them. */
export function isEmbedded(ctx: { tenantId: number }, indexable: Indexable): SQL {
  return sql`(${isIndexed(ctx, indexable)} and ${indexable.embedded ?? ALWAYS})`;
}

/** How all rows of a tenant are found. */
export function rowsPath(indexable: Indexable): Path {
  return { places: indexable.places, join: indexable.rows.join, id: columnOf(indexable, "id") };
}

/** How all entries of the text index under a tenant's places are found, each with its row, or with nulls. */
export function wordsPath(indexable: Indexable): Path & { isHere: SQL } {
  const { places, passages, words } = indexable;
  if (passages !== undefined) return { places, ...passages.words, isHere: ALWAYS };
  const table = sql.identifier(words.table);
  return {
    places,
    join: sql`${table} f on f.${table} match 'space : "s' || coalesce(w.space, 0) || '"' and f.rowid > w.after
      left join ${tableOf(indexable)} on ${owns(indexable, sql`f.rowid`)}`,
    id: sql`f.rowid`,
    isHere: sql`${indexable.space} = w.space`,
  };
}

/** Whether the row has the passage of this id. */
export function owns(indexable: Indexable, passageId: SQL): SQL {
  return indexable.passages?.owns(passageId) ?? sql`${columnOf(indexable, "id")} = ${passageId}`;
}
