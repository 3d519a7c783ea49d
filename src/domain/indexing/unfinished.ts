import { type SQL, sql } from "drizzle-orm";
import type { Ctx } from "#context";
import { type Query, read, statement } from "#db/client";
import { row } from "#db/row";
import { JOB } from "#db/schema/jobs";
import { type Indexable, type Range, rangesIn } from "./indexable.ts";

/** Jobs that are read of each state. If a tenant has more, every row counts as named by one until they are done. */
const MAX_JOBS = 200;

/** The rows that jobs are going to index. */
export type Unfinished = {
  embeds: (indexable: Indexable, id: number) => boolean;
  removes: (indexable: Indexable, passageId: number) => boolean;
};

const FOUND = row(JOB.of(sql`j`, "kind", "payload"));

/** The tenant's unfinished jobs for these kinds. Failed jobs are included: they wait for a person, and another job would fail too. */
export async function unfinishedJobs(ctx: Ctx<"db">, indexables: readonly Indexable[]): Promise<Unfinished> {
  const kinds = JSON.stringify(indexables.flatMap(({ jobs }) => Object.values(jobs)));
  const find = (which: SQL): Query<{ kind: string; payload: unknown }> =>
    statement(
      FOUND,
      sql`select ${FOUND.columns} from jobs j ${which} and j.tenant_id = ${ctx.tenantId}
        and j.kind in (select value from json_each(${kinds})) limit ${MAX_JOBS}`,
    );
  const { open, failed } = await read(ctx, {
    open: find(sql`indexed by jobs_open where j.status in ('pending', 'running')`),
    failed: find(sql`indexed by jobs_failed where j.status = 'failed'`),
  });
  if (open.length === MAX_JOBS || failed.length === MAX_JOBS) return { embeds: () => true, removes: () => true };
  const payloads = Map.groupBy([...open, ...failed], ({ kind }) => kind);
  const ranges = new Map<string, Range[]>();
  const names = (kind: string, id: number): boolean => {
    const named = ranges.get(kind) ?? (payloads.get(kind) ?? []).flatMap(({ payload }) => rangesIn(payload));
    ranges.set(kind, named);
    return named.some(({ from, chunks }) => id >= from && id < from + chunks);
  };
  return {
    embeds: ({ jobs }, id) =>
      payloads.has(jobs.reembed) || names(jobs.index, id) || (jobs.later !== undefined && names(jobs.later, id)),
    removes: ({ jobs }, id) => names(jobs.remove, id),
  };
}
