import { type SQL, sql } from "drizzle-orm";
import type { Ctx } from "#context";
import { readRows, statement } from "#db/client";
import type { D1Value, RowShape } from "#db/row";
import type { Stage } from "./stages.ts";

/** The keys of a row, from which the next page continues. */
export type Position = readonly (string | number)[];

export type Page = { lines: string[]; last: Position; isFull: boolean; queries: number };

/**
 * The next rows of a stage as lines, behind the position. Rows with the same first keys come first, then those whose last of these keys is
 * greater, and so on: each is one range of an index, where one comparison of all keys would read every row before the position.
 */
export async function readPage(
  ctx: Ctx<"db">,
  stage: Stage,
  { after, limit }: { after: Position | null; limit: number },
): Promise<Page> {
  const lines: string[] = [];
  const most = Math.min(limit, stage.aPage);
  let last: Position = after ?? [];
  let queries = 0;
  for (const range of rangesBehind(stage, after)) {
    if (lines.length >= most) break;
    const { keys, properties } = stage;
    const shape = lineShape(stage);
    const rows = await readRows(
      ctx,
      statement(
        shape,
        sql`select ${shape.columns} from ${stage.from} where ${stage.where} and ${range}
          order by ${sql.join([...keys], sql`, `)} limit ${most - lines.length}`,
      ),
    );
    queries += 1;
    for (const row of rows) lines.push(lineOf(stage.kind, properties, row));
    last = rows.at(-1)?.keys ?? last;
  }
  return { lines, last, isFull: lines.length >= most, queries };
}

/** Ranges of keys that together hold everything behind the position, in order. */
function rangesBehind({ keys }: Stage, after: Position | null): SQL[] {
  if (after === null || after.length === 0) return [sql`true`];
  return keys
    .map((key, i) => {
      const same = keys.slice(0, i).map((each, j) => sql`${each} = ${after[j]}`);
      return sql.join([...same, sql`${key} > ${after[i]}`], sql` and `);
    })
    .toReversed();
}

type Read = { keys: Position; values: Record<string, D1Value> };

function lineShape({ keys, properties }: Stage): RowShape<Read> {
  const named = Object.entries(properties);
  return {
    columns: sql.join(
      [
        ...keys.map((key, i) => sql`${key} as ${sql.identifier(`key${i}`)}`),
        ...named.map(([name, { sql: of }]) => sql`${of} as ${sql.identifier(name)}`),
      ],
      sql`, `,
    ),
    decode: (row) => ({
      keys: keys.map((_, i) => row[`key${i}`] ?? ""),
      values: Object.fromEntries(named.map(([name]) => [name, row[name] ?? null])),
    }),
  };
}

/** JSON is copied as it is stored, so that nothing is lost by reading it. */
function lineOf(kind: string, properties: Stage["properties"], { values }: Read): string {
  const written = Object.entries(values).map(([name, value]) => {
    const isJson = properties[name]?.isJson === true && value !== null;
    return `${JSON.stringify(name)}:${isJson ? String(value) : JSON.stringify(value)}`;
  });
  return `{"kind":${JSON.stringify(kind)},"row":{${written.join(",")}}}`;
}
