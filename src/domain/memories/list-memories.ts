import { type SQL, sql } from "drizzle-orm";
import type { Ctx } from "#context";
import { breaksRule, notFound } from "#core/errors";
import { isPublicId } from "#core/ids";
import { encodeCursor } from "#core/page";
import { requirePermission } from "#core/permission";
import { queryTerms } from "#core/text/query";
import type { Statement } from "#db/client";
import { runBatch } from "#domain/audit";
import { actingUser, refuseOtherUsers } from "#domain/tenants";
import { type MemoryViewerRef, memorySpaces, readerCte, seesMemory } from "#domain/visibility";
import { decided, type SeenRow, seenColumns } from "./columns.ts";
import { filtersOf, KEEPS_MARKS, personOf, placeOf } from "./filters.ts";
import { listReview, olderThan } from "./list-review.ts";
import { MAX_FROM_OTHERS, ownSpace, ownTokens, personTokens, spaceOfOthers } from "./match.ts";
import { findReader, isPlaced, memoryViewer, requireReader } from "./place.ts";
import type { MemoryListInput, MemoryPageView, ReviewListInput } from "./schemas.ts";
import { toMemory } from "./view.ts";

type ListCtx = Ctx<"db" | "now" | "embedder" | "log">;

/**
 * Memories that the viewer may hear, newest first: their own, their group's and the shared ones; with `person`, what is about that
 * person, whoever said it: of what others said, the newest few hundred are looked at. One round trip. A page walks the index of
 * the viewer's own spaces until it is full.
 */
export async function listMemories(ctx: ListCtx, input: MemoryListInput): Promise<MemoryPageView> {
  requirePermission(ctx.actor, "read");
  refuseOtherUsers(ctx, [input.ownerId]);
  if (input.status !== "approved") return await listQueue(ctx, { ...input, status: input.status });
  const { person } = input;
  actingUser(ctx, input.userId);
  if (person !== undefined && !isPublicId("person", person)) throw notFound("person");
  const about = person === undefined ? null : personOf(ctx.tenantId, person);
  const viewer = memoryViewer(ctx, input, { about, reach: input.reach });
  const found = branches(viewer, input, filtersOf(ctx, input, KEEPS_MARKS));
  const offset = input.offset ?? (input.page === undefined ? 0 : (input.page - 1) * input.limit);
  const wantsStats = input.stats ?? input.cursor === undefined;
  const [reader, known, rows, counts] = await runBatch(ctx, [
    isPlaced(input) ? findReader(ctx, viewer) : ctx.db.all(sql`select 1 as known`),
    about === null ? ctx.db.all(sql`select 1 as known`) : ctx.db.all(about),
    pageOf(ctx, viewer, found, { limit: input.limit + 1, offset, older: olderThan(ctx, "memories", input.cursor) }),
    ...(wantsStats ? [countOf(ctx, viewer, found)] : []),
  ]);
  requireReader(reader, input);
  if (known?.rows.length === 0) throw notFound("person");
  const all = (rows?.rows ?? []) as SeenRow[];
  const last = all.length > input.limit ? all[input.limit - 1] : undefined;
  const byType = Object.fromEntries(((counts?.rows ?? []) as { type: string; n: number }[]).map(({ type, n }) => [type, n]));
  return {
    items: decided(ctx, viewer, all.slice(0, input.limit)).map((row) =>
      toMemory(row, { model: ctx.embedder.model, visibilityReason: row.visibilityReason }),
    ),
    nextCursor: last === undefined ? null : encodeCursor("memories", [last.publicId]),
    ...(input.page !== undefined || input.offset !== undefined ? { page: Math.floor(offset / input.limit) + 1 } : {}),
    ...(wantsStats ? { stats: { total: Object.values(byType).reduce((sum, n) => sum + n, 0), byType } } : {}),
  };
}

/** The queue with the filters that a list has; 400 for those that only a list of what may be heard can answer. */
async function listQueue(ctx: ListCtx, input: MemoryListInput & { status: ReviewListInput["status"] }): Promise<MemoryPageView> {
  const { text, page, offset, sessionId, projectId, asOf } = input;
  for (const [path, value] of Object.entries({ text, page, offset, sessionId, projectId, asOf })) {
    if (value !== undefined) throw breaksRule(path, "The review queue knows no such filter.");
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
  const persons = viewer.about === null || viewer.about === "anyone" ? null : personTokens(viewer.about);
  if (input.text === undefined && persons === null) {
    return memorySpaces(viewer).map((space) => ({
      id: sql`m.id`,
      from: sql`memories m cross join reader r where m.space_id = ${space} and m.deleted_at is null and ${passes}`,
    }));
  }
  const words = input.text === undefined ? "" : wordsOf(input.text);
  if (words === null) return [{ id: sql`m.id`, from: sql`memories m cross join reader r where false` }];
  const own = ownTokens(viewer);
  const isAbout =
    persons === null
      ? sql`true`
      : sql`exists (select 1 from memory_subjects fa where fa.memory_id = m.id and fa.person_id in (${viewer.about}))`;
  const inOwn = {
    id: sql`f.rowid`,
    from: sql`memory_fts f cross join reader r cross join memories m on m.id = f.rowid
      where f.memory_fts match (${ownSpace(own, persons)} || ${words}) and ${passes} and ${isAbout}`,
  };
  if (persons === null || viewer.reach !== "tenant") return [inOwn];
  const others = {
    id: sql`others.id`,
    from: sql`(
        select f.rowid as id from memory_fts f where f.memory_fts match (${spaceOfOthers(own, persons)} || ${words})
        order by f.rowid desc limit ${MAX_FROM_OTHERS}) others cross join reader r cross join memories m on m.id = others.id
      where ${passes} and ${isAbout}`,
  };
  return [inOwn, others];
}

/** The part of a MATCH for all of these words; null when there are none. */
function wordsOf(text: string): string | null {
  const terms = [...new Set(queryTerms(text).words)].slice(0, 32);
  return terms.length === 0 ? null : ` AND text : (${terms.map((term) => `"${term}"`).join(" AND ")})`;
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
