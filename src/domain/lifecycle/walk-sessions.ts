import { type SQL, sql } from "drizzle-orm";
import { z } from "zod";
import type { Ctx } from "#context";
import { CHUNKS_PER_SESSION, firstChunkOf, sessionOf } from "#domain/sessions";
import { readCursor } from "./cursor.ts";

/** Rows of a session `w`, joined to it by ids of its chunks within `inSession`. */
export type SessionPath = { join: SQL; id: SQL; columns: SQL };

export type SessionRow<Row> = Row & { sessionId: number; space: number; id: number };

export type SessionWalk<Row> = { rows: SessionRow<Row>[]; sessions: number; next: number | null };

type Found<Row> = Row & { sessionId: number; space: number; id: number | null };

/** Stands before every chunk. */
export const FIRST_CHUNK = -1;

export function chunkOfCursor(cursor: string): number {
  return cursor === "" ? FIRST_CHUNK : readCursor(z.number().int(), cursor);
}

/** Whether an id is one of the session `w` and behind the place where the walk stands. */
export function inSession(id: SQL, after: number): SQL {
  const per = sql.raw(String(CHUNKS_PER_SESSION));
  return sql`${id} > max(w.id * ${per} - 1, ${after}) and ${id} < (w.id + 1) * ${per}`;
}

/** Rows of the tenant's sessions behind a chunk's id, in the order of ids, no more sessions and rows than the bounds say. */
export async function walkSessions<Row>(
  ctx: Ctx<"db">,
  after: number,
  { bounds, path }: { bounds: { sessions: number; rows: number }; path: SessionPath },
): Promise<SessionWalk<Row>> {
  const limit = bounds.sessions + bounds.rows;
  const rows = await ctx.db.all<Found<Row>>(sql`
    with walked as materialized (
      select s.id, s.space_id from sessions s where s.tenant_id = ${ctx.tenantId} and s.id >= ${sessionOf(Math.max(after, 0))}
      order by s.id limit ${bounds.sessions})
    select w.id as sessionId, w.space_id as space, ${path.id} as id, ${path.columns} from walked w left join ${path.join} limit ${limit}`);
  const sessions = new Set(rows.map(({ sessionId }) => sessionId)).size;
  const last = rows.at(-1);
  const isCut = rows.length === limit;
  return {
    rows: rows.filter(isThere),
    sessions,
    next:
      last === undefined || !(isCut || sessions === bounds.sessions)
        ? null
        : isCut && last.id !== null
          ? last.id
          : firstChunkOf(last.sessionId + 1) - 1,
  };
}

function isThere<Row>(row: Found<Row>): row is Found<Row> & { id: number } {
  return row.id !== null;
}

/** The rows that `isHit`, no more than the limit; the walk goes on at the first that is left over. */
export function takeSessionHits<Row>(
  walk: SessionWalk<Row>,
  limit: number,
  isHit: (row: SessionRow<Row>) => boolean,
): { hits: SessionRow<Row>[]; next: number | null } {
  const hits = walk.rows.filter(isHit);
  const over = hits[limit];
  return { hits: hits.slice(0, limit), next: over === undefined ? walk.next : over.id - 1 };
}
