import { sql } from "drizzle-orm";
import type { Ctx } from "#context";
import { conflict, notFound } from "#core/errors";
import { isOwnSessionOfOther } from "#domain/sessions";
import { actingUser, userIdOf } from "#domain/tenants";
import { isMember, mayEnter } from "#domain/visibility";

export type PlaceRef = { userId: string; sessionId: string; projectId: string | undefined };

/** Where a chat happens. `kind` is null for a session that nobody has made yet, or that could not be looked up in time. */
export type Place = PlaceRef & { kind: "private" | "group" | null };

/** A place, and the names by which labels of messages may mean the acting user. */
export type FoundPlace = { place: Place; names: readonly string[] };

type Row = {
  kind: "private" | "group" | null;
  mayEnter: number | null;
  projectId: string | null;
  isMember: number | null;
  externalId: string | null;
  name: string | null;
  /** A JSON array. */
};

/**
 * Where a chat happens, which may be a session that its first exchange will open. 404 where the user has no part in the session or the
 * project, 409 for a session that is not in that project: as for an append, and before anything is told.
 */
export async function findPlace(ctx: Ctx<"db">, ref: PlaceRef): Promise<FoundPlace> {
  const acting = actingUser(ctx, ref.userId);
  const user = userIdOf(ctx.tenantId, acting);
  const [found] = await ctx.db.all<Row>(sql`
    select s.kind as kind, ${mayEnter(sql`u`, sql`s`)} as mayEnter, sp.external_id as projectId,
      case when p.id is null or u.id is null then 0 else ${isMember(sql`u.id`, sql`p.id`)} end as isMember,
      u.external_id as externalId, pe.name as name
    from (select 1) one
    left join users u on u.tenant_id = ${ctx.tenantId} and u.id = ${user}
    left join sessions s on s.tenant_id = ${ctx.tenantId} and s.external_id = ${ref.sessionId}
    left join projects sp on sp.id = s.project_id
    left join projects p on p.tenant_id = ${ctx.tenantId} and p.external_id = ${ref.projectId ?? null}
    left join persons pe on pe.user_id = u.id`);
  const kind = found?.kind ?? null;
  if (kind !== null && found?.mayEnter !== 1) throw notFound("session");
  if (kind === null && isOwnSessionOfOther({ externalId: ref.sessionId, user: acting })) throw notFound("session");
  if (ref.projectId !== undefined && found?.isMember !== 1) throw notFound("project");
  if (ref.projectId !== undefined && kind !== null && found?.projectId !== ref.projectId)
    throw conflict("This session is not in that project. Move the session first, or name no project.");
  return { place: { ...ref, kind }, names: found === undefined ? [] : namesOf(found) };
}

/** What labels may call a user: their person's name, and their id in the app. */
function namesOf({ externalId, name }: Row): string[] {
  return [name, externalId].filter((one) => one !== null);
}
