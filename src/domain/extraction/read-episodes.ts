import { type SQL, sql } from "drizzle-orm";
import { z } from "zod";
import type { Ctx } from "#context";
import { nameKey } from "#core/text/normalize";
import type { Statement, StatementResult } from "#db/client";
import type { StoredMessage } from "#db/schema/sessions";
import { runBatch } from "#domain/audit";
import { sessionOf } from "#domain/sessions";
import { isMember, mayEnter } from "#domain/visibility";
import { type Presence, presenceAt, type Stay } from "./presence.ts";

/** Episodes from an id on, and the user who sent them, by internal ids; `by` is null where it was not recorded. */
export type EpisodeRange = { from: number; chunks: number; by: number | null };

/** A user who takes part in a session, or did, with the keys of their names, and where they were when the words at hand were stored. */
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
};

/** A session as far as knowledge taken from it asks; its id is 0 where there is none yet. */
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
  /** The range that it came with. */
  range: number;
  by: number | null;
};

/** Episodes of these ranges that are marked so far only as `extracted` says, in order, and where each was said; one round trip. */
export async function readEpisodes(
  ctx: Ctx<"db">,
  asked: { ranges: readonly EpisodeRange[]; extracted: "rules" | null; limit: number },
): Promise<EpisodeToRead[]> {
  const { ranges, extracted, limit } = asked;
  const sessionIds = JSON.stringify([...new Set(ranges.map(({ from }) => sessionOf(from)))]);
  const [episodes, places, people] = await runBatch(ctx, [
    ctx.db.all(sql`
      select e.id as id, e.public_id as publicId, e.session_id as sessionId, e.messages as messages, e.created_at as createdAt, j.key as range
      from json_each(${JSON.stringify(ranges)}) j
      cross join episodes e on e.id >= (j.value ->> 'from') and e.id < (j.value ->> 'from') + (j.value ->> 'chunks')
      where e.tenant_id = ${ctx.tenantId} and e.extracted is ${extracted} order by j.key, e.id limit ${limit}`),
    ...findPlaces(ctx, sql`s.id in (select value from json_each(${sessionIds}))`),
  ]);
  const found = placesOf(places, people);
  return rowsFrom<EpisodeRow>(episodes).flatMap((row) => {
    const known = found.get(row.sessionId);
    const range = ranges[row.range];
    if (known === undefined || range === undefined) return [];
    const place = placeAt(known, row.createdAt);
    const { id, publicId } = row;
    return [{ id, publicId, messages: messagesOf(row), place, range: row.range, by: range.by }];
  });
}

/** Nothing was said after it was stored: a clock that is ahead must not outdo what is said later. */
function messagesOf({ messages, createdAt }: EpisodeRow): StoredMessage[] {
  const stored: StoredMessage[] = JSON.parse(messages);
  return stored.map((message) => ({ ...message, occurredAt: Math.min(message.occurredAt, createdAt) }));
}

/** The session of that name with everybody in it as they are now; undefined where there is none. Whether the caller may know of it, they find in `people`. */
export async function readPlace(ctx: Ctx<"db">, sessionExternalId: string): Promise<Place | undefined> {
  const [places, people] = await runBatch(ctx, findPlaces(ctx, sql`s.external_id = ${sessionExternalId}`));
  const [found] = placesOf(places, people).values();
  return found === undefined ? undefined : placeAt(found, Number.POSITIVE_INFINITY);
}

/** Sessions of the tenant that `which`, a condition on the row `s`, names, and who is or was in them. */
function findPlaces(ctx: Ctx<"db">, which: SQL): Statement[] {
  const here = sql`sessions s cross join users u on u.id in (
    select s.owner_id where s.kind = 'private'
    union select pa.user_id from participants pa where pa.session_id = s.id and s.kind = 'group')`;
  return [
    ctx.db.all(sql`
      select s.id as sessionId, s.external_id as externalId, s.kind as kind, s.owner_id as ownerId, s.project_id as projectId,
        (select p.external_id from projects p where p.id = s.project_id) as projectExternalId
      from sessions s where s.tenant_id = ${ctx.tenantId} and ${which}`),
    ctx.db.all(sql`
      select s.id as sessionId, u.id as userId, u.external_id as externalId, pe.id as personId, pe.public_id as personPublicId,
        pe.name as name, pe.aliases as aliases,
        case s.kind
          when 'private' then '[[0,null]]'
          else (select json_group_array(json_array(st.joined_at, st.left_at)) from participants st where st.session_id = s.id and st.user_id = u.id)
        end as stays, ${mayEnter(sql`u`, sql`s`)} as takesPart,
        ${isMember(sql`u.id`, sql`s.project_id`)} as isMember
      from ${here} cross join persons pe on pe.user_id = u.id where s.tenant_id = ${ctx.tenantId} and ${which}`),
  ];
}

type EpisodeRow = { id: number; publicId: string; sessionId: number; messages: string; createdAt: number; range: number };
type PlaceRow = Omit<Place, "project" | "people"> & { projectId: number | null; projectExternalId: string | null };
type ParticipantRow = Omit<Participant, "names" | "keys" | "takesPart" | "isMember" | keyof Presence> & {
  sessionId: number;
  aliases: string;
  stays: string;
  takesPart: number | null;
  isMember: number;
};

/** The statement names its columns as the type does. */
function rowsFrom<Row>(result: StatementResult | undefined): Row[] {
  return (result?.rows ?? []) as Row[];
}

const Aliases = z.array(z.string());
const Stays = z.array(z.tuple([z.number(), z.number().nullable()]));

type Stayed = Omit<Participant, keyof Presence> & { stays: readonly Stay[] };
type PlaceOfAllTime = Omit<Place, "people"> & { people: readonly Stayed[] };

/** The place as it is for words that were stored at that time. */
function placeAt({ people, ...place }: PlaceOfAllTime, at: number): Place {
  return { ...place, people: people.map(({ stays, ...person }) => ({ ...person, ...presenceAt(stays, at) })) };
}

function placesOf(places: StatementResult | undefined, people: StatementResult | undefined): Map<number, PlaceOfAllTime> {
  const here = Map.groupBy(rowsFrom<ParticipantRow>(people), ({ sessionId }) => sessionId);
  return new Map(
    rowsFrom<PlaceRow>(places).map(({ projectId, projectExternalId, ...row }) => {
      const project = projectId === null || projectExternalId === null ? null : { id: projectId, externalId: projectExternalId };
      return [row.sessionId, { ...row, project, people: (here.get(row.sessionId) ?? []).map(toStayed) }] as const;
    }),
  );
}

function toStayed({ sessionId: _, aliases, stays: stayed, takesPart, isMember: belongs, ...row }: ParticipantRow): Stayed {
  const names = [...new Set([row.name, ...Aliases.parse(JSON.parse(aliases)), row.externalId])];
  const keys = [...new Set(names.map(nameKey))].filter((key) => key !== "");
  const stays = Stays.parse(JSON.parse(stayed));
  return { ...row, names, keys, stays, takesPart: takesPart === 1, isMember: belongs === 1 };
}
