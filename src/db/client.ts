import { type SQL, sql } from "drizzle-orm";
import { type DrizzleD1Database, drizzle } from "drizzle-orm/d1";
import { SQLiteAsyncDialect } from "drizzle-orm/sqlite-core";
import type { D1Value, RowShape } from "./row.ts";
import { createTurns } from "./turns.ts";

export type Db = DrizzleD1Database & { $client: D1Database };

/** A statement of raw SQL that has not run yet. One that returns rows has a shape that decodes them. */
export type Statement<Row = unknown> = {
  readonly getQuery: () => { sql: string; params: unknown[] };
  readonly shape?: RowShape<Row>;
};

/** A statement whose result is read by its caller. */
export type Query<Row> = Statement<Row> & { readonly shape: RowShape<Row> };

class NumberedDialect extends SQLiteAsyncDialect {
  override escapeParam(index: number): string {
    return `?${index + 1}`;
  }
}

const dialect = new NumberedDialect();

/**
 * The same query with each value bound once: a rule that stands in a statement several times would otherwise exceed the 100 parameters that
 * D1 takes. No SQL of ours has `?` in a literal.
 */
function bindOnce({ sql: text, params }: { sql: string; params: unknown[] }): { sql: string; params: unknown[] } {
  const numbers = new Map<unknown, number>();
  const numbered = text.replace(/\?(\d+)/g, (_, index: string) => {
    const value = params[Number(index) - 1];
    const number = numbers.get(value) ?? numbers.size + 1;
    numbers.set(value, number);
    return `?${number}`;
  });
  return { sql: numbered, params: [...numbers.keys()] };
}

/**
 * A statement that returns rows. Its SQL selects (or returns) `shape.columns`, so that the row's type stands where the columns are named.
 *
 * @example
 * const SESSION = row({ id: integer(sql`s.id`), kind: text<"private" | "group">(sql`s.kind`) });
 * statement(SESSION, sql`select ${SESSION.columns} from sessions s where s.tenant_id = ${ctx.tenantId}`);
 */
export function statement<Row>(shape: RowShape<Row>, text: SQL): Query<Row> {
  return { shape, getQuery: () => bindOnce(dialect.sqlToQuery(text)) };
}

/**
 * The same for a plain `select` of the shape's columns: what follows them. `cte` is what stands after `with`.
 *
 * @example
 * select(SESSION)`from sessions s where s.tenant_id = ${ctx.tenantId}`;
 */
export function select<Row>(
  shape: RowShape<Row>,
  cte?: SQL,
): (strings: TemplateStringsArray, ...values: unknown[]) => Query<Row> {
  const before = cte === undefined ? sql`` : sql`with ${cte} `;
  return (strings, ...values) => statement(shape, sql`${before}select ${shape.columns} ${sql(strings, ...values)}`);
}

/** What a batch returned, found by the statement that was in it. */
export type Results = {
  /** The rows of a query; none if it was not in the batch. */
  rows: <Row>(query: Query<Row>) => Row[];
  /** How many rows a statement changed. */
  changes: (statement: Statement) => number;
};

/**
 * Runs statements as one transaction and one round trip, in order. (drizzle 0.45's own `batch` cannot bind the parameters of raw
 * statements on D1.)
 */
export async function runBatch(ctx: { db: Db }, statements: readonly Statement[]): Promise<Results> {
  const client: Pick<D1Database, "prepare" | "batch"> = ctx.db.$client;
  const bound = statements.map((one) => {
    const { sql: text, params } = one.getQuery();
    return client.prepare(text).bind(...params);
  });
  const results = bound.length === 0 ? [] : await client.batch<Record<string, D1Value>>(bound);
  const byStatement = new Map(statements.map((one, i) => [one, results[i]]));
  return {
    rows: (query) => (byStatement.get(query)?.results ?? []).map(query.shape.decode),
    changes: (one) => byStatement.get(one)?.meta.changes ?? 0,
  };
}

/** A query, several of the same rows, or null for none. */
type Reading = Query<unknown> | readonly Query<unknown>[] | null;

type RowsOf<R> = R extends Query<infer Row> ? Row[] : R extends readonly Query<infer Row>[] ? Row[] : never;

/**
 * Runs named queries in one round trip and returns their rows by the same names. A name whose query is null has no rows; one with
 * several queries has the rows of all, in order.
 *
 * @example
 * const { author: [author], sessions } = await read(ctx, { author: findAuthor(ctx, user), sessions: findSessions(ctx, ids) });
 */
export async function read<R extends Readonly<Record<string, Reading>>>(
  ctx: { db: Db },
  queries: R,
): Promise<{ [K in keyof R]: RowsOf<NonNullable<R[K]>> }> {
  const lists = Object.entries(queries).map(([name, reading]) => ({ name, list: listOf(reading) }));
  const all = lists.flatMap(({ list }) => list);
  const [only] = all;
  const results = all.length === 1 && only !== undefined ? await runAlone(ctx, only) : await runBatch(ctx, all);
  return asNamed(lists.map(({ name, list }) => [name, list.flatMap((query) => results.rows(query))]));
}

/** The rows of one query. */
export async function readRows<Row>(ctx: { db: Db }, query: Query<Row>): Promise<Row[]> {
  return (await runAlone(ctx, query)).rows(query);
}

/** One query needs no transaction. */
async function runAlone(ctx: { db: Db }, query: Query<unknown>): Promise<Pick<Results, "rows">> {
  const { sql: text, params } = query.getQuery();
  const client: Pick<D1Database, "prepare"> = ctx.db.$client;
  const { results } = await client
    .prepare(text)
    .bind(...params)
    .all<Record<string, D1Value>>();
  return { rows: (asked) => results.map(asked.shape.decode) };
}

function listOf(reading: Reading): readonly Query<unknown>[] {
  if (reading === null) return [];
  return "getQuery" in reading ? [reading] : reading;
}

/** The names are those of the queries, and the rows of each are decoded by its own shape. */
function asNamed<T>(entries: readonly (readonly [string, unknown[]])[]): T {
  return Object.fromEntries(entries) as T;
}

/** The platform's figures for the cost of one call. */
export type DatabaseCost = { statements: number; rowsRead: number; rowsWritten: number; milliseconds: number };

/** Drizzle over one D1 session, for one invocation. `onCost` is called for every round trip. */
export function createDb(session: D1DatabaseSession, onCost: (cost: DatabaseCost) => void): Db {
  return drizzle(metered(session, onCost));
}

/**
 * Replaces the database that drizzle expects: it uses `prepare` and `batch` only, which a session has too. (drizzle-orm 0.45,
 * d1/session.ts.)
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

  const turn = createTurns({
    now: Date.now,
    wait: (milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds)),
  });

  const wrap = (statement: D1PreparedStatement): MeteredStatement => {
    const counted = async <T>(run: () => Promise<D1Result<T>>): Promise<D1Result<T>> => {
      await turn();
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
      // The platform's `raw` returns no counters. Two columns of one name would collide here, so joins have an alias for every column.
      raw: async <T>() => (await all<Record<string, unknown>>()).results.map((row) => Object.values(row)) as [string[], ...T[]],
    } as MeteredStatement;
  };

  return asDatabase({
    prepare: (query: string) => wrap(session.prepare(query)),
    batch: async <T>(statements: D1PreparedStatement[]) => {
      await turn();
      const startedAt = Date.now();
      const results = await session.batch<T>(statements.map((statement) => (statement as MeteredStatement)[inner]));
      report(results, startedAt);
      return results;
    },
  });
}
