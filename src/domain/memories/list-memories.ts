import { type SQL, sql } from "drizzle-orm";
import type { Ctx } from "#context";
import { AppError, breaksRule, notFound } from "#core/errors";
import { isPublicId } from "#core/ids";
import { decodeCursor, encodeCursor } from "#core/page";
import { isAdmin, requirePermission } from "#core/permission";
import { queryTerms } from "#core/text/query";
import { type Query, read, statement } from "#db/client";
import { integer, row, text } from "#db/row";
import { actingUser, refuseOtherUsers, userIdOf } from "#domain/tenants";
import { type MemoryViewerRef, memorySpaces, ownTokens, readerCte, seesMemory } from "#domain/visibility";
import { findReader, memoryViewer, type NewSession, namesPlace, requireReader } from "./access.ts";
import { filtersOf, KEEPS_MARKS, MAX_FROM_OTHERS, ownSpace, personOf, personTokens, placeOf, spaceOfOthers } from "./filters.ts";
import { decided, QUEUED, type SeenRow, seenShape } from "./rows.ts";
import type { MemoryListInput, MemoryPageView, ReviewListInput } from "./schemas.ts";
import { toMemory } from "./view.ts";

type ListCtx = Ctx<"db" | "now" | "embedder" | "log">;

/**
 * Memories that the viewer may see, newest first: their own, their group's and the shared ones. With `person`: memories about that person
 * from anybody; of those from others, only the newest few hundred are read. One round trip: a page reads the index of the viewer's own
 * spaces until it is full.
 * @throws not_found for a session or project that the user has no access to, and for an unknown person.
 * @throws invalid_input if a user is needed and none is named.
 * @throws unprocessable for filters that the review queue does not have.
 */
export async function listMemories(ctx: ListCtx, input: MemoryListInput & NewSession): Promise<MemoryPageView> {
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
  const { reader, known, rows, counts } = await read(ctx, {
    reader: namesPlace(input) ? findReader(viewer) : null,
    known: about === null ? null : statement(ABOUT, sql`select ${ABOUT.columns} from (${about})`),
    rows: pageOf(viewer, found, { limit: input.limit + 1, offset, older: olderThan(ctx, "memories", input.cursor) }),
    counts: wantsStats ? countOf(viewer, found) : null,
  });
  if (namesPlace(input)) requireReader(reader, input);
  if (about !== null && known.length === 0) throw notFound("person");
  const last = rows.length > input.limit ? rows[input.limit - 1] : undefined;
  return {
    items: decided(ctx, viewer, rows.slice(0, input.limit)).map((seen) =>
      toMemory(seen, { model: ctx.embedder.model, visibilityReason: seen.visibilityReason }),
    ),
    nextCursor: last === undefined ? null : encodeCursor("memories", [last.publicId]),
    ...(input.page !== undefined || input.offset !== undefined ? { page: Math.floor(offset / input.limit) + 1 } : {}),
    ...(wantsStats ? { stats: statsOf(counts) } : {}),
  };
}

const ABOUT = row({ personId: integer(sql`person_id`) });

const COUNT = row({ type: text(sql`type`), n: integer(sql`count(*)`) });

function statsOf(counts: readonly { type: string; n: number }[]): MemoryPageView["stats"] {
  return { total: counts.reduce((sum, { n }) => sum + n, 0), byType: Object.fromEntries(counts.map(({ type, n }) => [type, n])) };
}

/** The review queue, with the filters of a list except those that apply to visible memories only. */
async function listQueue(ctx: ListCtx, input: MemoryListInput & { status: ReviewListInput["status"] }): Promise<MemoryPageView> {
  const { text, page, offset, sessionId, projectId, asOf } = input;
  for (const [path, value] of Object.entries({ text, page, offset, sessionId, projectId, asOf })) {
    if (value !== undefined) throw breaksRule(path, "The review queue knows no such filter.");
  }
  return await listReview(ctx, input, sql`${filtersOf(ctx, input)} and ${placeOf(ctx, input)}`);
}

/**
 * A `from … where …` that reads memories by one index in the order of `id`, the memory's id as a column of that index, so that a page
 * starts at its cursor. `m` is the memory, `r` the reader.
 */
type Branch = { from: SQL; id: SQL };

/** A text filter without any searchable word matches nothing. */
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

/** The part of a MATCH that requires all of these words; null for no words. */
function wordsOf(text: string): string | null {
  const terms = [...new Set(queryTerms(text).words)].slice(0, 32);
  return terms.length === 0 ? null : ` AND text : (${terms.map((term) => `"${term}"`).join(" AND ")})`;
}

function pageOf(
  viewer: MemoryViewerRef,
  found: readonly Branch[],
  page: { limit: number; offset: number; older: (id: SQL) => SQL },
): Query<SeenRow> {
  const ids = found.map(
    ({ id, from }) =>
      sql`select id from (select ${id} as id from ${from} and ${page.older(id)} order by ${id} desc limit ${page.limit + page.offset})`,
  );
  const shape = seenShape(viewer);
  return statement(
    shape,
    sql`
    with ${readerCte(viewer)}, found (id) as materialized (${sql.join(ids, sql` union `)}),
    page (id) as materialized (select id from found order by id desc limit ${page.limit} offset ${page.offset})
    select ${shape.columns} from reader r cross join page cross join memories m on m.id = page.id
    where ${seesMemory(viewer, sql`m`)} order by m.id desc`,
  );
}

function countOf(viewer: MemoryViewerRef, found: readonly Branch[]): Query<{ type: string; n: number }> {
  const rows = found.map(({ from }) => sql`select m.id as id, m.type as type from ${from}`);
  return statement(
    COUNT,
    sql`with ${readerCte(viewer)} select ${COUNT.columns} from (${sql.join(rows, sql` union `)}) group by type`,
  );
}

/**
 * The review queue, newest first: a user's own waiting or rejected memories. A key with `admin` that names no user sees the waiting
 * memories of the whole tenant, including groups.
 * @throws invalid_input if a user is needed and none is named.
 */
export async function listReview(
  ctx: Ctx<"db" | "embedder">,
  input: ReviewListInput,
  filter: SQL = sql`true`,
): Promise<MemoryPageView> {
  requirePermission(ctx.actor, "read");
  const whole = isAdmin(ctx.actor) && input.userId === undefined;
  if (whole && input.status === "rejected")
    throw new AppError("invalid_input", "Name a user to see what was rejected.", {
      fields: [{ path: "userId", message: "Whose rejected memories?" }],
    });
  const user = whole ? null : actingUser(ctx, input.userId);
  const queue: SQL = whole
    ? sql`m.tenant_id = ${ctx.tenantId} and m.status = 'pending'`
    : sql`m.space_id = (select u.space_id from users u where u.tenant_id = ${ctx.tenantId} and u.id = ${userIdOf(ctx.tenantId, user)})
        and m.owner_id = r.user_id and +m.tenant_id = ${ctx.tenantId} and ${input.status === "pending" ? sql`m.status = 'pending'` : sql`m.status = 'rejected'`}`;
  const { rows } = await read(ctx, {
    rows: statement(
      QUEUED,
      sql`
      select ${QUEUED.columns} from memories m
      cross join (select ${userIdOf(ctx.tenantId, user)} as user_id) r
      where ${queue} and m.deleted_at is null and m.superseded_by is null and ${filter} and ${olderThan(ctx, "review", input.cursor)(sql`m.id`)}
      order by m.id desc limit ${input.limit + 1}`,
    ),
  });
  const last = rows.length > input.limit ? rows[input.limit - 1] : undefined;
  return {
    items: rows.slice(0, input.limit).map((memory) => toMemory(memory, { model: ctx.embedder.model, visibilityReason: "own" })),
    nextCursor: last === undefined ? null : encodeCursor("review", [last.publicId]),
  };
}

/** A memory's position in storage order, as a cursor that does not contain its internal id. */
export function olderThan(ctx: Ctx, list: "memories" | "review", cursor: string | undefined): (id: SQL) => SQL {
  if (cursor === undefined) return () => sql`true`;
  const [id] = decodeCursor(list, cursor, ["string"]);
  if (!isPublicId("memory", String(id))) throw breaksRule("cursor", "This cursor was not made by this list.");
  return (column) =>
    sql`${column} < (select mc.id from memories mc where mc.public_id = ${id} and mc.tenant_id = ${ctx.tenantId})`;
}
