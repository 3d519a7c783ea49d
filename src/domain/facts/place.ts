import { type SQL, sql } from "drizzle-orm";
import type { Caller } from "#context";
import { breaksRule, notFound } from "#core/errors";
import { actingUser, type UserRef, userIdOf } from "#domain/tenants";
import { isMember, mayEnter, type ViewerRef } from "#domain/visibility";
import { type FactPlaceInput, TopicKey } from "./schemas.ts";
import { createTopicIndex, type TopicIndex, topicOf } from "./topics.ts";

/** The reader that a request names. */
export function viewerAt(caller: Caller, place: FactPlaceInput): ViewerRef {
  return {
    tenantId: caller.tenantId,
    user: actingUser(caller, place.userId),
    sessionExternalId: place.sessionId ?? null,
    projectExternalId: place.projectId ?? null,
    includeGroups: false,
  };
}

/** A session or project that the user has no access to gets the same answer as one that does not exist. */
export function noSuchPlace(place: FactPlaceInput): Error | null {
  if (place.sessionId !== undefined) return notFound("session");
  return place.projectId === undefined ? null : notFound("project");
}

/** Where facts are stored, as expressions: the session's internal id or 0, the project's or 0, and whether the user may write there. */
export type Home = { user: UserRef; userId: SQL; sessionId: SQL; projectId: SQL; mayWrite: SQL };

/** @throws invalid_input if both a session and a project are named: a session's facts move with the session. */
export function homeOf(caller: Caller, place: FactPlaceInput): Home {
  const { tenantId } = caller;
  if (place.sessionId !== undefined && place.projectId !== undefined)
    throw breaksRule("projectId", "A fact is kept with a session or with a project, not with both.");
  const user = actingUser(caller, place.userId);
  const userId = userIdOf(tenantId, user);
  const none = { user, userId, sessionId: sql`0`, projectId: sql`0`, mayWrite: sql`true` };
  if (place.sessionId !== undefined) {
    const session = sql`sessions s where s.tenant_id = ${tenantId} and s.external_id = ${place.sessionId}`;
    return {
      ...none,
      sessionId: sql`(select s.id from ${session})`,
      mayWrite: sql`exists (select 1 from users u cross join ${session}
        and u.tenant_id = ${tenantId} and u.id = ${userId} and ${mayEnter(sql`u`, sql`s`)})`,
    };
  }
  if (place.projectId !== undefined) {
    const project = sql`projects p where p.tenant_id = ${tenantId} and p.external_id = ${place.projectId}`;
    return {
      ...none,
      projectId: sql`(select p.id from ${project})`,
      mayWrite: sql`exists (select 1 from ${project} and ${isMember(userId, sql`p.id`)})`,
    };
  }
  return none;
}

/**
 * The key of the topic that a request names by its key or by a noun.
 * @throws invalid_input for a name that is no topic.
 */
export function topicNamed(topicIndex: TopicIndex, text: string, path: string): string {
  if (new Set(topicIndex.own.values()).has(text)) return text;
  const topic = topicOf(topicIndex, text);
  if (topic === null) throw breaksRule(path, "This names no topic.");
  return topic;
}

/**
 * Refuses what no fact can have as its topic, whichever topics the tenant has.
 * @throws unprocessable
 */
export function refuseNoTopic(text: string, path: string): void {
  if (!TopicKey.safeParse(text).success) topicNamed(createTopicIndex([]), text, path);
}

/**
 * The session or project that facts are stored with, by its public id, for the audit. Topics and values are left out, because they are what
 * people said.
 */
export function idOfHome(caller: Caller, { sessionId, projectId, userId }: Home): SQL {
  return sql`coalesce(
    (select public_id from sessions where id = ${sessionId} and tenant_id = ${caller.tenantId}),
    (select public_id from projects where id = ${projectId} and tenant_id = ${caller.tenantId}),
    (select public_id from users where id = ${userId}))`;
}
