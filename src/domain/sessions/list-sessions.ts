import { sql } from "drizzle-orm";
import type { Ctx } from "#context";
import { notFound } from "#core/errors";
import { decodeCursor, type Page, toPage } from "#core/page";
import { requirePermission } from "#core/permission";
import { runBatch } from "#domain/audit";
import { actingUser, userIdOf } from "#domain/tenants";
import { mayEnter, seesEpisodesOf, viewerCte } from "#domain/visibility";
import { enterSession, type FoundSession, sessionColumns } from "./find-session.ts";
import type { PlaceInput, SessionListInput, SessionView } from "./schemas.ts";
import { toSession } from "./view.ts";

type SessionRow = Omit<FoundSession, "pool">;

const page = (rows: SessionRow[], limit: number) => toPage(rows, limit, { item: toSession, position: (row) => [row.publicId] });

/** Sessions, newest first: those that the user takes part in and may enter, or all of a project that they belong to. */
export async function listSessions(ctx: Ctx<"db">, input: SessionListInput): Promise<Page<SessionView>> {
  requirePermission(ctx.actor, "read");
  const user = actingUser(ctx, input.userId);
  const [before] = input.cursor === undefined ? [] : decodeCursor(input.cursor, ["string"]);
  const older = before === undefined ? sql`true` : sql`s.public_id < ${String(before)}`;
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
        select ${sessionColumns} from viewer v cross join sessions s left join projects p on p.id = s.project_id
        where s.project_id = v.project_id and ${seesEpisodesOf(ctx.tenantId, sql`s`)} and ${older}
        order by s.public_id desc limit ${input.limit + 1}`),
    ]);
    if (pool?.rows.length === 0) throw notFound("project");
    return page((rows?.rows ?? []) as SessionRow[], input.limit);
  }
  const rows = await ctx.db.all<SessionRow>(sql`
    select ${sessionColumns} from users me
    join sessions s on s.id in (
      select o.id from sessions o where o.space_id = me.space_id
      union select g.session_id from participants g where g.user_id = me.id and g.left_at is null)
    left join projects p on p.id = s.project_id
    where me.tenant_id = ${ctx.tenantId} and me.id = ${userIdOf(ctx.tenantId, user)} and s.tenant_id = ${ctx.tenantId}
      and ${mayEnter(sql`me`, sql`s`)} and ${older}
    order by s.public_id desc limit ${input.limit + 1}`);
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
    select ${sessionColumns} from viewer v cross join sessions s left join projects p on p.id = s.project_id
    where s.tenant_id = ${ctx.tenantId} and s.external_id = ${externalId} and ${seesEpisodesOf(ctx.tenantId, sql`s`)}`);
  if (row === undefined) throw notFound("session");
  return toSession(row);
}
