import { type DrizzleD1Database, drizzle } from "drizzle-orm/d1";
import type { SQLiteRaw } from "drizzle-orm/sqlite-core/query-builders/raw";

export type Db = DrizzleD1Database & { $client: D1Database };

/** A statement of raw SQL, made by `db.run` or `db.all`, not yet run. */
export type Statement = Pick<SQLiteRaw<unknown>, "getQuery">;

/** What a statement answered: the rows of a `select` or `returning`, and how many rows it changed. */
export type StatementResult = { rows: Record<string, unknown>[]; changes: number };

/**
 * Runs statements as one transaction and one round trip; one result a statement, in order. (drizzle 0.45's own `batch`
 * cannot bind the parameters of raw statements on D1.)
 */
export async function runStatements(db: Db, statements: readonly Statement[]): Promise<StatementResult[]> {
  if (statements.length === 0) return [];
  const client: Pick<D1Database, "prepare" | "batch"> = db.$client;
  const bound = statements.map((statement) => {
    const { sql, params } = statement.getQuery();
    return client.prepare(sql).bind(...params);
  });
  const results = await client.batch<Record<string, unknown>>(bound);
  return results.map(({ results: rows, meta }) => ({ rows: rows ?? [], changes: meta.changes }));
}

/** What the platform says one call cost. */
export type DatabaseCost = { statements: number; rowsRead: number; rowsWritten: number; milliseconds: number };

/** Drizzle over one D1 session. `onCost` is told of every round trip. */
export function createDb(session: D1DatabaseSession, onCost: (cost: DatabaseCost) => void): Db {
  return drizzle(metered(session, onCost));
}

/**
 * Stands for the session wherever drizzle expects a database: it uses `prepare` and `batch` only, which both have.
 * (drizzle-orm 0.45, d1/session.ts.)
 */
function asDatabase(session: Pick<D1DatabaseSession, "prepare" | "batch">): D1Database {
  return session as unknown as D1Database;
}

const inner = Symbol("the platform's own statement");

type MeteredStatement = D1PreparedStatement & { [inner]: D1PreparedStatement };

function metered(session: D1DatabaseSession, onCost: (cost: DatabaseCost) => void): D1Database {
  const report = (results: readonly D1Result[], startedAt: number) => {
    const cost: DatabaseCost = { statements: results.length, rowsRead: 0, rowsWritten: 0, milliseconds: Date.now() - startedAt };
    for (const { meta } of results) {
      cost.rowsRead += meta.rows_read;
      cost.rowsWritten += meta.rows_written;
    }
    onCost(cost);
  };

  const wrap = (statement: D1PreparedStatement): MeteredStatement => {
    const counted = async <T>(run: () => Promise<D1Result<T>>): Promise<D1Result<T>> => {
      const startedAt = Date.now();
      const result = await run();
      report([result], startedAt);
      return result;
    };
    const all = <T>() => counted(() => statement.all<T>());
    return {
      [inner]: statement,
      bind: (...values: unknown[]) => wrap(statement.bind(...values)),
      all,
      run: <T>() => counted(() => statement.run<T>()),
      first: async () => {
        throw new Error("first() is not metered; use all()");
      },
      // `raw` of the platform answers without counters. Two columns of one name would fall together here:
      // joins are written with an alias for every column.
      raw: async <T>() => (await all<Record<string, unknown>>()).results.map((row) => Object.values(row)) as [string[], ...T[]],
    } as MeteredStatement;
  };

  return asDatabase({
    prepare: (query: string) => wrap(session.prepare(query)),
    batch: async <T>(statements: D1PreparedStatement[]) => {
      const startedAt = Date.now();
      const results = await session.batch<T>(statements.map((statement) => (statement as MeteredStatement)[inner]));
      report(results, startedAt);
      return results;
    },
  });
}
