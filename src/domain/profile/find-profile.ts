import { sql } from "drizzle-orm";
import { type Query, statement } from "#db/client";
import { isSummary } from "#db/schema/memories";
import { ownTypeMatch, type SeenRow, seenShape } from "#domain/memories";
import { type MemoryViewerRef, memorySpaces, readerCte, seesMemory } from "#domain/visibility";

/** What holds for long, by type: of each the newest are looked at, and those with a key ("identity:home"), of which there are few. */
const LASTING = ["procedural", "identity", "preference", "relationship"];
const NEWEST_LASTING = 24;
const MAX_KEYED = 20;
/** What is going on now. */
const CURRENT = ["knowledge", "task", "event", "context"];
const NEWEST_CURRENT = 8;
/** The rows that are loaded. */
const MAX_LOADED = 48;

/**
 * What may belong to the profile of the viewer, in their own space and their group's: memories that are in force and that they may see
 * here. Summaries are history, and no part of it. It runs in one round trip with other queries.
 */
export function findProfile(asking: MemoryViewerRef): Query<SeenRow> {
  const viewer: MemoryViewerRef = { ...asking, about: null, exceptOwner: null, asOf: null };
  const shape = seenShape(viewer);
  const spaces = sql.join(
    memorySpaces({ ...viewer, reach: "user" }).map((space) => sql`select ${space} as sid`),
    sql` union all `,
  );
  const sees = sql`${seesMemory(viewer, sql`m`)}`;
  const newest = (types: readonly string[], limit: number) => sql`
      select c.id from own o cross join json_each(${JSON.stringify(types)}) t cross join memories c on c.id in (
        select m.id from memory_fts f cross join reader r cross join memories m on m.id = f.rowid
        where f.memory_fts match (${ownTypeMatch(sql`o.sid`, sql`t.value`)}) and ${sees} and not ${isSummary(sql`m`)} order by f.rowid desc limit ${limit})`;
  return statement(
    shape,
    sql`
    with ${readerCte(viewer)},
    own (sid) as materialized (select sid from (${spaces}) where sid is not null),
    listed (id) as materialized (
      ${newest(LASTING, NEWEST_LASTING)}
      union ${newest(CURRENT, NEWEST_CURRENT)}
      union
      select c.id from own o cross join json_each(${JSON.stringify(LASTING)}) t cross join memories c on c.id in (
        select m.id from reader r cross join memories m indexed by memories_key
        where m.space_id = o.sid and m.key <> '' and m.key >= t.value || ':' and m.key < t.value || ';'
          and m.deleted_at is null and m.superseded_by is null and ${sees} limit ${MAX_KEYED})),
    chosen (id) as materialized (
      select m.id from listed l cross join memories m on m.id = l.id
      order by m.pinned desc, m.key <> '' desc, case m.type ${sql.raw(ORDER)} else 9 end, m.seen_count desc, m.id desc limit ${MAX_LOADED})
    select ${shape.columns} from reader r cross join chosen c cross join memories m on m.id = c.id where ${sees}`,
  );
}

const ORDER = [...LASTING, ...CURRENT].map((type, i) => `when '${type}' then ${i}`).join(" ");
