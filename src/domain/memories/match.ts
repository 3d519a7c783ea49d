import { type SQL, sql } from "drizzle-orm";
import { type MemoryViewerRef, memorySpaces } from "#domain/visibility";

/**
 * Of what others said about somebody, the newest are looked at: nearly all of it is hidden from a viewer, so the bound is on what is
 * read, not on what is found.
 */
export const MAX_FROM_OTHERS = 300;

/** The viewer's own spaces as an expression of FTS5 for the column `space`, from `reader`. */
export function ownTokens(viewer: MemoryViewerRef): SQL {
  const spaces = sql.join(
    memorySpaces(viewer).map((space) => sql`select ${space} as sid`),
    sql` union all `,
  );
  return sql`(select coalesce(group_concat('"s' || sid || '"', ' OR '), '"none"') from (${spaces}) where sid is not null)`;
}

/** Persons, whose ids a subquery body gives as `person_id`, as such an expression: by all ids that they ever had. */
export function personTokens(persons: SQL): SQL {
  return sql`(
    select coalesce(group_concat('"p' || pid || '"', ' OR '), '"none"') from (
      select person_id as pid from (${persons})
      union select pm.id from persons pm where pm.merged_into in (select person_id from (${persons}))))`;
}

/** What is in the viewer's own spaces: of everything, or about these persons. */
export function ownSpace(own: SQL, persons: SQL | null): SQL {
  return persons === null ? sql`'space : (' || ${own} || ')'` : sql`'space : ((' || ${persons} || ') AND (' || ${own} || '))'`;
}

/** What is about these persons and anywhere else. */
export function spaceOfOthers(own: SQL, persons: SQL): SQL {
  return sql`'space : ((' || ${persons} || ') NOT (' || ${own} || '))'`;
}
