import { type SQL, sql } from "drizzle-orm";
import type { Ctx } from "#context";
import { breaksRule } from "#core/errors";
import { isOwnLabel } from "#core/text/normalize";
import { type Query, select } from "#db/client";
import { flag, integer, nullable, type RowOf, row, text } from "#db/row";
import type { StoredMessage } from "#db/schema/sessions";
import { type UserRef, userIdOf } from "#domain/tenants";
import type { EpisodeInput } from "./schemas.ts";

/**
 * The user who sends messages, by internal id, with the names that identify them in labels: their name and the app's id. Aliases do not
 * count: users choose them freely, so they prove nothing about the speaker.
 */
export type Sender = { userId: number | null; names: readonly string[] };

/**
 * Who stated a message, by internal id: the user that it names, else its sender, unless its label names somebody else. A label is never
 * looked up among other users, so it cannot attribute a message to them. Null for nobody.
 */
export function authorOf(message: Pick<StoredMessage, "role" | "speaker" | "userId">, sender: Sender): number | null {
  if (message.role !== "user") return null;
  if (message.userId !== undefined) return message.userId;
  return message.speaker === null || isOwnLabel(message.speaker, sender.names) ? sender.userId : null;
}

/** The acting user, and the users whom messages name, by the app's ids. */
export type Speakers = {
  acting: Sender & { externalId: string | null };
  named: ReadonlyMap<string, Pick<SpeakerRow, "userId" | "takesPart" | "leftAt">>;
};

/** From `users u`, `persons pe` and, if there is one, `sessions s`. */
const speakerRow = (acting: SQL) =>
  row({
    userId: integer(sql`u.id`),
    externalId: text(sql`u.external_id`),
    name: text(sql`pe.name`),
    isActing: flag(sql`u.id is ${acting}`),
    takesPart: flag(sql`
      case s.kind
        when 'private' then s.owner_id = u.id
        when 'group' then exists (
          select 1 from participants ph where ph.user_id = u.id and ph.session_id = s.id and ph.left_at is null)
        else 0
      end`),
    /** When they last left the group; null for a user who never took part. */
    leftAt: nullable(
      integer(sql`
        (select max(pl.left_at) from participants pl where pl.session_id = s.id and pl.user_id = u.id and s.kind = 'group')`),
    ),
  });

export type SpeakerRow = RowOf<ReturnType<typeof speakerRow>>;

type Asked = { sessionExternalId: string | null; acting: UserRef };

/** The acting user, and those of the named users who exist, with whether they take part in the session of that name. */
export function findSpeakers(ctx: Ctx<"db">, { sessionExternalId, acting }: Asked, named: readonly string[]): Query<SpeakerRow> {
  const actingId = userIdOf(ctx.tenantId, acting);
  const SPEAKER = speakerRow(actingId);
  return select(SPEAKER)`from (
      select ${actingId} as id
      union select nu.id from json_each(${JSON.stringify(named)}) j
        cross join users nu on nu.tenant_id = ${ctx.tenantId} and nu.external_id = j.value) w
    cross join users u on u.id = w.id
    cross join persons pe on pe.user_id = u.id
    left join sessions s on s.tenant_id = ${ctx.tenantId} and s.external_id = ${sessionExternalId}`;
}

/** From the rows of `findSpeakers`. An acting user who does not exist yet is known by their app's id alone. */
export function speakersIn(rows: readonly SpeakerRow[], { acting }: Pick<Asked, "acting">): Speakers {
  const self = rows.find(({ isActing }) => isActing);
  const externalId = self?.externalId ?? ("externalId" in acting ? acting.externalId : null);
  const names = [self?.name, externalId].filter((name) => typeof name === "string");
  return {
    acting: { userId: self?.userId ?? null, externalId, names },
    named: new Map(rows.map((row) => [row.externalId, row])),
  };
}

/**
 * The speaker that a message names: the acting user, or another one's internal id.
 * @throws unprocessable unless they take part in the session now, or did when it was said.
 */
export function namedSpeaker(
  { acting, named }: Speakers,
  said: { userId: string; role: string; at: number; path: string },
): number | "acting" {
  if (said.role !== "user") throw breaksRule(`${said.path}userId`, "Only a message of the role user names the user who said it.");
  if (said.userId === acting.externalId) return "acting";
  const user = named.get(said.userId);
  if (user !== undefined && (user.takesPart || (user.leftAt !== null && said.at <= user.leftAt))) return user.userId;
  throw breaksRule(
    `${said.path}userId`,
    "This user does not take part in the session, and did not when it was said. Name a participant, or leave userId out.",
  );
}

/** The users that messages name as their speakers, by the app's ids. */
export function namedIn(episodes: readonly EpisodeInput[]): string[] {
  return [...new Set(episodes.flatMap(({ messages }) => messages.flatMap(({ userId }) => userId ?? [])))];
}

/** Whether any message names its speaker, by an id or a label: then the names of the acting user matter. */
export function saysWho(episodes: readonly EpisodeInput[]): boolean {
  return episodes.some(({ messages }) => messages.some(({ userId, speaker }) => userId !== undefined || speaker !== undefined));
}

/** Resolves the users that messages name; `namedSpeaker` refuses the first that may not be named, with its position in the request. */
export function readUserIds(
  episodes: readonly EpisodeInput[],
  { speakers, pathOf }: { speakers: Speakers; pathOf: (episodeIndex: number) => string },
): (message: EpisodeInput["messages"][number], at: number) => number | null {
  const paths = new Map(
    episodes.flatMap(({ messages }, i) => messages.map((message, j) => [message, `${pathOf(i)}messages[${j}].`])),
  );
  return (message, at) => {
    const { userId, role } = message;
    if (userId === undefined) return null;
    const named = namedSpeaker(speakers, { userId, role, at, path: paths.get(message) ?? "" });
    return named === "acting" ? speakers.acting.userId : named;
  };
}
