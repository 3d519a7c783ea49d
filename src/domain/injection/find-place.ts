import { type SQL, sql } from "drizzle-orm";
import type { Ctx } from "#context";
import { conflict, notFound } from "#core/errors";
import { nameKey } from "#core/text/name-key";
import { isOwnSessionOfOther } from "#domain/sessions";
import { actingUser, boundUserOf, userIdOf } from "#domain/tenants";
import { isMember, mayEnter } from "#domain/visibility";

export type PlaceRef = { userId: string; sessionId: string; projectId: string | undefined };

/** Where a chat happens. `kind` is null for a session that nobody has made yet. */
export type Place = PlaceRef & { kind: "private" | "group" | null };

/** A place, and who asks there, by the app's id. `asks` is null where a name in a group is nobody's who takes part. */
export type FoundPlace = { place: Place; asks: { userId: string } | null };

type Row = {
  kind: "private" | "group" | null;
  mayEnter: number | null;
  projectId: string | null;
  isMember: number | null;
  userId: number | null;
  speakerId: number | null;
  speaker: string | null;
};

/**
 * Where a chat happens, which may be a session that its first exchange will open. 404 where the user has no part in the session or the
 * project, 409 for a session that is not in that project: as for an append, and before anything is told. In a group, `name` is who asks: the
 * user or participant whose person has that name, if exactly one has, as for what is stored.
 */
export async function findPlace(ctx: Ctx<"db">, ref: PlaceRef, name: string | null = null): Promise<FoundPlace> {
  const acting = actingUser(ctx, ref.userId);
  const user = userIdOf(ctx.tenantId, acting);
  const key = name === null ? "" : nameKey(name);
  const [found] = await ctx.db.all<Row>(sql`
    select s.kind as kind, ${mayEnter(sql`u`, sql`s`)} as mayEnter, sp.external_id as projectId,
      case when p.id is null or u.id is null then 0 else ${isMember(sql`u.id`, sql`p.id`)} end as isMember,
      u.id as userId, w.id as speakerId, w.external_id as speaker
    from (select 1) one
    left join users u on u.tenant_id = ${ctx.tenantId} and u.id = ${user}
    left join sessions s on s.tenant_id = ${ctx.tenantId} and s.external_id = ${ref.sessionId}
    left join projects sp on sp.id = s.project_id
    left join projects p on p.tenant_id = ${ctx.tenantId} and p.external_id = ${ref.projectId ?? null}
    left join users w on s.kind = 'group' and w.tenant_id = ${ctx.tenantId} and w.id = ${speaker(ctx, key)}`);
  const kind = found?.kind ?? null;
  if (kind !== null && found?.mayEnter !== 1) throw notFound("session");
  if (kind === null && isOwnSessionOfOther({ externalId: ref.sessionId, user: acting })) throw notFound("session");
  if (ref.projectId !== undefined && found?.isMember !== 1) throw notFound("project");
  if (ref.projectId !== undefined && kind !== null && found?.projectId !== ref.projectId)
    throw conflict("This session is not in that project. Move the session first, or name no project.");
  const place = { ...ref, kind };
  if (kind !== "group" || name === null || (found?.speakerId ?? -1) === found?.userId)
    return { place, asks: { userId: ref.userId } };
  // Who is bound to one user reads as nobody else, whatever a message is labelled.
  return { place, asks: found?.speaker == null || boundUserOf(ctx) !== null ? null : { userId: found.speaker } };
}

/** Of `u`, the acting user, and the participants of `s`, the one of that name. */
function speaker({ tenantId }: Ctx, key: string): SQL {
  return sql`(
    select case when count(*) = 1 then min(c.user_id) end from (
      select u.id as user_id union select pa.user_id from participants pa where pa.session_id = s.id and pa.left_at is null) c
    cross join persons p on p.user_id = c.user_id
    cross join person_names n on n.tenant_id = ${tenantId} and n.name_key = ${key} and n.person_id = p.id)`;
}
