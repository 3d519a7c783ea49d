/**
 * Indexing: what keeps the word index and the vector index equal to the rows, written once for every kind of row.
 *
 * A kind (memories, episodes, entities) is one `Indexable`: where its rows are, their text for both indexes, the metadata of
 * their vectors, and how its rows are found. From it come the jobs that embed rows and remove vectors (`indexRows`,
 * `reembed`, `removeVectors`), the checks of the doctor (`checkRows`, `checkWords`, `checkVectors`) and the repairs
 * (`prepareIndexRepairs`).
 *
 * To add a kind: give its table the column `vector_model` and an FTS5 table (`space`, `text`, contentless) whose row ids are
 * those of its passages, write one `Indexable` in its domain, and add it to `INDEXABLES` of the domain lifecycle. Its writers
 * enqueue `jobs.index` when a row is stored or changed, and `jobs.remove` when one is deleted.
 */
import { type SQL, sql } from "drizzle-orm";
import { z } from "zod";
import type { RowShape } from "#db/row";
import type { VectorRef } from "#ports/vector-index";
import type { Path } from "./walk.ts";

/** What a vector can be filtered by, besides kind, space, model and day. */
export type Tags = {
  session?: number | null;
  project?: number | null;
  owner?: number | null;
  workspace?: string | null;
  type?: string;
  /** Unix milliseconds. */
  expiresAt?: number | null;
};

/** A piece of a row that has its own entry in both indexes. */
export type Passage = {
  /** What the vector is made of. */
  text: string;
  /** The words for the text index; only asked for when they are written. */
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
  /** The ids of its passages in both indexes are `id`, `id + 1`, … */
  passages: readonly Passage[];
};

/** A row by its id, with the number of its passages. */
export type RowRef = { id: number; span: number };

type FindingName = { name: string; description: string };

export type Indexable = {
  /** The `kind` in the metadata of its vectors. */
  kind: string;
  /** The id of a vector is this, ":", and the id of the passage. */
  prefix: string;
  table: string;
  /** The table's name in all SQL below. */
  alias: string;
  /** Left joins that `row` and `state` need. */
  joins: SQL;
  row: RowShape<IndexedRow>;
  /** Which rows are in the indexes, where rows can be hidden and come back; null where rows are deleted for good. */
  live: SQL | null;
  /** A number that changes when the row's text or tags do. */
  state: SQL;
  /** The tag that `state` is. Null if the row has to be embedded again when `state` has changed. */
  retag: ((state: number) => Tags) | null;
  /** How many passages the row has; null if always one. */
  span: SQL | null;
  /** Whether the row has the passage of this id. */
  owns: (passageId: SQL) => SQL;
  space: SQL;
  /** Unix milliseconds. What is not embedded an hour after this is a finding. */
  changedAt: SQL;
  /** All rows of a tenant, and how many of them one step reads. */
  rows: Path & { aStep: number };
  words: {
    /** The FTS5 table. */
    table: string;
    /** Its column `space`. */
    space: SQL;
    /** All its rows under a tenant's places, each with the row of the table that has the passage, or with nulls. */
    rows: Path;
    /** Whether that row is of the place where its words are. */
    isHere: SQL;
  };
  jobs: { index: string; reembed: string; remove: string };
  /** Payloads of jobs `jobs.index` that name these rows, one for each job. */
  payloads: (rows: readonly RowRef[]) => object[];
  findings: { words: FindingName; strayWords: FindingName; vectors: FindingName; stored: FindingName };
  /** The names of counts in answers of repairs and in the audit. */
  counts: { reindex: string; removeWords: string; embed: string };
};

/** The id of a passage's vector. */
export function vectorIdOf({ prefix }: Pick<Indexable, "prefix">, passageId: number): string {
  return `${prefix}:${passageId}`;
}

/** The passage that a vector id names, or null if it names one of another kind. */
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

/** Either a range of passages or, under any name, a list of rows; jobs that remove vectors say in which space. */
const Payload = z.union([
  z.object({ from: Id, chunks: Id.min(1), space: Id.optional() }).transform((range): Range[] => [range]),
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
  return sql`(+${columnOf(indexable, "tenant_id")} = ${ctx.tenantId} and ${indexable.live ?? sql`true`})`;
}
