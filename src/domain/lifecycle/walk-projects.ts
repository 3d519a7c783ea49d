import { type SQL, sql } from "drizzle-orm";
import { z } from "zod";
import type { Ctx } from "#context";
import { readCursor } from "./cursor.ts";
import { ALL_ROWS } from "./walk-spaces.ts";

/** Where a walk through a tenant's projects stands, in the order of the app's ids: in this project, behind this row. */
export const ProjectPlace = z.object({ project: z.number().int(), after: z.number().int() });

export type ProjectPlace = z.infer<typeof ProjectPlace>;

export const FIRST_PROJECT: ProjectPlace = { project: 0, after: 0 };

export function projectOfCursor(cursor: string): ProjectPlace {
  return cursor === "" ? FIRST_PROJECT : readCursor(ProjectPlace, cursor);
}

/** `walked (id, space_id)`: the next so many projects, with that in which the walk stands unless it is done. */
export function projectsCte(tenantId: number, { project, after }: ProjectPlace, limit: number): SQL {
  const name = sql`coalesce((select c.external_id from projects c where c.id = ${project} and c.tenant_id = ${tenantId}), '')`;
  return sql`walked as materialized (
    select p.id, p.space_id from projects p
    where p.tenant_id = ${tenantId} and p.external_id ${after === ALL_ROWS ? sql`>` : sql`>=`} ${name}
    order by p.external_id limit ${limit})`;
}

/** What a walk finds in a project `w`: rows joined to it in the order of an index, each with an integer id. */
export type ProjectPath = { join: SQL; id: SQL; columns: SQL };

export type InProject<Row> = Row & { project: number; space: number; id: number };

export type ProjectWalk<Row> = { rows: InProject<Row>[]; next: ProjectPlace | null };

/** Rows of the tenant's next projects; no more projects and rows than the bounds say. */
export async function walkProjects<Row>(
  ctx: Ctx<"db">,
  from: ProjectPlace,
  { bounds, path }: { bounds: { projects: number; rows: number }; path: ProjectPath },
): Promise<ProjectWalk<Row>> {
  const limit = bounds.projects + bounds.rows;
  const rows = await ctx.db.all<Row & { project: number; space: number; id: number | null }>(sql`
    with ${projectsCte(ctx.tenantId, from, bounds.projects)}
    select w.id as project, w.space_id as space, ${path.id} as id, ${path.columns} from walked w left join ${path.join} limit ${limit}`);
  const last = rows.at(-1);
  const isCut = rows.length === limit;
  const isFull = new Set(rows.map(({ project }) => project)).size === bounds.projects;
  return {
    rows: rows.filter((row): row is InProject<Row> => row.id !== null),
    next:
      last === undefined || !(isCut || isFull)
        ? null
        : { project: last.project, after: isCut ? (last.id ?? ALL_ROWS) : ALL_ROWS },
  };
}

/** Entities `en`, in the order of their names. */
export function entitiesWith(from: ProjectPlace, columns: SQL): ProjectPath {
  const of = (column: SQL) =>
    sql`iif(w.id = ${from.project}, coalesce((select ${column} from entities a where a.id = ${from.after}), ''), '')`;
  return {
    join: sql`entities en indexed by entities_name
      on en.project_id = w.id and (en.type, en.name_key) > (${of(sql`a.type`)}, ${of(sql`a.name_key`)})`,
    id: sql`en.id`,
    columns,
  };
}

/** The rows that `isHit`, no more than the limit; the walk goes on behind the last of them if some are left over. */
export function takeProjectHits<Row>(
  walk: ProjectWalk<Row>,
  limit: number,
  isHit: (row: InProject<Row>) => boolean,
): { hits: InProject<Row>[]; next: string | null } {
  const hits = walk.rows.filter(isHit);
  const last = hits.length > limit ? hits[limit - 1] : undefined;
  const next = last === undefined ? walk.next : { project: last.project, after: last.id };
  return { hits: hits.slice(0, limit), next: next === null ? null : JSON.stringify(next) };
}
