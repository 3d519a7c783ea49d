import { DurableObject } from "cloudflare:workers";
import {
  bestOf,
  COLUMNS,
  type FilterKey,
  type Operand,
  toColumns,
  toSql,
  toUnitVector,
  type VectorCondition,
} from "#adapters/vectors";
import type { VectorItem, VectorMatch } from "#ports/vector-index";
import { BestMatches, dot, Matrix, MatrixCache, quantise } from "./matrix.ts";

/** Metadata is separate from the codes, so that a filter reads a few bytes a row, not a kilobyte. */
const SCHEMA = `
  CREATE TABLE vectors (
    id TEXT PRIMARY KEY,
    slot INTEGER NOT NULL,
    dimensions INTEGER NOT NULL,
    kind TEXT NOT NULL,
    session INTEGER NOT NULL,
    project INTEGER NOT NULL,
    workspace TEXT NOT NULL,
    scope TEXT NOT NULL,
    type TEXT NOT NULL,
    created_day INTEGER NOT NULL,
    expires_day INTEGER NOT NULL,
    model TEXT NOT NULL
  ) STRICT, WITHOUT ROWID;
  CREATE TABLE codes (slot INTEGER PRIMARY KEY, id TEXT NOT NULL, scale REAL NOT NULL, codes BLOB NOT NULL) STRICT;
`;
/** Objects that were made before vectors had a scope: all of theirs pass as having none. */
const ADD_SCOPE = `
  ALTER TABLE vectors DROP COLUMN owner;
  ALTER TABLE vectors ADD COLUMN scope TEXT NOT NULL DEFAULT '';
`;
const METADATA = Object.values(COLUMNS);
const WRITE_METADATA = `
  INSERT INTO vectors (id, slot, dimensions, ${METADATA.join(", ")}) VALUES (?, ?, ?${", ?".repeat(METADATA.length)})
  ON CONFLICT (id) DO UPDATE SET dimensions = excluded.dimensions, ${METADATA.map((column) => `${column} = excluded.${column}`).join(", ")}
`;

/** Beyond this an object's vectors are read from storage for each query. */
const MAX_MATRIX_BYTES = 30_000_000;
/** An isolate has 128 MB, and may hold many objects. */
const cache = new MatrixCache(48_000_000);

export type ObjectQuery = { vector: Float32Array; conditions: VectorCondition[]; topK: number };

type Stored = { slot: number; dimensions: number };
type StoredCodes = { slot: number; scale: number; codes: ArrayBuffer };

/** The vectors of one space: exact search over all that pass the filter, visible at once after a write, and no storage used while empty. */
export class VectorObject extends DurableObject {
  /** Unique for each instance, so that no instance uses a matrix of another. */
  readonly #instance = crypto.randomUUID();
  /** The vector lengths of which a matrix may be in the cache. */
  readonly #resident = new Set<number>();
  #hasTables = this.#openTables();

  upsert(items: readonly VectorItem[]): void {
    if (items.length === 0) return;
    this.#changing(() => {
      if (!this.#hasTables) this.ctx.storage.sql.exec(SCHEMA);
      for (const item of items) this.#write(item);
    });
    this.#hasTables = true;
  }

  query({ vector, conditions, topK }: ObjectQuery): VectorMatch[] {
    const unit = toUnitVector(vector);
    if (!this.#hasTables || unit === undefined) return [];
    const best = new BestMatches(topK);
    const matrix = this.#matrix(unit.length);
    if (matrix) this.#rankInMemory(matrix, unit, conditions, best);
    else this.#rankInStorage(unit, conditions, best);
    return bestOf([this.#named(best.scores())], topK);
  }

  async remove(ids: readonly string[]): Promise<void> {
    if (!this.#hasTables) return;
    this.#changing(() => {
      for (const id of ids) this.#erase(id);
    });
    if (this.#some("SELECT 1 FROM vectors")) return;
    this.#hasTables = false;
    this.#forget();
    await this.ctx.storage.deleteAll();
  }

  retag(ids: readonly string[], change: Partial<Record<FilterKey, Operand>>): void {
    const changes = toColumns(change);
    if (!this.#hasTables || changes.length === 0) return;
    const assignments = changes.map(({ column }) => `${column} = ?`).join(", ");
    const values = changes.map(({ value }) => value);
    this.ctx.storage.sql.exec(
      `UPDATE vectors SET ${assignments} WHERE id IN (SELECT value FROM json_each(?))`,
      ...values,
      JSON.stringify(ids),
    );
  }

  stored(ids: readonly string[]): string[] {
    if (!this.#hasTables) return [];
    return this.#ids("SELECT id FROM vectors WHERE id IN (SELECT value FROM json_each(?))", JSON.stringify(ids));
  }

  list({ after, limit }: { after: string | null; limit: number }): string[] {
    if (!this.#hasTables) return [];
    return this.#ids("SELECT id FROM vectors WHERE id > ? ORDER BY id LIMIT ?", after ?? "", limit);
  }

  /** Whether there are tables; those of an older version are brought up to date. */
  #openTables(): boolean {
    if (this.#some("SELECT 1 FROM pragma_table_info('vectors') WHERE name = 'owner'")) this.ctx.storage.sql.exec(ADD_SCOPE);
    return this.#some("SELECT 1 FROM sqlite_schema WHERE name = 'vectors'");
  }

  #ids(query: string, ...parameters: (string | number)[]): string[] {
    return this.ctx.storage.sql
      .exec<{ id: string }>(query, ...parameters)
      .toArray()
      .map(({ id }) => id);
  }

  #write({ id, values, metadata }: VectorItem): void {
    const { sql } = this.ctx.storage;
    const quantised = quantise(values);
    const old = this.#find(id);
    const { slot } = sql
      .exec<{ slot: number }>(
        `INSERT INTO codes (slot, id, scale, codes) VALUES (?, ?, ?, ?)
         ON CONFLICT (slot) DO UPDATE SET scale = excluded.scale, codes = excluded.codes RETURNING slot`,
        old?.slot ?? null,
        id,
        quantised.scale,
        quantised.codes,
      )
      .one();
    const tags = toColumns(metadata).map(({ value }) => value);
    sql.exec(WRITE_METADATA, id, slot, values.length, ...tags);
    this.#held(values.length)?.set(slot, quantised);
  }

  #erase(id: string): void {
    const found = this.#find(id);
    if (!found) return;
    this.ctx.storage.sql.exec("DELETE FROM codes WHERE slot = ?", found.slot);
    this.ctx.storage.sql.exec("DELETE FROM vectors WHERE id = ?", id);
    this.#held(found.dimensions)?.delete(found.slot);
  }

  #find(id: string): Stored | undefined {
    return this.ctx.storage.sql.exec<Stored>("SELECT slot, dimensions FROM vectors WHERE id = ?", id).toArray()[0];
  }

  #some(query: string): boolean {
    return this.ctx.storage.sql.exec(`SELECT 1 WHERE EXISTS (${query})`).toArray().length > 0;
  }

  /** Storage rolls a failed change back; the matrices in memory are dropped and loaded again. */
  #changing(change: () => void): void {
    try {
      this.ctx.storage.transactionSync(change);
    } catch (error) {
      this.#forget();
      throw error;
    }
    for (const dimensions of this.#resident) {
      const matrix = this.#held(dimensions);
      if (matrix) this.#hold(matrix);
    }
  }

  #rankInMemory(matrix: Matrix, query: Float32Array, conditions: readonly VectorCondition[], best: BestMatches): void {
    const { sql, parameters } = toSql(conditions);
    const rows = this.ctx.storage.sql
      .exec(`SELECT slot FROM vectors WHERE dimensions = ?${sql}`, query.length, ...parameters)
      .raw<[number]>();
    for (const [slot] of rows) {
      const score = matrix.score(slot, query);
      if (score !== undefined) best.offer(slot, score);
    }
  }

  #rankInStorage(query: Float32Array, conditions: readonly VectorCondition[], best: BestMatches): void {
    const { sql, parameters } = toSql(conditions);
    const rows = this.ctx.storage.sql.exec<StoredCodes>(
      `SELECT slot, scale, codes FROM vectors JOIN codes USING (slot) WHERE dimensions = ?${sql}`,
      query.length,
      ...parameters,
    );
    for (const { slot, scale, codes } of rows) best.offer(slot, dot(query, new Int8Array(codes), 0) * scale);
  }

  #named(scores: ReadonlyMap<number, number>): VectorMatch[] {
    return this.ctx.storage.sql
      .exec<{ slot: number; id: string }>(
        "SELECT slot, id FROM codes WHERE slot IN (SELECT value FROM json_each(?))",
        JSON.stringify([...scores.keys()]),
      )
      .toArray()
      .map(({ slot, id }) => ({ id, score: scores.get(slot) ?? 0 }));
  }

  /** Undefined if there are too many vectors of this length to stay in memory. */
  #matrix(dimensions: number): Matrix | undefined {
    const held = this.#held(dimensions);
    if (held) return held;
    const { sql } = this.ctx.storage;
    const { rows } = sql.exec<{ rows: number }>("SELECT count(*) AS rows FROM vectors WHERE dimensions = ?", dimensions).one();
    const matrix = new Matrix(dimensions, rows);
    if (matrix.bytes > MAX_MATRIX_BYTES) return undefined;
    const stored = sql.exec<StoredCodes>("SELECT slot, scale, codes FROM codes WHERE length(codes) = ?", dimensions);
    for (const { slot, scale, codes } of stored) matrix.set(slot, { codes: new Int8Array(codes), scale });
    this.#hold(matrix);
    return matrix;
  }

  #held(dimensions: number): Matrix | undefined {
    return cache.take(`${this.#instance}/${dimensions}`);
  }

  #hold(matrix: Matrix): void {
    const key = `${this.#instance}/${matrix.dimensions}`;
    this.#resident.add(matrix.dimensions);
    if (matrix.bytes > MAX_MATRIX_BYTES) cache.drop(key);
    else cache.keep(key, matrix);
  }

  #forget(): void {
    for (const dimensions of this.#resident) cache.drop(`${this.#instance}/${dimensions}`);
    this.#resident.clear();
  }
}
