import { type SQL, sql } from "drizzle-orm";
import { z } from "zod";
import type { Services } from "#context";
import { readCursor } from "./cursor.ts";

/** How long a forgotten memory can be restored. */
export const GRACE_MS = 30 * 86_400_000;

/** Forgotten memories that one look goes through, whoever's they are: the index knows only when they were forgotten. */
const A_LOOK = 2_000;

const Position = z.object({ at: z.number().int(), id: z.number().int() });

/** Where a look stands: behind the memory of this id, forgotten at this time. */
export type Position = z.infer<typeof Position>;

export function positionOf(cursor: string): Position {
  return cursor === "" ? { at: -1, id: -1 } : readCursor(Position, cursor);
}

export type Forgotten = { id: number; space: number; tenantId: number; at: number };

type Row = Partial<Forgotten> & { looked: number; lastAt: number | null; lastId: number | null };

export type Look = { rows: Forgotten[]; next: Position | null };

/** What the grace is over for, those forgotten first, of the tenants `of` (a condition on the row `l`): no more than the limits, in all and of each. */
export async function findForgotten(
  services: Pick<Services, "db" | "now">,
  from: Position,
  { of, limit, perTenant }: { of: SQL; limit: number; perTenant: number },
): Promise<Look> {
  const rows = await services.db.all<Row>(sql`
    with looked as materialized (
      select m.id, m.space_id, m.tenant_id, m.deleted_at from memories m indexed by memories_deleted
      where m.deleted_at is not null and m.deleted_at >= ${from.at} and m.deleted_at < ${services.now() - GRACE_MS}
        and (m.deleted_at > ${from.at} or m.id > ${from.id})
      order by m.deleted_at, m.id limit ${A_LOOK}),
    taken as materialized (
      select * from (
        select l.*, row_number() over (partition by l.tenant_id order by l.deleted_at, l.id) as turn from looked l where ${of})
      where turn <= ${perTenant} order by deleted_at, id limit ${limit + 1})
    select e.looked as looked, e.last_at as lastAt, e.last_id as lastId,
      t.id as id, t.space_id as space, t.tenant_id as tenantId, t.deleted_at as at
    from (
      select count(*) as looked, (select deleted_at from looked order by deleted_at desc, id desc limit 1) as last_at,
        (select id from looked order by deleted_at desc, id desc limit 1) as last_id from looked) e
    left join taken t order by t.deleted_at, t.id`);
  const found = rows.filter(isFound);
  const last = found[limit - 1];
  if (found.length > limit && last !== undefined) return { rows: found.slice(0, limit), next: { at: last.at, id: last.id } };
  const end = rows[0];
  const isCut = end !== undefined && end.looked === A_LOOK && end.lastAt !== null && end.lastId !== null;
  return { rows: found, next: isCut ? { at: end.lastAt ?? 0, id: end.lastId ?? 0 } : null };
}

function isFound(row: Row): row is Row & Forgotten {
  return typeof row.id === "number";
}
