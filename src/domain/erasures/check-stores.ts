import { sql } from "drizzle-orm";
import type { Ctx } from "#context";
import { toIso } from "#core/fields";
import { type Query, read, select } from "#db/client";
import { integer, row } from "#db/row";
import { firstChunkOf } from "#domain/sessions";
import { findUploads } from "./erase-documents.ts";
import { findVectors } from "./erase-vectors.ts";
import { countUnmerged } from "./merge-words.ts";
import type { Progress } from "./progress.ts";
import type { StoreView } from "./schemas.ts";
import { listOf, type Scope } from "./scope.ts";
import { rowsIn, TABLES, TEXT_INDEXES } from "./stores.ts";

/** Statements in a round trip. */
const QUERIES_A_TRIP = 10;

const N = row({ n: integer(sql`count(*)`) });

/** How many rows of each table belong to the subject now; tables of which none can are left out. */
export async function countTables(ctx: Ctx<"db">, scope: Scope): Promise<Record<string, number>> {
  const queries = TABLES.flatMap((store) => {
    const rows = rowsIn(store, scope);
    return rows === null ? [] : [{ table: store.table, query: select(N)`from (${rows})` }];
  });
  const counts: Record<string, number> = {};
  for (let from = 0; from < queries.length; from += QUERIES_A_TRIP) {
    const part = queries.slice(from, from + QUERIES_A_TRIP);
    const found = await read(ctx, Object.fromEntries(part.map(({ table, query }) => [table, query])));
    for (const { table } of part) counts[table] = found[table]?.[0]?.n ?? 0;
  }
  return counts;
}

/** How many entries of each text index belong to the subject now. */
export async function countWords(ctx: Ctx<"db">, scope: Scope): Promise<Record<string, number>> {
  const found = await read(ctx, Object.fromEntries(TEXT_INDEXES.map(({ table }) => [table, wordsIn(table, scope)])));
  return Object.fromEntries(TEXT_INDEXES.map(({ table }) => [table, (found[table] ?? []).reduce((sum, { n }) => sum + n, 0)]));
}

/** By the ids of passages of sessions, else by the space's token in the index itself, whether or not there is a row. */
function wordsIn(table: string, scope: Scope): Query<{ n: number }>[] {
  const docsize = sql.identifier(`${table}_docsize`);
  if (table === "message_fts")
    return scope.sessions.map(
      (id) =>
        select(
          N,
        )`from ${docsize} d where d.id >= ${sql.raw(String(firstChunkOf(id)))} and d.id < ${sql.raw(String(firstChunkOf(id + 1)))}`,
    );
  const name = sql.identifier(table);
  const bySpace = scope.spaces.map((space) => select(N)`from ${name} f where f.${name} match ${`space : "s${space}"`}`);
  if (table === "memory_fts") return [...bySpace, select(N)`from ${docsize} d where d.id in ${listOf(scope.memories)}`];
  if (table === "chunk_fts")
    return [
      ...bySpace,
      select(
        N,
      )`from chunks c cross join ${docsize} d on d.id = c.id where c.tenant_id = ${scope.tenantId} and c.source_id in ${listOf(scope.sources)}
          and c.space_id not in ${listOf(scope.spaces)}`,
    ];
  return bySpace;
}

type Checked = Pick<StoreView, "store" | "kind" | "method" | "before" | "deleted" | "remaining" | "how">;

/** Every store, counted now. */
export async function checkStores(ctx: Ctx<"db" | "now" | "vectors" | "files">, progress: Progress): Promise<StoreView[]> {
  const { scope } = progress;
  const checkedAt = toIso(ctx.now());
  const [tables, words] = [await countTables(ctx, scope), await countWords(ctx, scope)];
  const vectors = (await findVectors(ctx, progress)).length;
  const asked: Checked[] = [];
  for (const { table, method, note } of TABLES)
    asked.push({ ...counted(progress, table, tables[table] ?? null), kind: "table", method, how: note });
  for (const { table, rowsOf } of TEXT_INDEXES) {
    const how = `entries of ${rowsOf}, counted by ${table === "message_fts" ? "the numbers of their passages" : "the space's token"} in the index itself`;
    asked.push({ ...counted(progress, table, words[table] ?? 0), kind: "text index", method: "delete", how });
    asked.push(await unmerged(ctx, progress, table));
  }
  asked.push({ ...counted(progress, "vectors", vectors), kind: "vectors", method: "delete", how: vectorsHow(ctx) });
  asked.push({
    ...counted(progress, "uploads", (await findUploads(ctx, scope)).length),
    kind: "files",
    method: "delete",
    how: "uploaded bytes that have not been read yet, listed by the source that they were uploaded to",
  });
  return [...asked.map((store) => ({ ...store, verdict: verdictOf(store), checkedAt, until: null })), ...passing(checkedAt)];
}

function counted(
  progress: Progress,
  store: string,
  remaining: number | null,
): Pick<Checked, "store" | "before" | "deleted" | "remaining"> {
  if (remaining === null) return { store, before: null, deleted: null, remaining: null };
  const before = Math.max(progress.before[store] ?? 0, (progress.deleted[store] ?? 0) + remaining);
  return { store, before, deleted: before - remaining, remaining };
}

/** FTS5 leaves the words of deleted rows in its segments until they are merged. */
async function unmerged(ctx: Ctx<"db">, progress: Progress, table: string): Promise<Checked> {
  const { before, remaining } = await countUnmerged(ctx, progress, table);
  const how =
    "segments in which words of deleted rows were left, merged into a new one without them; checked by the index's own list of segments";
  return { store: `${table} segments`, kind: "text index", method: "merge", before, deleted: before - remaining, remaining, how };
}

function vectorsHow(ctx: Ctx<"vectors">): string {
  return ctx.vectors.list === undefined
    ? "removed by id, and asked for again by id after the index has settled"
    : "removed by id; what the index lists for the spaces is compared with the rows";
}

function verdictOf({ method, remaining, before }: Checked): StoreView["verdict"] {
  if (method === "keep" || remaining === null) return "not_applicable";
  if (remaining > 0) return method === "merge" ? "pending" : "residual";
  return before === 0 && method === "merge" ? "not_applicable" : "erased";
}

type Passing = Pick<StoreView, "store" | "kind" | "until" | "how"> & { verdict: "pending" | "not_applicable" };

/** What is no table: it goes by itself, or holds nothing of anybody. */
const PASSING: readonly Passing[] = [
  {
    store: "cache of credentials and grants",
    kind: "cache",
    verdict: "not_applicable",
    until: "15 seconds",
    how: "in the memory of each isolate, by hash: after keys and tokens were revoked, the erasure waited for so long before it went on",
  },
  {
    store: "cache of profiles in sentences",
    kind: "cache",
    verdict: "pending",
    until: "24 hours",
    how: "in the memory of each isolate, found only with the same memories, which nobody has any more; gone when the isolate ends. This isolate's is cleared",
  },
  {
    store: "cache of query embeddings",
    kind: "cache",
    verdict: "pending",
    until: "24 hours",
    how: "in the memory of each isolate: numbers under a hash of a question. This isolate's is cleared",
  },
  {
    store: "cache of settings, topics and origins",
    kind: "cache",
    verdict: "not_applicable",
    until: "15 seconds",
    how: "the tenant's own",
  },
  {
    store: "queue messages",
    kind: "queue",
    verdict: "not_applicable",
    until: null,
    how: "hold the tenant's number and a job's id",
  },
  {
    store: "dead-letter queue",
    kind: "queue",
    verdict: "not_applicable",
    until: "4 days",
    how: "holds the same messages as the queue",
  },
  {
    store: "logs",
    kind: "log",
    verdict: "not_applicable",
    until: null,
    how: "hold events, counts and Edgewise's own ids, never words, names or ids of the app",
  },
  {
    store: "OAuth grants",
    kind: "object",
    verdict: "pending",
    until: "the grant's end",
    how: "hold a key of the user in encrypted form, which is refused from now on",
  },
];

function passing(checkedAt: string): StoreView[] {
  return PASSING.map((one) => ({
    ...one,
    method: one.verdict === "pending" ? "expire" : "keep",
    before: null,
    deleted: null,
    remaining: null,
    checkedAt,
  }));
}
