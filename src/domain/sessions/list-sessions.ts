import { sql } from "drizzle-orm";
import type { Ctx } from "#context";
import { notFound } from "#core/errors";
import { withoutPrefix, withPrefix } from "#core/ids";
import { decodeCursor, type Page, toPage } from "#core/page";
import { requirePermission } from "#core/permission";
import { runBatch } from "#domain/audit";
import { actingUser, userIdOf } from "#domain/tenants";
import { isMember, mayEnter, seesEpisodesOf, viewerCte } from "#domain/visibility";
import { enterSession, type FoundSession, sessionColumns } from "./find-session.ts";
import type { PlaceInput, SessionListInput, SessionView } from "./schemas.ts";
import { toSession } from "./view.ts";

type SessionRow = Omit<FoundSession, "pool" | "isOwn">;

const page = (rows: SessionRow[], limit: number) =>
  toPage(rows, limit, { list: "sessions", item: toSession, position: (row) => [withoutPrefix(row.publicId)] });

/** Sessions, newest first: those that the user takes part in and may enter, or all of a project that they belong to. */
export async function listSessions(ctx: Ctx<"db">, input: SessionListInput): Promise<Page<SessionView>> {
  requirePermission(ctx.actor, "read");
  const user = actingUser(ctx, input.userId);
  const [position] = input.cursor === undefined ? [] : decodeCursor("sessions", input.cursor, ["string"]);
  const before = position === undefined ? undefined : withPrefix("session", String(position));
  const older = before === undefined ? sql`true` : sql`s.public_id < ${before}`;
  if (input.projectId !== undefined) {
    const viewer = {
      tenantId: ctx.tenantId,
      user,
      sessionExternalId: null,
      projectExternalId: input.projectId,
      includeGroups: false,
    };
    const [pool, rows] = await runBatch(ctx, [
      ctx.db.all(sql`with ${viewerCte(viewer)} select pool from viewer where pool = 'project'`),
      ctx.db.all(sql`
        with ${viewerCte(viewer)}
        select ${sessionColumns(sql`true`)} from sessions s cross join viewer v left join projects p on p.id = s.project_id
        where s.project_id = (select project_id from viewer where pool = 'project') and ${seesEpisodesOf(ctx.tenantId, sql`s`)} and ${older}
        order by s.public_id desc limit ${input.limit + 1}`),
    ]);
    if (pool?.rows.length === 0) throw notFound("project");
    return page((rows?.rows ?? []) as SessionRow[], input.limit);
  }
  // Each branch walks an index in the order of the list and stops; private sessions that the user may not enter are passed over.
  const last = input.limit + 1;
  const rows = await ctx.db.all<SessionRow>(sql`
    select ${sessionColumns(isMember(sql`me.id`, sql`s.project_id`))} from users me
    cross join sessions s on s.id in (
      select id from (
        select s.id as id from sessions s
        where s.space_id = me.space_id and ${mayEnter(sql`me`, sql`s`)} and ${older} order by s.public_id desc limit ${last})
      union all
      select id from (
        select g.session_id as id from participants g
        where g.user_id = me.id and g.left_at is null and ${before === undefined ? sql`true` : sql`g.session_public_id < ${before}`}
        order by g.session_public_id desc limit ${last}))
    left join projects p on p.id = s.project_id
    where me.tenant_id = ${ctx.tenantId} and me.id = ${userIdOf(ctx.tenantId, user)} and +s.tenant_id = ${ctx.tenantId}
      and ${mayEnter(sql`me`, sql`s`)}
    order by s.public_id desc limit ${last}`);
  return page(rows, input.limit);
}

/** One session. 404 unless the user takes part in it, or, naming its project, belongs to that. */
export async function getSession(ctx: Ctx<"db">, externalId: string, place: PlaceInput): Promise<SessionView> {
  requirePermission(ctx.actor, "read");
  const user = actingUser(ctx, place.userId);
  if (place.projectId === undefined) {
    const session = await enterSession(ctx, { externalId, user });
    if (session === undefined) throw notFound("session");
    return toSession(session);
  }
  const viewer = {
    tenantId: ctx.tenantId,
    user,
    sessionExternalId: null,
    projectExternalId: place.projectId,
    includeGroups: false,
  };
  const [row] = await ctx.db.all<SessionRow>(sql`
    with ${viewerCte(viewer)}
    select ${sessionColumns(sql`true`)} from viewer v cross join sessions s left join projects p on p.id = s.project_id
    where s.tenant_id = ${ctx.tenantId} and s.external_id = ${externalId} and ${seesEpisodesOf(ctx.tenantId, sql`s`)}`);
  if (row === undefined) throw notFound("session");
  return toSession(row);
}
