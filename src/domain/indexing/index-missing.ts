import { sql } from "drizzle-orm";
import type { Ctx } from "#context";
import { readRows, select } from "#db/client";
import { integer, row } from "#db/row";
import { columnOf, type Indexable, isIndexed, tableOf } from "./indexable.ts";
import { prepareIndexRepairs, type Repairs } from "./repair.ts";

/** Prepares the text and the jobs for vectors of those of these rows that have no text in the index: rows that were stored by themselves. */
export async function prepareMissing(
  ctx: Ctx<"db" | "now" | "newId" | "vectors">,
  indexable: Indexable,
  ids: readonly number[],
): Promise<Pick<Repairs, "statements" | "jobIds">> {
  const id = columnOf(indexable, "id");
  const shape = row({
    id: integer(id),
    span: integer(indexable.passages?.count ?? sql`1`),
    space: integer(indexable.space),
  });
  const missing = await readRows(
    ctx,
    select(
      shape,
    )`from json_each(${JSON.stringify(ids)}) j cross join ${tableOf(indexable)} on ${id} = j.value ${indexable.joins ?? sql``}
      where ${isIndexed(ctx, indexable)}
        and not exists (select 1 from ${sql.identifier(`${indexable.words.table}_docsize`)} d where d.id = ${id})`,
  );
  const repairs = missing.flatMap((one) => [
    { kind: "reindex" as const, of: indexable, ...one },
    { kind: "embed" as const, of: indexable, ...one },
  ]);
  const prepared = repairs.length === 0 ? [] : await prepareIndexRepairs(ctx, repairs);
  return {
    statements: prepared.flatMap(({ statements }) => statements),
    jobIds: prepared.flatMap(({ jobIds }) => jobIds ?? []),
  };
}
