import { sql } from "drizzle-orm";
import type { Ctx } from "#context";
import { AppError } from "#core/errors";
import { redactSecrets } from "#core/safety/find-secrets";
import { isSameButRedacted } from "#core/text/redacted";
import { type Query, readRows, select } from "#db/client";
import { flag, integer, json, nullable, type RowOf, row, text } from "#db/row";
import { rowsOf } from "#db/rows";
import { EPISODE } from "#db/schema/sessions";
import { CHUNKS_PER_SESSION } from "./chunk-id.ts";
import type { EpisodeInput } from "./schemas.ts";

/** Written out, because D1 binds every number as a real. */
const PER_SESSION = sql.raw(String(CHUNKS_PER_SESSION));

const STORED = row({
  messageId: text(sql`k.message_id`),
  text: text(sql`json_extract(e.messages, '$[' || k.ordinal || '].text')`),
  /** Of all messages of the episode, in order. */
  messageIds: json<(string | null)[]>(sql`(select json_group_array(m.value ->> 'messageId') from json_each(e.messages) m)`),
  ...EPISODE.of(sql`e`, "publicId", "occurredAt", "createdAt", "vectorModel"),
});

/** A message that the session already has, and the episode that holds it. */
export type StoredOnce = RowOf<typeof STORED>;

/** Which of these message ids the session of that name has. The caller must check whether the user may know. */
export function findStored(ctx: Ctx<"db">, sessionExternalId: string, messageIds: readonly string[]): Query<StoredOnce> {
  const wanted =
    messageIds.length === 0 ? sql`(select null as c0 where false)` : rowsOf([...new Set(messageIds)].map((id) => [id]));
  return select(STORED)`from (select id from sessions where tenant_id = ${ctx.tenantId} and external_id = ${sessionExternalId}) s
    cross join ${wanted} j
    cross join message_keys k on k.session_id = s.id and k.message_id = j.c0
    cross join episodes e on e.id = k.episode_id and e.tenant_id = ${ctx.tenantId}`;
}

const UNNAMED = row({
  /** The episode that holds the named message. */
  publicId: text(sql`h.publicId`),
  /** Which message it is: it may have been stored beside any of several messages with ids. */
  place: text(sql`o.id || ':' || m.key`),
  role: text(sql`m.value ->> 'role'`),
  speaker: nullable(text(sql`m.value ->> 'speaker'`)),
  text: text(sql`m.value ->> 'text'`),
  /** The internal id of the user that it names as its speaker; null if it names none, or the acting user. */
  userId: nullable(integer(sql`m.value ->> 'userId'`)),
});

/** A stored message without an id, from an episode that contains a message which is sent again. */
export type StoredUnnamed = RowOf<typeof UNNAMED>;

/** Later episodes that may contain what was sent with a stored message, because other users write in between. */
const FOLLOWING = 20;
/** How many of them one request reads: the more known messages it sends, the fewer for each. */
const FOLLOWING_A_REQUEST = 400;

/**
 * The messages without an id that were stored with a known one: those of the episodes that `findStored` finds and, if the known message was
 * stored earlier by itself, those of the next episodes without message ids, the nearest first. For requests that send such messages beside
 * known ones; null for others.
 */
export function findUnnamed(
  ctx: Ctx<"db">,
  sessionExternalId: string,
  episodes: readonly EpisodeInput[],
): Query<StoredUnnamed> | null {
  const ids = [
    ...new Set(episodes.filter(isPartlyNamed).flatMap(({ messages }) => messages.flatMap(({ messageId }) => messageId ?? []))),
  ];
  if (ids.length === 0) return null;
  const limit = Math.max(1, Math.min(FOLLOWING, Math.floor(FOLLOWING_A_REQUEST / ids.length)));
  const following = sql`(
    select json_group_array(n.id) from (
      select f.id as id from episodes f where f.id > e.id and f.id < (k.session_id + 1) * ${PER_SESSION}
      order by f.id limit ${sql.raw(String(limit))}) n)`;
  return select(UNNAMED)`from (
      select e.id as id, e.public_id as publicId, ${following} as following
      from (
        select distinct s.id as session_id, k.episode_id as episode_id from ${rowsOf(ids.map((id) => [id]))} j
        cross join sessions s on s.tenant_id = ${ctx.tenantId} and s.external_id = ${sessionExternalId}
        cross join message_keys k on k.session_id = s.id and k.message_id = j.c0) k
      cross join episodes e on e.id = k.episode_id and e.tenant_id = ${ctx.tenantId}) h
    cross join (select 0 as key union all select 1) part
    cross join json_each(case part.key when 0 then json_array(h.id) else h.following end) w
    cross join episodes o on o.id = w.value and (w.value = h.id or not exists (
      select 1 from json_each(o.messages) om where om.value ->> 'messageId' is not null))
    cross join json_each(o.messages) m where m.value ->> 'messageId' is null
    order by h.id, part.key, w.key, m.key`;
}

function isPartlyNamed({ messages }: EpisodeInput): boolean {
  return messages.some(({ messageId }) => messageId !== undefined) && messages.some(({ messageId }) => messageId === undefined);
}

type Message = EpisodeInput["messages"][number];

/** The internal id of the user that a message names as its speaker; null if it names none, or the acting user. */
export type UserIdOf = (message: Message) => number | null;

export type Slot = {
  /** Whether this request stores any of the episode. */
  created: boolean;
  /** The position among `fresh` of the episode itself, or of an earlier one in the request that it repeats. */
  fresh: number | null;
  /** The stored episode that holds its first message. */
  known: StoredOnce | undefined;
  skippedMessageIds: string[];
};

export type AppendDecision = {
  /** What remains to be stored: episodes with at least one new message. */
  fresh: EpisodeInput[];
  /** What becomes of each episode of the request. */
  slots: Slot[];
};

/**
 * A stored message without an id that can match one sent message. `of` is its episode: a stored one's id, or the position of a fresh one.
 */
type Unnamed = Omit<StoredUnnamed, "publicId" | "place"> & { of: string | number; place: string | null };

/**
 * Leaves out messages that are stored, and repeats within the request, whose texts are as they would be stored. An exchange is known by the
 * ids that it has: beside a message that is stored, one without an id is stored too if the same episode holds the same words of the same
 * speaker, as often as it holds them; the next unnamed episodes count as part of it (see `findUnnamed`). Other words are new.
 *
 * @throws conflict for the same id with another text, which is for the client to decide.
 */
export function withoutStored(
  episodes: readonly EpisodeInput[],
  { named, unnamed, userIdOf }: { named: readonly StoredOnce[]; unnamed: readonly StoredUnnamed[]; userIdOf: UserIdOf },
  pathOf: (episodeIndex: number) => string = (index) => `episodes[${index}].`,
): AppendDecision {
  const known = new Map(named.map((message) => [message.messageId, message]));
  const inThisRequest = new Map<string, { text: string; fresh: number }>();
  const repeatable: Unnamed[] = unnamed.map(({ publicId, ...message }) => ({ ...message, of: publicId }));
  const fresh: EpisodeInput[] = [];
  const slots = episodes.map((episode, episodeIndex): Slot => {
    const skippedMessageIds: string[] = [];
    let first: StoredOnce | { fresh: number } | undefined;
    const holders = new Set<string | number>();
    const unsent = episode.messages.filter((message, messageIndex) => {
      const { messageId } = message;
      if (messageId === undefined) return true;
      const before = known.get(messageId) ?? inThisRequest.get(messageId);
      if (before === undefined) {
        inThisRequest.set(messageId, { text: message.content, fresh: fresh.length });
        return true;
      }
      if (!isSame(before.text, message.content)) throw otherText(`${pathOf(episodeIndex)}messages[${messageIndex}].messageId`);
      first ??= before;
      holders.add("publicId" in before ? before.publicId : before.fresh);
      skippedMessageIds.push(messageId);
      return false;
    });
    const messages = unsent.filter(
      (message) => message.messageId !== undefined || !takeRepeat(repeatable, holders, { ...message, userId: userIdOf(message) }),
    );
    const created = messages.length > 0;
    const repeated = first !== undefined && "fresh" in first ? first.fresh : null;
    const slot = { created, fresh: created ? fresh.length : repeated, skippedMessageIds };
    for (const message of messages) {
      const { messageId, role, speaker, content: text } = message;
      if (messageId === undefined)
        repeatable.push({ of: fresh.length, place: null, role, speaker: speaker ?? null, text, userId: userIdOf(message) });
    }
    if (created) fresh.push({ ...episode, messages });
    return { ...slot, known: first !== undefined && "publicId" in first ? first : undefined };
  });
  return { fresh, slots };
}

/** Whether one of the holding episodes has the message. It then counts as found, under every episode that may hold it. */
function takeRepeat(
  repeatable: Unnamed[],
  holders: ReadonlySet<string | number>,
  { role, speaker, content, userId }: Pick<Message, "role" | "speaker" | "content"> & { userId: number | null },
): boolean {
  const found = repeatable.find(
    (each) =>
      holders.has(each.of) &&
      each.role === role &&
      each.userId === userId &&
      each.speaker === (speaker ?? null) &&
      isSameUnredacted(each.text, content),
  );
  if (found === undefined) return false;
  const left = repeatable.filter((each) => each !== found && (found.place === null || each.place !== found.place));
  repeatable.splice(0, repeatable.length, ...left);
  return true;
}

/** Whether a text equals the stored one. A newer rule that redacts more secrets does not make it another text, nor do forgotten words. */
function isSame(stored: string, text: string): boolean {
  return isSameButRedacted(stored, text) || isSameUnredacted(stored, text);
}

/** Without an id nothing shows that a text is the one that was forgotten: a redacted text equals every other of its length. */
function isSameUnredacted(stored: string, text: string): boolean {
  return stored === text || redactSecrets(stored).text === text;
}

function otherText(path: string): AppError {
  const message = "This messageId is stored with another text.";
  return new AppError("conflict", message, { fields: [{ path, message }] });
}

/** If there are more, the latest count. */
const MAX_NAMES = 50;

const LAST = row({
  messageId: text(sql`l.message_id`),
  /** Whether a user has said something else in that session since. */
  isOver: flag(sql`exists (
    select 1 from episodes e cross join json_each(e.messages) m
    where e.tenant_id = l.tenant_id and e.id > l.episode_id and e.id < (l.session_id + 1) * ${PER_SESSION} and m.value ->> 'role' = 'user')`),
});

/**
 * The repetition number, from 1, of these user messages in the session of that name. They are stored as `name`, the second time as
 * `name-2`, and so on; names have one length. If nobody has said anything else since, it is the same repetition: a request that is sent
 * again. The append that follows checks who may know.
 */
export async function timesSaid(ctx: Ctx<"db">, sessionExternalId: string, names: readonly string[]): Promise<number> {
  if (names.length === 0) return 1;
  const asked = rowsOf(names.slice(-MAX_NAMES).map((name) => [name]));
  // A dot is the character after the hyphen.
  const stored = sql`stored as materialized (
    select s.tenant_id as tenant_id, s.id as session_id, k.message_id as message_id, k.episode_id as episode_id
    from sessions s cross join ${asked} j
    cross join message_keys k on k.session_id = s.id and k.message_id >= j.c0 and k.message_id < j.c0 || '.'
    where s.tenant_id = ${ctx.tenantId} and s.external_id = ${sessionExternalId}
    order by k.episode_id desc, k.ordinal desc limit 1)`;
  const [last] = await readRows(ctx, select(LAST, stored)`from stored l`);
  if (last === undefined) return 1;
  const time = Number(last.messageId.slice((names[0]?.length ?? 0) + 1) || 1);
  return last.isOver ? time + 1 : time;
}
