import { type SQL, sql } from "drizzle-orm";
import type { Ctx } from "#context";
import { nameKey } from "#core/text/normalize";
import { type Query, read, type Statement, select } from "#db/client";
import { failUnless } from "#db/guard";
import { flag, integer, json, nullable, type RowOf, row, text } from "#db/row";
import { PERSON } from "#db/schema/people";
import { EPISODE, SESSION, type StoredMessage } from "#db/schema/sessions";
import { enqueue, lowPriorityDueAt } from "#domain/jobs";
import { sessionOf } from "#domain/sessions";
import { isMember, mayEnter } from "#domain/visibility";

/** `chunks` episode ids from `from` on, and the internal id of the user who sent them; null where it was not recorded. */
export type EpisodeRange = { from: number; chunks: number; by: number | null };

/** From when to when a user took part in a session, Unix milliseconds; null for who has not left. */
export type Stay = readonly [joinedAt: number, leftAt: number | null];

/** Whether a user was in the session when the words were stored. Only who took part then can be meant by a name in them. */
export type Presence = {
  tookPart: boolean;
  /** Whether they had joined by then, even if they had left again. */
  hadJoined: boolean;
};

/** A user who takes part in a session, or did. `keys` are their names as `nameKey` makes them. */
export type Participant = Presence & {
  userId: number;
  externalId: string;
  personId: number;
  personPublicId: string;
  name: string;
  names: readonly string[];
  keys: readonly string[];
  /** Whether they may be in the session now. */
  takesPart: boolean;
  /** Whether they belong to the session's project. */
  isMember: boolean;
  /** Where they are, by IANA's name; null where it is not known. */
  timeZone?: string | null;
};

/** The session in which words were said; its id is 0 where there is none yet. */
export type Place = {
  sessionId: number;
  externalId: string;
  kind: "private" | "group";
  ownerId: number;
  project: { id: number; externalId: string } | null;
  people: readonly Participant[];
};

export type EpisodeToRead = {
  id: number;
  publicId: string;
  messages: readonly StoredMessage[];
  place: Place;
  /** The index of the range that it belongs to. */
  range: number;
  by: number | null;
  /** How often its words were redacted when it was read. */
  redactions: number;
};

/** Episodes of these ranges whose mark is `extracted`, in order, each with its session; one round trip. */
export async function readEpisodes(
  ctx: Ctx<"db">,
  asked: { ranges: readonly EpisodeRange[]; extracted: "rules" | null; limit: number },
): Promise<EpisodeToRead[]> {
  const { ranges, extracted, limit } = asked;
  const sessionIds = JSON.stringify([...new Set(ranges.map(({ from }) => sessionOf(from)))]);
  const { episodes, ...places } = await read(ctx, {
    episodes: select(EPISODE_ROW)`from json_each(${JSON.stringify(ranges)}) j
      cross join episodes e on e.id >= (j.value ->> 'from') and e.id < (j.value ->> 'from') + (j.value ->> 'chunks')
      where e.tenant_id = ${ctx.tenantId} and e.extracted is ${extracted} order by j.key, e.id limit ${limit}`,
    ...findPlaces(ctx, sql`s.id in (select value from json_each(${sessionIds}))`),
  });
  const byId = placesOf(places);
  return episodes.flatMap(({ id, publicId, sessionId, messages, createdAt, range, redactions }) => {
    const place = byId.get(sessionId);
    const of = ranges[range];
    if (place === undefined || of === undefined) return [];
    // A clock that is ahead must not win over what is said later: nothing was said after it was stored.
    const said = messages.map((message) => ({ ...message, occurredAt: Math.min(message.occurredAt, createdAt) }));
    return [{ id, publicId, messages: said, place: placeAt(place, createdAt), range, by: of.by, redactions }];
  });
}

/** The session of that name with everybody in it as they are now. The caller checks in `people` whether it may be disclosed. */
export async function readPlace(ctx: Ctx<"db">, sessionExternalId: string): Promise<Place | undefined> {
  const [place] = placesOf(await read(ctx, findPlaces(ctx, sql`s.external_id = ${sessionExternalId}`))).values();
  return place === undefined ? undefined : placeAt(place, Number.POSITIVE_INFINITY);
}

const EPISODE_ROW = row({
  ...EPISODE.of(sql`e`, "id", "publicId", "sessionId", "messages", "createdAt", "redactions"),
  range: integer(sql`j.key`),
});
const PLACE_ROW = row({
  sessionId: integer(sql`s.id`),
  ...SESSION.of(sql`s`, "externalId", "kind", "ownerId", "projectId"),
  projectExternalId: nullable(text(sql`(select p.external_id from projects p where p.id = s.project_id)`)),
});
const PARTICIPANT_ROW = row({
  sessionId: integer(sql`s.id`),
  userId: integer(sql`u.id`),
  externalId: text(sql`u.external_id`),
  personId: integer(sql`pe.id`),
  personPublicId: text(sql`pe.public_id`),
  ...PERSON.of(sql`pe`, "name", "aliases"),
  stays: json<readonly Stay[]>(sql`
    case s.kind
      when 'private' then '[[0,null]]'
      else (select json_group_array(json_array(st.joined_at, st.left_at)) from participants st where st.session_id = s.id and st.user_id = u.id)
    end`),
  takesPart: flag(mayEnter(sql`u`, sql`s`)),
  isMember: flag(isMember(sql`u.id`, sql`s.project_id`)),
  timeZone: nullable(text(sql`u.time_zone`)),
});

type PlaceQueries = { places: Query<RowOf<typeof PLACE_ROW>>; people: Query<RowOf<typeof PARTICIPANT_ROW>> };
type PlaceRows = { places: RowOf<typeof PLACE_ROW>[]; people: RowOf<typeof PARTICIPANT_ROW>[] };

/** Sessions of the tenant that `which`, a condition on the row `s`, names, and who is or was in them. */
function findPlaces(ctx: Ctx<"db">, which: SQL): PlaceQueries {
  return {
    places: select(PLACE_ROW)`from sessions s where s.tenant_id = ${ctx.tenantId} and ${which}`,
    people: select(PARTICIPANT_ROW)`from sessions s cross join users u on u.id in (
        select s.owner_id where s.kind = 'private'
        union select pa.user_id from participants pa where pa.session_id = s.id and s.kind = 'group')
      cross join persons pe on pe.user_id = u.id where s.tenant_id = ${ctx.tenantId} and ${which}`,
  };
}

type ParticipantOfAllTime = Omit<Participant, keyof Presence> & { stays: readonly Stay[] };
type PlaceOfAllTime = Omit<Place, "people"> & { people: readonly ParticipantOfAllTime[] };

function placesOf({ places, people }: PlaceRows): Map<number, PlaceOfAllTime> {
  const bySession = Map.groupBy(people, ({ sessionId }) => sessionId);
  return new Map(
    places.map(({ projectId, projectExternalId, ...session }) => {
      const project = projectId === null || projectExternalId === null ? null : { id: projectId, externalId: projectExternalId };
      const here = (bySession.get(session.sessionId) ?? []).map(({ sessionId: _, aliases, ...person }) => ({
        ...person,
        ...namesOf({ ...person, aliases }),
      }));
      return [session.sessionId, { ...session, project, people: here }] as const;
    }),
  );
}

/** A user's names, the app's id among them, and their keys. */
export function namesOf(of: { name: string; aliases: readonly string[]; externalId: string }) {
  const names = [...new Set([of.name, ...of.aliases, of.externalId])];
  return { names, keys: [...new Set(names.map(nameKey))].filter((key) => key !== "") };
}

/** The session, with who had joined and who took part at that time. */
function placeAt({ people, ...place }: PlaceOfAllTime, at: number): Place {
  return { ...place, people: people.map(({ stays, ...person }) => ({ ...person, ...presenceAt(stays, at) })) };
}

export function presenceAt(stays: readonly Stay[], at: number): Presence {
  const begun = stays.filter(([joinedAt]) => joinedAt <= at);
  return { hadJoined: begun.length > 0, tookPart: begun.some(([, leftAt]) => leftAt === null || leftAt > at) };
}

/** Equal for words between which nobody joined or left, so that a name means the same person in all of them. */
export function presenceKey(people: readonly (Presence & { userId: number })[]): string {
  return JSON.stringify(people.map(({ userId, tookPart, hadJoined }) => [userId, tookPart, hadJoined]));
}

/** An episode that a model is to read next, with the user who sent it. */
export type ToModel = { id: number; by: number | null };

/**
 * Statements that mark episodes as read by the rules or by the model. After the rules, `toModel` is queued as the job `jobId`, with low
 * priority for those of an import. The first
 * statement fails the batch if another run has read them in between, so that nothing is extracted twice.
 */
export function markRead(
  ctx: Ctx<"db" | "now">,
  mark: { episodes: readonly number[]; as: "rules" | "model"; toModel: readonly ToModel[]; jobId: string; isImported?: boolean },
): Statement[] {
  const { episodes, as, toModel, jobId, isImported = false } = mark;
  if (episodes.length === 0) return [];
  const before = as === "rules" ? null : "rules";
  const ids = sql`select value from json_each(${JSON.stringify(episodes)})`;
  return [
    failUnless(
      ctx.db,
      sql`not exists (
        select 1 from episodes e where e.id in (${ids}) and e.tenant_id = ${ctx.tenantId} and e.extracted is not ${before})`,
    ),
    ctx.db.run(sql`update episodes set ${EPISODE.set({ extracted: as })} where id in (${ids}) and tenant_id = ${ctx.tenantId}`),
    ...(toModel.length === 0
      ? []
      : [enqueue(ctx, { id: jobId, payload: JSON.stringify({ episodes: toModel }), ...modelJob(ctx, isImported) })]),
  ];
}

/** Episodes of an import are read by the model after all others. */
function modelJob(ctx: Ctx<"now">, isImported: boolean): { kind: string; dueAt?: number } {
  return isImported ? { kind: "episodes.extractLater", dueAt: lowPriorityDueAt(ctx.now()) } : { kind: "episodes.extract" };
}
