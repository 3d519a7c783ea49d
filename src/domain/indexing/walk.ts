import { type SQL, sql } from "drizzle-orm";
import { z } from "zod";
import type { Ctx } from "#context";
import { breaksRule } from "#core/errors";
import { read, statement } from "#db/client";
import { integer, nullable, type RowShape, row } from "#db/row";

/** The position of a walk: in the place `at` of a stage, behind the row `after`. `at` and `after` are internal ids. */
export const Place = z.object({ stage: z.number().int().min(0).max(2), at: z.number().int(), after: z.number().int() });

export type Place = z.infer<typeof Place>;

export const FIRST_PLACE: Place = { stage: 0, at: 0, after: 0 };

/** As `after`: all rows of the place are done. */
export const ALL_ROWS = Number.MAX_SAFE_INTEGER;

/** Parses the position of a walk. @throws unprocessable for a cursor that is not one of ours: callers can make one up. */
export function readCursor<T>(schema: z.ZodType<T>, cursor: string): T {
  const parsed = z.string().transform(toJson).pipe(schema).safeParse(cursor);
  if (!parsed.success) throw breaksRule("cursor", "This cursor was not made by this list.");
  return parsed.data;
}

function toJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

export function placeOf(cursor: string): Place {
  return cursor === "" ? FIRST_PLACE : readCursor(Place, cursor);
}

export function toCursor(place: Place | null): string | null {
  return place === null ? null : JSON.stringify(place);
}

/**
 * The places of a tenant that hold rows: its spaces, sessions or projects. `list` selects `stage`, `at`, `space` and `after` of the next
 * places in order: from the walk's position, or behind it if `isDone`. `after` is the walk's own in that place and 0 in the others.
 */
export type Places = {
  /** A table with `tenant_id`: a tenant without a row in it has no places. */
  table: string;
  list: (tenantId: number, from: Place & { isDone: boolean }, limit: number) => SQL;
};

/** The next places as a common table expression `w`. */
export function placesCte({ list }: Places, tenantId: number, from: Place, limit: number): SQL {
  return sql`w as materialized (${list(tenantId, { ...from, isDone: from.after === ALL_ROWS }, limit)})`;
}

/** Rows joined to the places `w` by an index that has them in the walk's order, each with an integer id. */
export type Path = { places: Places; join: SQL; id: SQL };

/** A row of a walk and its position. */
export type Walked<Row> = Row & { walkStage: number; walkAt: number; walkSpace: number; walkId: number };

export type Walk<Row> = { rows: Walked<Row>[]; next: Place | null };

/**
 * The next rows of a tenant, in the order of the walk. It reads no more places and rows than the bounds say, whatever the columns contain;
 * a condition must therefore be a column of `shape`.
 */
export async function walk<Row extends object>(
  ctx: Ctx<"db">,
  from: Place,
  { path, bounds, shape }: { path: Path; bounds: { places: number; rows: number }; shape: RowShape<Row> },
): Promise<Walk<Row>> {
  const found = foundShape(path, shape);
  // SQLite reads the left side of a left join in order and looks up the right side by an index, so the limit ends the walk, and nothing
  // beyond it is read or sorted.
  const { rows } = await read(ctx, {
    rows: statement(
      found,
      sql`with ${placesCte(path.places, ctx.tenantId, from, bounds.places)}
        select ${found.columns} from w left join ${path.join} limit ${bounds.rows}`,
    ),
  });
  const last = rows.at(-1)?.place;
  const isCut = rows.length === bounds.rows;
  const isFull = new Set(rows.map(({ place }) => `${place.walkStage} ${place.walkAt}`)).size === bounds.places;
  return {
    rows: rows.flatMap(({ row: one }) => one ?? []),
    next:
      last === undefined || !(isCut || isFull)
        ? null
        : { stage: last.walkStage, at: last.walkAt, after: isCut ? (last.walkId ?? ALL_ROWS) : ALL_ROWS },
  };
}

type Found<Row> = { place: { walkStage: number; walkAt: number; walkId: number | null }; row: Walked<Row> | null };

/** A place without rows is one row of nulls. */
function foundShape<Row extends object>(path: Path, shape: RowShape<Row>): RowShape<Found<Row>> {
  const place = row({
    walkStage: integer(sql`w.stage`),
    walkAt: integer(sql`w.at`),
    walkSpace: nullable(integer(sql`w.space`)),
    walkId: nullable(integer(path.id)),
  });
  return {
    columns: sql`${place.columns}, ${shape.columns}`,
    decode: (values) => {
      const { walkSpace, walkId, ...where } = place.decode(values);
      const isThere = walkSpace !== null && walkId !== null;
      return { place: { ...where, walkId }, row: isThere ? { ...shape.decode(values), ...where, walkSpace, walkId } : null };
    },
  };
}

/** The rows of a walk that `isHit`, up to the limit; if some are left over, the walk continues behind the last one taken. */
export function takeHits<Row>(
  { rows, next }: Walk<Row>,
  limit: number,
  isHit: (row: Walked<Row>) => boolean,
): { hits: Walked<Row>[]; next: Place | null } {
  const hits = rows.filter(isHit);
  const last = hits.length > limit ? hits[limit - 1] : undefined;
  return {
    hits: hits.slice(0, limit),
    next: last === undefined ? next : { stage: last.walkStage, at: last.walkAt, after: last.walkId },
  };
}
