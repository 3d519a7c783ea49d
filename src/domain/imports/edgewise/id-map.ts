import { sql } from "drizzle-orm";
import type { Ctx } from "#context";
import { readRows, type Statement, select } from "#db/client";
import { row } from "#db/row";
import { IMPORTED_ID } from "#db/schema/transfer";
import type { Kind } from "#domain/exports";
import type { Ids } from "./values.ts";

/** The ids of an export that a part names, by kind. */
export function createIdRecorder(): { ids: Ids; named: ReadonlyMap<Kind, ReadonlySet<number>> } {
  const named = new Map<Kind, Set<number>>();
  // Any number: nothing is left out while the names are collected.
  const ids: Ids = (kind, id) => {
    const known = named.get(kind) ?? new Set();
    named.set(kind, known.add(id));
    return 1;
  };
  return { ids, named };
}

const FOUND = row(IMPORTED_ID.of(sql`i`, "tableName", "oldId", "newId"));

/** The rows of this service for those ids, as far as this import has stored or found them. */
export async function loadIds(ctx: Ctx<"db">, importId: number, named: ReadonlyMap<Kind, ReadonlySet<number>>): Promise<Ids> {
  const wanted = [...named].flatMap(([kind, ids]) => [...ids].map((id) => [kind, id]));
  const found =
    wanted.length === 0
      ? []
      : await readRows(
          ctx,
          select(FOUND)`from json_each(${JSON.stringify(wanted)}) j cross join imported_ids i
            on i.import_id = ${importId} and i.table_name = j.value ->> 0 and i.old_id = j.value ->> 1`,
        );
  const known = new Map(found.map(({ tableName, oldId, newId }) => [`${tableName} ${oldId}`, newId]));
  return (kind, id) => known.get(`${kind} ${id}`) ?? null;
}

/** Forgets which rows an import stored or found: when it has ended, nothing asks for them. */
export function forgetIds(ctx: Ctx<"db">, importId: number): Statement {
  return ctx.db.run(sql`delete from imported_ids where import_id = ${importId}`);
}
