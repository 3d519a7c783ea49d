import { getTableColumns, sql } from "drizzle-orm";
import { z } from "zod";
import type { Ctx } from "#context";
import type { Statement } from "#db/client";
import { KINDS, type Kind, TABLES } from "#domain/exports";
import { documentsOf, of, type Row } from "./insert-rows.ts";
import type { Ids } from "./values.ts";

const Link = z.looseObject({ table: z.enum(KINDS), id: z.number().int() });

/** References to rows that came later, of one row. */
export type Link = { kind: Kind; id: number; references: Record<string, number> };

/** Null for a line that is no such thing. */
export function parseLink(row: Row): Link | null {
  const parsed = Link.safeParse(row);
  if (!parsed.success) return null;
  const { table, id, ...rest } = parsed.data;
  const references = Object.entries(rest).flatMap(([name, value]) =>
    name in TABLES[table].later && typeof value === "number" ? [[name, value] as const] : [],
  );
  return references.length === 0 ? null : { kind: table, id, references: Object.fromEntries(references) };
}

/** Asks for every id that the link names. */
export function nameIds({ kind, id, references }: Link, ids: Ids): void {
  ids(kind, id);
  for (const [name, value] of Object.entries(references)) {
    const to = TABLES[kind].later[name];
    if (to !== undefined) ids(to, value);
  }
}

/**
 * Statements that set references which this import left open: 0 until now, so that what was there before is not changed. A memory whose
 * successor is not in the export stays superseded.
 */
export function linkRows(ctx: Ctx<"db">, links: readonly Link[], ids: Ids): Statement[] {
  return KINDS.flatMap((kind) =>
    Object.entries(TABLES[kind].later).flatMap(([name, to]) => {
      const column = getTableColumns(TABLES[kind].table)[name]?.name;
      const rows = links.flatMap((link) => {
        const [id, value] = [ids(kind, link.id), link.references[name]];
        const target = value === undefined ? null : ids(to, value);
        return link.kind !== kind || id === null || value === undefined || (target === null && name === "supersededBy")
          ? []
          : [{ id, target }];
      });
      if (column === undefined || rows.length === 0) return [];
      return documentsOf(rows).map((document) =>
        ctx.db.run(sql`
          update ${sql.identifier(kind)} set ${sql.identifier(column)} = x.target
          from (select ${of("id")} as row_id, ${of("target")} as target from json_each(${document}) j) x
          where ${sql.identifier(kind)}.id = x.row_id and ${sql.identifier(kind)}.${sql.identifier(column)} = 0
            and +${sql.identifier(kind)}.tenant_id = ${ctx.tenantId}`),
      );
    }),
  );
}
