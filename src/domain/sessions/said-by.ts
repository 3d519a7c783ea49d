import { type SQL, sql } from "drizzle-orm";
import type { Caller, Ctx } from "#context";
import { type AppError, breaksRule } from "#core/errors";
import { isOwnLabel } from "#core/text/normalize";
import { type Query, select } from "#db/client";
import { flag, integer, nullable, type RowOf, row } from "#db/row";
import { PERSON } from "#db/schema/people";
import type { StoredMessage } from "#db/schema/sessions";
import { USER } from "#db/schema/tenants";
import { ACTING_USER } from "#domain/facts";
import { boundUserOf, type UserRef, userIdOf } from "#domain/tenants";
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

/** Who may have said the messages of a request. */
export type Speakers = {
  acting: Sender & {
    externalId: string | null;
    /** Whether the caller acts for nobody else: then every message of a user is theirs. */
    isAlone: boolean;
  };
  /** The users whom messages name, and all who take part in the group or did, by the app's ids. */
  named: ReadonlyMap<string, SpeakerRow>;
};

/** From `users u`, `persons pe` and, if there is one, `sessions s`. */
const speakerRow = (acting: SQL) =>
  row({
    userId: integer(sql`u.id`),
    ...USER.of(sql`u`, "externalId", "appName"),
    ...PERSON.of(sql`pe`, "name"),
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

/** What of these messages says who spoke: the users that they name, and whether any has a label. */
export type Named = { userIds: readonly string[]; hasLabels: boolean };

/**
 * The acting user and those of the named users who exist, with whether they take part in the session of that name; for labels also everybody
 * else who takes part in the group or did.
 */
export function findSpeakers(ctx: Ctx<"db">, { sessionExternalId, acting }: Asked, named: Named): Query<SpeakerRow> {
  const actingId = userIdOf(ctx.tenantId, acting);
  const SPEAKER = speakerRow(actingId);
  const isSession = sql`s.tenant_id = ${ctx.tenantId} and s.external_id = ${sessionExternalId}`;
  return select(SPEAKER)`from (
      select ${actingId} as id
      union select nu.id from json_each(${JSON.stringify(named.userIds)}) j
        cross join users nu on nu.tenant_id = ${ctx.tenantId} and nu.external_id = j.value
      union select pa.user_id from sessions s cross join participants pa on pa.session_id = s.id
        where ${named.hasLabels} and ${isSession} and s.kind = 'group') w
    cross join users u on u.id = w.id
    cross join persons pe on pe.user_id = u.id
    left join sessions s on ${isSession}`;
}

/** From the rows of `findSpeakers`. An acting user who does not exist yet is known by their app's id alone. */
export function speakersIn(caller: Caller, rows: readonly SpeakerRow[], { acting }: Pick<Asked, "acting">): Speakers {
  const self = rows.find(({ isActing }) => isActing);
  const externalId = self?.externalId ?? ("externalId" in acting ? acting.externalId : null);
  const names = [self?.name, externalId].filter((name) => typeof name === "string");
  return {
    acting: { userId: self?.userId ?? null, externalId, names, isAlone: boundUserOf(caller) !== null },
    named: new Map(rows.map((row) => [row.externalId, row])),
  };
}

/** A message as a request says it, and where it is in the request. */
export type SaidAs = Pick<EpisodeInput["messages"][number], "role" | "userId" | "speaker"> & { at: number; path: string };

/**
 * Whose statement a message is: that of the user whom it names, by internal id; of the acting user, if the caller acts for nobody else or
 * the label does not say that somebody else spoke; else nobody's.
 * @throws unprocessable for a user who did not take part when it was said, and for a label that is another participant's name.
 */
export function speakerOf(speakers: Speakers, said: SaidAs): number | typeof ACTING_USER | null {
  const { acting } = speakers;
  if (said.userId !== undefined && said.userId !== acting.externalId) return namedSpeaker(speakers, said, said.userId);
  if (said.role !== "user") {
    if (said.userId === undefined) return null;
    throw breaksRule(`${said.path}userId`, "Only a message of the role user names the user who said it.");
  }
  const { speaker: label } = said;
  const isNamed = said.userId !== undefined;
  if (label === undefined) return ACTING_USER;
  // A server that names the user has said who it was, whatever they call themselves.
  if ((acting.isAlone || !isNamed) && namesOther(speakers, label)) throw namesAnother(`${said.path}speaker`, acting);
  return acting.isAlone || isNamed || isOwnLabel(label, acting.names) ? ACTING_USER : null;
}

function namedSpeaker({ named }: Speakers, said: SaidAs, userId: string): number {
  if (said.role !== "user") throw breaksRule(`${said.path}userId`, "Only a message of the role user names the user who said it.");
  const user = named.get(userId);
  if (user !== undefined && (user.takesPart || (user.leftAt !== null && said.at <= user.leftAt))) return user.userId;
  throw breaksRule(
    `${said.path}userId`,
    "This user does not take part in the session, and did not when it was said. Name a participant, or leave userId out.",
  );
}

/**
 * Whether a label is the name or the id that the app gave to somebody else who takes part in the group or did, and not to the acting user.
 * Names and aliases that users give themselves count on neither side: nobody takes another's name by it, or a label from others.
 */
export function namesOther({ acting, named }: Speakers, label: string): boolean {
  const others = [...named.values()].filter(({ isActing, takesPart, leftAt }) => !isActing && (takesPart || leftAt !== null));
  const isOf = ({ appName, externalId }: Pick<SpeakerRow, "appName" | "externalId">) =>
    isOwnLabel(label, appName === null ? [externalId] : [appName, externalId]);
  const { externalId } = acting;
  const isOwn = externalId !== null && isOf(named.get(externalId) ?? { appName: null, externalId });
  return !isOwn && others.some(isOf);
}

function namesAnother(path: string, { isAlone }: Speakers["acting"]): AppError {
  const fix = isAlone
    ? "Leave `speaker` out: this credential stores its own user's words, and a server key those of others."
    : "Name who said it with `userId`, by the app's id. Leave `speaker` out if it is the acting user.";
  return breaksRule(path, `Another participant has this name, and a label never says who spoke. ${fix}`);
}

/** The users that messages name as their speakers, by the app's ids. */
export function namedIn(episodes: readonly EpisodeInput[]): string[] {
  return [...new Set(episodes.flatMap(({ messages }) => messages.flatMap(({ userId }) => userId ?? [])))];
}

/** Whether any message of a user has a label. */
export function hasLabels(episodes: readonly Pick<EpisodeInput, "messages">[]): boolean {
  return episodes.some(({ messages }) => messages.some(({ role, speaker }) => role === "user" && speaker !== undefined));
}

/** `speakerOf` for the messages of these episodes, of which the first that may not be is refused with its position in the request. */
export function readSpeakers(
  episodes: readonly EpisodeInput[],
  { speakers, pathOf }: { speakers: Speakers; pathOf: (episodeIndex: number) => string },
): (message: EpisodeInput["messages"][number], at: number) => number | null {
  const paths = new Map(
    episodes.flatMap(({ messages }, i) => messages.map((message, j) => [message, `${pathOf(i)}messages[${j}].`])),
  );
  return (message, at) => speakerOf(speakers, { ...message, at, path: paths.get(message) ?? "" });
}
