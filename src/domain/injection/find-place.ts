import { sql } from "drizzle-orm";
import type { Ctx } from "#context";
import { conflict, notFound } from "#core/errors";
import { read, readRows, statement } from "#db/client";
import { flag, nullable, row, text } from "#db/row";
import { findSpeakers, namesOther, speakersIn } from "#domain/sessions";
import { actingUser, boundUserOf, userIdOf } from "#domain/tenants";
import { isMember, isOwnSessionOfOther, mayEnter } from "#domain/visibility";
import { type ChatTurn, lastLabel, withoutLabel } from "./read-turns.ts";

export type PlaceRef = { userId: string; sessionId: string; projectId: string | undefined };

/** The place of a chat. `kind` is null for a session that does not exist yet, or that could not be looked up in time. */
export type Place = PlaceRef & { kind: "private" | "group" | null };

/**
 * A place; the messages, of which the last user message of a caller who acts for one user is theirs whatever its label; and the names that identify them in labels:
 * their person's name, and their id in the app.
 */
export type FoundPlace = { place: Place; messages: readonly ChatTurn[]; names: readonly string[] };

/**
 * The place of a chat, which may be a session that its first exchange will open. Checks access. No participant's name
 * may make a chat fail: for a caller who acts for one user, the last user message loses a label that is another participant's.
 * @throws not_found if the user has no access to the session or the project.
 * @throws conflict for a session that is not in that project.
 */
export async function findPlace(ctx: Ctx<"db">, ref: PlaceRef, messages: readonly ChatTurn[]): Promise<FoundPlace> {
  const last = lastLabel(messages);
  const acting = actingUser(ctx, ref.userId);
  const session = { sessionExternalId: ref.sessionId, acting };
  const {
    found: [found],
    speakers: rows,
  } = await read(ctx, {
    speakers: last === null ? null : findSpeakers(ctx, session, { userIds: [], hasLabels: true }),
    found: statement(
      PLACE,
      sql`
      select ${PLACE.columns} from (select 1) one
      left join users u on u.tenant_id = ${ctx.tenantId} and u.id = ${userIdOf(ctx.tenantId, acting)}
      left join sessions s on s.tenant_id = ${ctx.tenantId} and s.external_id = ${ref.sessionId}
      left join projects sp on sp.id = s.project_id
      left join projects p on p.tenant_id = ${ctx.tenantId} and p.external_id = ${ref.projectId ?? null}
      left join persons pe on pe.user_id = u.id`,
    ),
  });
  const kind = found?.kind ?? null;
  if (kind !== null && found?.mayEnter !== true) throw notFound("session");
  if (kind === null && isOwnSessionOfOther({ externalId: ref.sessionId, user: acting })) throw notFound("session");
  if (ref.projectId !== undefined && found?.isMember !== true) throw notFound("project");
  if (ref.projectId !== undefined && kind !== null && found?.projectId !== ref.projectId)
    throw conflict("This session is not in that project. Move the session first, or name no project.");
  // A caller who acts for one user sends what that user says; a server may relay what somebody else said.
  const isMislabelled = last !== null && boundUserOf(ctx) !== null && namesOther(speakersIn(ctx, rows, session), last.label);
  return {
    place: { ...ref, kind },
    messages: isMislabelled ? withoutLabel(messages, last.index) : messages,
    names: [found?.name, found?.userId].filter((name) => typeof name === "string"),
  };
}

/** Which of these labels are another participant's name: what is under them is theirs to store. */
export async function othersAmong(ctx: Ctx<"db">, ref: PlaceRef, labels: readonly string[]): Promise<ReadonlySet<string>> {
  if (labels.length === 0) return new Set();
  const session = { sessionExternalId: ref.sessionId, acting: actingUser(ctx, ref.userId) };
  const rows = await readRows(ctx, findSpeakers(ctx, session, { userIds: [], hasLabels: true }));
  const speakers = speakersIn(ctx, rows, session);
  return new Set(labels.filter((label) => namesOther(speakers, label)));
}

const PLACE = row({
  kind: nullable(text<"private" | "group">(sql`s.kind`)),
  mayEnter: flag(mayEnter(sql`u`, sql`s`)),
  projectId: nullable(text(sql`sp.external_id`)),
  isMember: flag(sql`case when p.id is null or u.id is null then 0 else ${isMember(sql`u.id`, sql`p.id`)} end`),
  userId: nullable(text(sql`u.external_id`)),
  /** The name of the user's person. */
  name: nullable(text(sql`pe.name`)),
});
