import { type SQL, sql } from "drizzle-orm";
import { toIso } from "#core/fields";
import { flag, json, nullable, type RowOf, row, text } from "#db/row";
import { EPISODE, PROJECT, SESSION } from "#db/schema/sessions";
import { EpisodeView, type ProjectView, type SessionView } from "./schemas.ts";

/** A project and its members by the app's ids, from `projects p`. `user` is the internal id of the user who asks. */
export const projectRow = (user: SQL) =>
  row({
    ...PROJECT.of(sql`p`, "id", "publicId", "externalId", "name", "ownMemories", "createdAt"),
    ownerId: text(sql`(select ou.external_id from users ou where ou.id = p.owner_id)`),
    isOwner: flag(sql`p.owner_id = ${user}`),
    memberIds: json<string[]>(sql`
      (select json_group_array(mu.external_id order by mu.id) from project_members pm join users mu on mu.id = pm.user_id
       where pm.project_id = p.id)`),
  });

export type ProjectRow = RowOf<ReturnType<typeof projectRow>>;

export function toProject(row: ProjectRow): ProjectView {
  return {
    id: row.externalId,
    name: row.name,
    ownerId: row.ownerId,
    memberIds: row.memberIds,
    ownMemories: row.ownMemories,
    createdAt: toIso(row.createdAt),
  };
}

/**
 * A session and its participants by the app's ids, from `sessions s left join projects p`. `seen` is whether the user belongs to its
 * project: others do not see which project it is.
 */
export const sessionColumns = (seen: SQL) => ({
  ...SESSION.of(sql`s`, "id", "publicId", "externalId", "kind", "spaceId", "title", "lastAt", "createdAt"),
  projectExternalId: nullable(text(sql`p.external_id`)),
  projectIsSeen: flag(seen),
  participants: json<string[]>(sql`
    case s.kind
      when 'private' then (select json_array(o.external_id) from users o where o.id = s.owner_id)
      else (select json_group_array(pu.external_id order by pu.id) from participants pa join users pu on pu.id = pa.user_id
            where pa.session_id = s.id and pa.left_at is null)
    end`),
});

export type SessionRow = RowOf<ReturnType<typeof sessionColumns>>;

export function toSession(row: SessionRow): SessionView {
  return {
    id: row.externalId,
    kind: row.kind,
    projectId: row.projectIsSeen ? row.projectExternalId : null,
    title: row.title,
    participants: row.participants,
    lastAt: row.lastAt === null ? null : toIso(row.lastAt),
    createdAt: toIso(row.createdAt),
  };
}

/** An episode, from `sessions s` and `episodes e`. */
export const EPISODE_ROW = row({
  ...EPISODE.of(sql`e`, "id", "publicId", "messages", "occurredAt", "createdAt", "vectorModel"),
  sessionExternalId: text(sql`s.external_id`),
  /** The app's ids of the users that messages name, by internal id; null if there are none. */
  speakers: nullable(
    json<Record<string, string>>(sql`
      case when instr(e.messages, '"userId":') > 0 then (
        select json_group_object(su.id, su.external_id) from users su
        where su.id in (select sm.value ->> 'userId' from json_each(e.messages) sm)) end`),
  ),
});

/** `model` is the embedder in use: vectors of another model do not count as indexed. */
export function toEpisode(row: RowOf<typeof EPISODE_ROW>, model: string): EpisodeView {
  return {
    id: row.publicId,
    sessionId: row.sessionExternalId,
    messages: row.messages.map((message, index) => ({
      index,
      role: EpisodeView.shape.messages.element.shape.role.parse(message.role),
      userId: message.userId === undefined ? null : (row.speakers?.[message.userId] ?? null),
      speaker: message.speaker,
      content: message.text,
      messageId: message.messageId,
      occurredAt: toIso(message.occurredAt),
    })),
    occurredAt: toIso(row.occurredAt),
    createdAt: toIso(row.createdAt),
    indexed: { text: true, vector: row.vectorModel === model },
  };
}
