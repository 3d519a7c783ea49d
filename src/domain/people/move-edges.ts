import { type SQL, sql } from "drizzle-orm";
import type { Ctx } from "#context";
import type { Statement } from "#db/client";

/**
 * Statements that move what is about one person to another and record each edge under the merge, whose row is there already. Who said a
 * memory stays as it is: readers ask for the survivor.
 */
export function moveEdges(ctx: Ctx<"db">, { mergeId, from, into }: { mergeId: string; from: number; into: number }): Statement[] {
  return [
    ctx.db.run(sql`
      insert into person_merge_edges (merge_id, memory_id, edge)
      select mg.id, s.memory_id, case
        when exists (select 1 from memory_subjects o where o.memory_id = s.memory_id and o.person_id = ${into}) then 'both'
        else 'about' end
      from person_merges mg cross join memory_subjects s on s.person_id = ${from} where mg.public_id = ${mergeId}`),
    ctx.db.run(sql`
      insert into memory_subjects (memory_id, person_id)
      select s.memory_id, ${into} from memory_subjects s where s.person_id = ${from} on conflict do nothing`),
    ctx.db.run(sql`delete from memory_subjects where person_id = ${from}`),
  ];
}

/** A merge by its internal ids, and the later merges into the same survivor that are not undone. */
export type Undoing = { mergeId: number; from: number; into: number; later: readonly number[] };

/**
 * Statements that move back the edges that are still where the merge put them. An edge at the survivor is the work of the latest
 * merge that moved it there: if a later merge did, somebody had taken this one's away in between, and there is nothing to move back.
 * If a later merge found it there (`both`), it stays, and is that merge's to move back from now on.
 */
export function moveEdgesBack(ctx: Ctx<"db">, { mergeId, from, into, later }: Undoing): Statement[] {
  const laterIds = sql`json_each(${JSON.stringify(later)}) l`;
  const movedLater = (edges: SQL) => sql`exists (
    select 1 from ${laterIds} cross join person_merge_edges f
    where f.merge_id = l.value and f.memory_id = e.memory_id and f.edge in (${edges}))`;
  const isSubject = sql`exists (select 1 from memory_subjects s where s.memory_id = e.memory_id and s.person_id = ${into})`;
  return [
    ctx.db.run(sql`
      insert into memory_subjects (memory_id, person_id)
      select e.memory_id, ${from} from person_merge_edges e
      where e.merge_id = ${mergeId} and ${isSubject} and not ${movedLater(sql`'about'`)}
      on conflict do nothing`),
    ctx.db.run(sql`
      delete from memory_subjects where +person_id = ${into} and memory_id in (
        select e.memory_id from person_merge_edges e
        where e.merge_id = ${mergeId} and e.edge = 'about' and not ${movedLater(sql`'about', 'both'`)})`),
    ctx.db.run(sql`
      update person_merge_edges set edge = 'about' where (merge_id, memory_id, edge) in (
        select min(g.merge_id), e.memory_id, g.edge from person_merge_edges e cross join ${laterIds} cross join person_merge_edges g
        where e.merge_id = ${mergeId} and e.edge = 'about' and not ${movedLater(sql`'about'`)}
          and g.merge_id = l.value and g.memory_id = e.memory_id and g.edge = 'both'
        group by e.memory_id, g.edge)`),
  ];
}
