import { type SQL, sql } from "drizzle-orm";
import { z } from "zod";
import type { Services } from "#context";
import { read, statement } from "#db/client";
import { integer, type RowOf, type RowShape, row } from "#db/row";
import { GRACE_MS } from "#domain/forgetting";
import { type Repairs, readCursor, type Step } from "#domain/indexing";
import { enqueue } from "#domain/jobs";
import { findDueForgettings, purgeForgettings } from "./purge-forgettings.ts";
import type { PreparedStep, UpkeepCtx } from "./step.ts";

/** Forgotten memories that one look reads, of all tenants: the index has only the time at which they were forgotten. */
const A_LOOK = 2_000;

const Position = z.object({ at: z.number().int(), id: z.number().int() });

/** The position of a look: behind the memory with this id, forgotten at this time. */
export type Position = z.infer<typeof Position>;

export function positionOf(cursor: string): Position {
  return cursor === "" ? { at: -1, id: -1 } : readCursor(Position, cursor);
}

export type Forgotten = { id: number; space: number; tenantId: number; at: number };

export type Look = { rows: Forgotten[]; next: Position | null };

const FORGOTTEN = row({
  id: integer(sql`t.id`),
  space: integer(sql`t.space_id`),
  tenantId: integer(sql`t.tenant_id`),
  at: integer(sql`t.deleted_at`),
});
const END = row({ looked: integer(sql`e.looked`), lastAt: integer(sql`e.last_at`), lastId: integer(sql`e.last_id`) });

/** Every row has the position at which the look ended; if nothing was taken, there is one row without a memory. */
const FOUND: RowShape<RowOf<typeof END> & { forgotten: Forgotten | null }> = {
  columns: sql`${END.columns}, ${FORGOTTEN.columns}`,
  decode: (values) => ({ ...END.decode(values), forgotten: values.id === null ? null : FORGOTTEN.decode(values) }),
};

/**
 * Memories that can no longer be restored, those forgotten first, of the tenants `of` (a condition on the row `l`), within the limits in
 * total and for each tenant.
 */
export async function findForgotten(
  services: Pick<Services, "db" | "now">,
  from: Position,
  { of, limit, perTenant }: { of: SQL; limit: number; perTenant: number },
): Promise<Look> {
  const { rows } = await read(services, {
    rows: statement(
      FOUND,
      sql`with looked as materialized (
          select m.id, m.space_id, m.tenant_id, m.deleted_at from memories m indexed by memories_deleted
          where m.deleted_at is not null and m.deleted_at >= ${from.at} and m.deleted_at < ${services.now() - GRACE_MS}
            and (m.deleted_at > ${from.at} or m.id > ${from.id})
          order by m.deleted_at, m.id limit ${A_LOOK}),
        taken as materialized (
          select * from (
            select l.*, row_number() over (partition by l.tenant_id order by l.deleted_at, l.id) as turn from looked l where ${of})
          where turn <= ${perTenant} order by deleted_at, id limit ${limit + 1})
        select ${FOUND.columns} from (
          select count(*) as looked, (select deleted_at from looked order by deleted_at desc, id desc limit 1) as last_at,
            (select id from looked order by deleted_at desc, id desc limit 1) as last_id from looked) e
        left join taken t order by t.deleted_at, t.id`,
    ),
  });
  const found = rows.flatMap(({ forgotten }) => forgotten ?? []);
  const last = found[limit - 1];
  if (found.length > limit && last !== undefined) return { rows: found.slice(0, limit), next: { at: last.at, id: last.id } };
  const [end] = rows;
  return { rows: found, next: end !== undefined && end.looked === A_LOOK ? { at: end.lastAt, id: end.lastId } : null };
}

/** Deletes for good memories, and the words that went with them, that were forgotten too long ago to be restored. */
export async function purgeMemories(ctx: UpkeepCtx, { cursor, limit }: Step): Promise<PreparedStep> {
  const of = sql`l.tenant_id = ${ctx.tenantId}`;
  const { rows, next } = await findForgotten(ctx, positionOf(cursor), { of, limit, perTenant: limit + 1 });
  const due = await findDueForgettings(ctx, { of: sql`f.tenant_id = ${ctx.tenantId}`, limit });
  const [memories, words] = [purgeRows(ctx, rows), purgeForgettings(ctx, due)];
  return {
    ...memories,
    counts: { ...memories.counts, ...words.counts },
    statements: [...memories.statements, ...words.statements],
    next: next === null ? null : JSON.stringify(next),
  };
}

/**
 * Deletes memories of one tenant with their versions, their subjects and their rows in merges. Memories that were restored meanwhile stay.
 * Their vectors were removed when they were forgotten; they are removed again, in case that job failed for good.
 */
export function purgeRows(ctx: UpkeepCtx, rows: readonly Pick<Forgotten, "id" | "space">[]): Repairs {
  if (rows.length === 0) return { counts: { memories: 0 }, statements: [] };
  const ids = sql.raw(rows.map(({ id }) => id).join(","));
  const gone = sql`(
    select g.id from memories g where g.id in (${ids}) and g.tenant_id = ${ctx.tenantId} and g.deleted_at < ${ctx.now() - GRACE_MS})`;
  const jobId = ctx.newId("job");
  return {
    counts: { memories: rows.length },
    statements: [
      // A merge is found by the persons that were merged into the memory's subjects or speaker.
      ctx.db.run(sql`
        with recursive party (id) as (
          select su.person_id from memory_subjects su where su.memory_id in ${gone}
          union select st.stated_by from memories st where st.id in ${gone} and st.stated_by is not null
          union select pe.id from party cross join persons pe on pe.merged_into = party.id)
        delete from person_merge_edges where memory_id in ${gone}
          and merge_id in (select mg.id from party cross join person_merges mg on mg.from_id = party.id and mg.undone_at is null)`),
      ctx.db.run(sql`delete from memory_subjects where memory_id in ${gone}`),
      ctx.db.run(sql`delete from memory_versions where memory_id in ${gone}`),
      ctx.db.run(sql`update memories set contradicts = null where contradicts in ${gone} and +tenant_id = ${ctx.tenantId}`),
      ctx.db.run(sql`delete from memory_fts where rowid in ${gone}`),
      ctx.db.run(sql`delete from memories where id in ${gone}`),
      enqueue(ctx, {
        id: jobId,
        kind: "memories.remove",
        payload: JSON.stringify({ memories: rows.map(({ id, space }) => ({ id, space })) }),
      }),
    ],
    jobIds: [jobId],
  };
}
