import { sql } from "drizzle-orm";
import type { Ctx } from "#context";
import { notFound } from "#core/errors";
import { withoutPrefix, withPrefix } from "#core/ids";
import { decodeCursor, type Page, toPage } from "#core/page";
import { requirePermission } from "#core/permission";
import { read, readRows, select } from "#db/client";
import { row, text } from "#db/row";
import { actingUser, userIdOf } from "#domain/tenants";
import { isMember, mayEnter, seesEpisodesOf, type ViewerRef, viewerCte } from "#domain/visibility";
import { enterSession, viewerIn } from "./find-session.ts";
import type { PlaceInput, SessionListInput, SessionView } from "./schemas.ts";
import { type SessionRow, sessionColumns, toSession } from "./view.ts";

const page = (rows: SessionRow[], limit: number) =>
  toPage(rows, limit, { list: "sessions", item: toSession, position: (row) => [withoutPrefix(row.publicId)] });

const POOL = row({ pool: text(sql`pool`) });
/** For members of the session's project, who may see which project it is. */
const PROJECT_SESSION = row(sessionColumns(sql`true`));
const OWN_SESSION = row(sessionColumns(isMember(sql`me.id`, sql`s.project_id`)));

/**
 * Sessions, newest first: those that the user takes part in and may enter, or all of a project that they belong to.
 *
 * @throws not_found for a project that the user does not belong to.
 */
export async function listSessions(ctx: Ctx<"db">, input: SessionListInput): Promise<Page<SessionView>> {
  requirePermission(ctx.actor, "read");
  const user = actingUser(ctx, input.userId);
  const [position] = input.cursor === undefined ? [] : decodeCursor("sessions", input.cursor, ["string"]);
  const before = position === undefined ? undefined : withPrefix("session", String(position));
  const older = before === undefined ? sql`true` : sql`s.public_id < ${before}`;
  const last = input.limit + 1;
  if (input.projectId !== undefined) {
    const viewer = viewerIn(ctx, user, { projectExternalId: input.projectId });
    const { pools, sessions } = await read(ctx, {
      pools: select(POOL, viewerCte(viewer))`from viewer where pool = 'project'`,
      sessions: select(PROJECT_SESSION, viewerCte(viewer))`
        from sessions s cross join viewer v left join projects p on p.id = s.project_id
        where s.project_id = (select project_id from viewer where pool = 'project') and ${seesEpisodesOf(ctx.tenantId, sql`s`)} and ${older}
        order by s.public_id desc limit ${last}`,
    });
    if (pools.length === 0) throw notFound("project");
    return page(sessions, input.limit);
  }
  // Each branch reads an index in the order of the list and stops; private sessions that the user may not enter are skipped.
  const own = select(OWN_SESSION)`from users me
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
    order by s.public_id desc limit ${last}`;
  return page(await readRows(ctx, own), input.limit);
}

/**
 * One session, for users who take part in it or, naming its project, belong to that.
 * @throws not_found for anybody else.
 */
export async function getSession(ctx: Ctx<"db">, externalId: string, place: PlaceInput): Promise<SessionView> {
  requirePermission(ctx.actor, "read");
  const user = actingUser(ctx, place.userId);
  const session =
    place.projectId === undefined
      ? await enterSession(ctx, { externalId, user })
      : await findInProject(ctx, externalId, viewerIn(ctx, user, { projectExternalId: place.projectId }));
  if (session === undefined) throw notFound("session");
  return toSession(session);
}

async function findInProject(ctx: Ctx<"db">, externalId: string, viewer: ViewerRef): Promise<SessionRow | undefined> {
  const found = select(PROJECT_SESSION, viewerCte(viewer))`
      from viewer v cross join sessions s left join projects p on p.id = s.project_id
    where s.tenant_id = ${ctx.tenantId} and s.external_id = ${externalId} and ${seesEpisodesOf(ctx.tenantId, sql`s`)}`;
  return (await readRows(ctx, found))[0];
}
