import { type SQL, sql } from "drizzle-orm";
import { z } from "zod";
import type { Ctx } from "#context";
import { tenantSpaceId } from "#domain/visibility";
import { readCursor } from "./cursor.ts";

/**
 * Where a walk through a tenant's spaces stands: the tenant's own space (stage 0), its users' in the order of the app's ids (1), its
 * group sessions' in the order of internal ids (2). `at` is the internal id of the user or session: everything before it is done, and
 * in its space every row up to `after`.
 */
export const Place = z.object({ stage: z.number().int().min(0).max(2), at: z.number().int(), after: z.number().int() });

export type Place = z.infer<typeof Place>;

export const FIRST_PLACE: Place = { stage: 0, at: 0, after: 0 };

/** Behind every row of a space. */
export const ALL_ROWS = Number.MAX_SAFE_INTEGER;

export function placeOf(cursor: string): Place {
  return cursor === "" ? FIRST_PLACE : readCursor(Place, cursor);
}

/**
 * `places (stage, at, space, after)`: the next so many places of the walk, in order. There is no index of spaces by tenant, so it reads
 * the tenant's users and sessions, two rows each; a private session is a place without a space.
 */
export function placesCte(tenantId: number, { stage, at, after }: Place, limit: number): SQL {
  const users = sql`
    select 1 as stage, u.external_id as turn, u.id as at, u.space_id as space from users u
    where u.tenant_id = ${tenantId} and u.external_id >= ${stage === 1 ? nameOfUser(tenantId, at) : ""} order by u.external_id limit ${limit}`;
  const groups = sql`
    select 2 as stage, s.id as turn, s.id as at, iif(s.kind = 'group', s.space_id, null) as space from sessions s
    where s.tenant_id = ${tenantId} and s.id >= ${stage === 2 ? at : 0} order by s.id limit ${limit}`;
  const own = sql`
    select 0 as stage, 0 as turn, 0 as at, sp.id as space from spaces sp
    where sp.public_id = ${tenantSpaceId(tenantId)} and sp.tenant_id = ${tenantId}`;
  const stages = [own, users, groups].slice(stage).map((part) => sql`select * from (${part})`);
  return sql`places as materialized (
    select stage, at, space, iif(stage = ${stage} and at = ${at}, ${after}, 0) as after
    from (${sql.join(stages, sql` union all `)}) order by stage, turn limit ${limit})`;
}

/** The app's id of a user, by which users are indexed; a walk whose user is gone begins its stage anew. */
export function nameOfUser(tenantId: number, id: number): SQL {
  return sql`coalesce((select c.external_id from users c where c.id = ${id} and c.tenant_id = ${tenantId}), '')`;
}

/** A row of a walk, and the place where it is. */
export type Walked<Row> = Row & { stage: number; at: number; space: number; id: number };

/** A part of a walk: the rows that it came by, the spaces it went into, and where it goes on. */
export type Walk<Row> = { rows: Walked<Row>[]; spaces: number[]; next: Place | null };

export type WalkBounds = { places: number; rows: number };

/** What a walk finds in a space: rows joined to the place `p`, each with an integer id, by an index that has them in the order of ids. */
export type Path = { join: SQL; id: SQL; columns: SQL };

type Found<Row> = Row & { stage: number; at: number; after: number; space: number | null; id: number | null };

/**
 * Rows of the tenant's next spaces, in the order of the walk. It reads as many places and rows as the bounds say, whatever the columns
 * find in them: a condition belongs into the columns.
 */
export async function walkSpaces<Row>(
  ctx: Ctx<"db">,
  from: Place,
  { bounds, path }: { bounds: WalkBounds; path: Path },
): Promise<Walk<Row>> {
  const limit = bounds.places + bounds.rows;
  // A left join goes through its left side in order, and through the index of the right one: so the limit cuts the walk, and nothing
  // beyond it is read or sorted.
  const rows = await ctx.db.all<Found<Row>>(sql`
    with ${placesCte(ctx.tenantId, from, bounds.places)}
    select p.stage as stage, p.at as at, p.space as space, p.after as after, ${path.id} as id, ${path.columns}
    from places p left join ${path.join} limit ${limit}`);
  const places = new Map(rows.map((row) => [`${row.stage} ${row.at}`, row.space]));
  const last = rows.at(-1);
  return {
    rows: rows.filter(isThere),
    spaces: [...places.values()].filter((space) => space !== null),
    next: last === undefined ? null : goesOn(last, { isCut: rows.length === limit, isFull: places.size === bounds.places }),
  };
}

function isThere<Row>(row: Found<Row>): row is Found<Row> & { space: number; id: number } {
  return row.id !== null && row.space !== null;
}

function goesOn({ stage, at, after, id }: Found<unknown>, { isCut, isFull }: { isCut: boolean; isFull: boolean }): Place | null {
  if (isCut) return { stage, at, after: id ?? after };
  return isFull ? { stage, at, after: ALL_ROWS } : null;
}

/** Live memories `m`. */
export function memoriesWith(columns: SQL): Path {
  return {
    join: sql`memories m on m.space_id = p.space and m.deleted_at is null and m.id > p.after`,
    id: sql`m.id`,
    columns,
  };
}

/** The rows of a walk that `isHit`, no more than the limit; the walk goes on at the first that is left over. */
export function takeHits<Row>(
  walk: Pick<Walk<Row>, "rows" | "next">,
  limit: number,
  isHit: (row: Walked<Row>) => boolean,
): { hits: Walked<Row>[]; next: Place | null } {
  const hits = walk.rows.filter(isHit);
  const over = hits[limit];
  return {
    hits: hits.slice(0, limit),
    next: over === undefined ? walk.next : { stage: over.stage, at: over.at, after: over.id - 1 },
  };
}

export function toCursor(place: Place | null): string | null {
  return place === null ? null : JSON.stringify(place);
}
