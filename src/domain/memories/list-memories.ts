import { type SQL, sql } from "drizzle-orm";
import type { Ctx } from "#context";
import { invalid, notFound } from "#core/errors";
import { isPublicId } from "#core/ids";
import { encodeCursor } from "#core/page";
import { requirePermission } from "#core/permission";
import { queryTerms } from "#core/text/query";
import type { Statement } from "#db/client";
import { runBatch } from "#domain/audit";
import { type MemoryViewerRef, memorySpaces, readerCte, seesMemory } from "#domain/visibility";
import { decided, type SeenRow, seenColumns } from "./columns.ts";
import { filtersOf, personOf, placeOf } from "./filters.ts";
import { listReview, olderThan } from "./list-review.ts";
import { findReader, isPlaced, memoryViewer, requireReader } from "./place.ts";
import type { MemoryListInput, MemoryPageView, ReviewListInput } from "./schemas.ts";
import { toMemory } from "./view.ts";

type ListCtx = Ctx<"db" | "now" | "embedder" | "log">;

/**
 * Memories that the viewer may hear, newest first: their own, their group's and the shared ones; with `person`, all that is about
 * that person, whoever said it. One round trip. A page walks the index of the viewer's own spaces until it is full.
 */
export async function listMemories(ctx: ListCtx, input: MemoryListInput): Promise<MemoryPageView> {
  requirePermission(ctx.actor, "read");
  if (input.status !== "approved") return await listQueue(ctx, { ...input, status: input.status });
  const { person } = input;
  if (person !== undefined && !isPublicId("person", person)) throw notFound("person");
  const about = person === undefined ? null : personOf(ctx.tenantId, person);
  const viewer = memoryViewer(ctx, input, { about, reach: input.reach });
  const found = branches(viewer, input, filtersOf(ctx, input));
  const offset = input.offset ?? (input.page === undefined ? 0 : (input.page - 1) * input.limit);
  const wantsStats = input.stats ?? input.cursor === undefined;
  const [reader, known, rows, counts] = await runBatch(ctx, [
    isPlaced(input) ? findReader(ctx, viewer) : ctx.db.all(sql`select 1 as known`),
    about === null ? ctx.db.all(sql`select 1 as known`) : ctx.db.all(about),
    pageOf(ctx, viewer, found, { limit: input.limit + 1, offset, older: olderThan(ctx, input.cursor) }),
    ...(wantsStats ? [countOf(ctx, viewer, found)] : []),
  ]);
  requireReader(reader, input);
  if (known?.rows.length === 0) throw notFound("person");
  const all = (rows?.rows ?? []) as SeenRow[];
  const last = all.length > input.limit ? all[input.limit - 1] : undefined;
  const byType = Object.fromEntries(((counts?.rows ?? []) as { type: string; n: number }[]).map(({ type, n }) => [type, n]));
  return {
    items: decided(ctx, viewer, all.slice(0, input.limit)).map((row) =>
      toMemory(row, { model: ctx.embedder.model, arrival: row.arrival }),
    ),
    nextCursor: last === undefined ? null : encodeCursor([last.publicId]),
    ...(input.page !== undefined || input.offset !== undefined ? { page: Math.floor(offset / input.limit) + 1 } : {}),
    ...(wantsStats ? { stats: { total: Object.values(byType).reduce((sum, n) => sum + n, 0), byType } } : {}),
  };
}

/** The queue with the filters that a list has; 400 for those that only a list of what may be heard can answer. */
async function listQueue(ctx: ListCtx, input: MemoryListInput & { status: ReviewListInput["status"] }): Promise<MemoryPageView> {
  const { text, page, offset, sessionId, projectId, asOf } = input;
  for (const [path, value] of Object.entries({ text, page, offset, sessionId, projectId, asOf })) {
    if (value !== undefined) throw invalid(path, "The review queue knows no such filter.");
  }
  return await listReview(ctx, input, sql`${filtersOf(ctx, input)} and ${placeOf(ctx, input)}`);
}

/**
 * A way to the memories: a `from … where …` that finds them by one index in the order of `id`, which is their id by that index's own
 * name, so that a page begins where it begins. `m` is the memory, `r` the reader.
 */
type Branch = { from: SQL; id: SQL };

/** Where words are asked for and there are none to look for, nothing is found. */
function branches(viewer: MemoryViewerRef, input: MemoryListInput, filters: SQL): Branch[] {
  const passes = sql`${seesMemory(viewer, sql`m`)} and ${filters}`;
  if (input.text !== undefined) {
    const match = matchOf(viewer, input.text);
    if (match === null) return [{ id: sql`m.id`, from: sql`memories m cross join reader r where false` }];
    const aboutPerson = viewer.about === null ? sql`true` : isAbout(viewer);
    const from = sql`memory_fts f cross join reader r cross join memories m on m.id = f.rowid
      where f.memory_fts match ${match} and ${passes} and ${aboutPerson}`;
    return [{ id: sql`f.rowid`, from }];
  }
  if (viewer.about !== null && viewer.about !== "anyone") {
    const from = sql`memory_subjects fs cross join reader r cross join memories m on m.id = fs.memory_id
      where fs.person_id = (${viewer.about}) and m.deleted_at is null and ${passes}`;
    return [{ id: sql`fs.memory_id`, from }];
  }
  return memorySpaces(viewer).map((space) => ({
    id: sql`m.id`,
    from: sql`memories m cross join reader r where m.space_id = ${space} and m.deleted_at is null and ${passes}`,
  }));
}

function isAbout(viewer: MemoryViewerRef): SQL {
  return viewer.about === null || viewer.about === "anyone"
    ? sql`true`
    : sql`exists (select 1 from memory_subjects fa where fa.memory_id = m.id and fa.person_id in (${viewer.about}))`;
}

/** A MATCH for memories with all these words in the viewer's spaces, or, with a person, about them. */
function matchOf(viewer: MemoryViewerRef, text: string): SQL | null {
  const terms = [...new Set(queryTerms(text).words)].slice(0, 32);
  if (terms.length === 0) return null;
  const words = terms.map((term) => `"${term}"`).join(" AND ");
  const inside =
    viewer.about === null || viewer.about === "anyone"
      ? sql`(select group_concat('"s' || sid || '"', ' OR ') from (${sql.join(
          memorySpaces(viewer).map((space) => sql`select ${space} as sid`),
          sql` union all `,
        )}) where sid is not null)`
      : sql`(select group_concat('"p' || pid || '"', ' OR ') from (
          select person_id as pid from (${viewer.about}) union select pm.id from persons pm where pm.merged_into in (${viewer.about})))`;
  return sql`('space : (' || coalesce(${inside}, '"none"') || ${`) AND text : (${words})`})`;
}

function pageOf(
  ctx: Ctx<"db">,
  viewer: MemoryViewerRef,
  found: readonly Branch[],
  page: { limit: number; offset: number; older: (id: SQL) => SQL },
): Statement {
  const ids = found.map(
    ({ id, from }) =>
      sql`select id from (select ${id} as id from ${from} and ${page.older(id)} order by ${id} desc limit ${page.limit + page.offset})`,
  );
  return ctx.db.all(sql`
    with ${readerCte(viewer)}, found (id) as materialized (${sql.join(ids, sql` union `)}),
    page (id) as materialized (select id from found order by id desc limit ${page.limit} offset ${page.offset})
    select ${seenColumns(viewer)} from reader r cross join page cross join memories m on m.id = page.id
    where ${seesMemory(viewer, sql`m`)} order by m.id desc`);
}

function countOf(ctx: Ctx<"db">, viewer: MemoryViewerRef, found: readonly Branch[]): Statement {
  const rows = found.map(({ from }) => sql`select m.id as id, m.type as type from ${from}`);
  return ctx.db.all(sql`
    with ${readerCte(viewer)}
    select type, count(*) as n from (${sql.join(rows, sql` union `)}) group by type`);
}
