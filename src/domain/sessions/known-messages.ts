import { sql } from "drizzle-orm";
import type { Ctx } from "#context";
import { AppError } from "#core/errors";
import { redactSecrets } from "#core/safety/find-secrets";
import type { Statement } from "#db/client";
import { rowsOf } from "#db/rows";
import { CHUNKS_PER_SESSION } from "./chunk-id.ts";
import type { EpisodeInput } from "./schemas.ts";

/** A message that the session already has, and the episode that holds it. */
export type StoredOnce = {
  messageId: string;
  text: string;
  publicId: string;
  /** A JSON array of the episode's message ids, in order. */
  messageIds: string;
  occurredAt: number;
  createdAt: number;
  vectorModel: string | null;
};

/** Which of these message ids the session of that name has. It decides nothing about who may know: the caller has been admitted. */
export function findStored(ctx: Ctx<"db">, sessionExternalId: string, messageIds: readonly string[]): Statement {
  const wanted =
    messageIds.length === 0 ? sql`(select null as c0 where false)` : rowsOf([...new Set(messageIds)].map((id) => [id]));
  return ctx.db.all(sql`
    select k.message_id as messageId, json_extract(e.messages, '$[' || k.ordinal || '].text') as text, e.public_id as publicId,
      (select json_group_array(m.value ->> 'messageId') from json_each(e.messages) m) as messageIds,
      e.occurred_at as occurredAt, e.created_at as createdAt, e.vector_model as vectorModel
    from (select id from sessions where tenant_id = ${ctx.tenantId} and external_id = ${sessionExternalId}) s
    cross join ${wanted} j
    cross join message_keys k on k.session_id = s.id and k.message_id = j.c0
    cross join episodes e on e.id = k.episode_id and e.tenant_id = ${ctx.tenantId}`);
}

/** A message without an id of an episode that holds a message which is sent again, as it is stored. */
export type StoredUnnamed = {
  /** The episode that holds the named message. */
  publicId: string;
  /** Which message it is: it may have been stored with any of several named ones. */
  place: string;
  role: string;
  speaker: string | null;
  text: string;
  /** The internal id of the user whom it names as its speaker; null where it names none, or the acting user. */
  userId: number | null;
};

/** Episodes after a named message that may hold what was stored with it, as others speak meanwhile. */
const FOLLOWING = 20;
/** How many of them one request looks at: one that sends many named messages looks less far after each. */
const FOLLOWING_A_REQUEST = 400;

/**
 * The messages without an id that were stored with a named one: those of the episodes that `findStored` finds, and, where the named one
 * was stored earlier by itself, those of the next episodes in which nothing is named, the nearest first. For a request that sends such
 * messages beside named ones; null for a request that does not.
 */
export function findUnnamed(ctx: Ctx<"db">, sessionExternalId: string, episodes: readonly EpisodeInput[]): Statement | null {
  const ids = [
    ...new Set(episodes.filter(isPartlyNamed).flatMap(({ messages }) => messages.flatMap(({ messageId }) => messageId ?? []))),
  ];
  if (ids.length === 0) return null;
  const limit = Math.max(1, Math.min(FOLLOWING, Math.floor(FOLLOWING_A_REQUEST / ids.length)));
  const following = sql`(
    select json_group_array(n.id) from (
      select f.id as id from episodes f where f.id > e.id and f.id < (k.session_id + 1) * ${PER_SESSION}
      order by f.id limit ${sql.raw(String(limit))}) n)`;
  return ctx.db.all(sql`
    select h.publicId as publicId, o.id || ':' || m.key as place, m.value ->> 'role' as role, m.value ->> 'speaker' as speaker, m.value ->> 'text' as text, m.value ->> 'userId' as userId
    from (
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
    order by h.id, part.key, w.key, m.key`);
}

/** Written out, because D1 binds every number as a real. */
const PER_SESSION = sql.raw(String(CHUNKS_PER_SESSION));

function isPartlyNamed({ messages }: EpisodeInput): boolean {
  return messages.some(({ messageId }) => messageId !== undefined) && messages.some(({ messageId }) => messageId === undefined);
}

type Answer<Draft> = {
  draft: Draft | undefined;
  /** Whether this episode is the draft itself, and not a repeat of one in the same request. */
  created: boolean;
  known: StoredOnce | undefined;
  skippedMessageIds: string[];
};

/** The internal id of the user whom a message names as its speaker; null where it names none, or the acting user. */
export type UserIdOf = (message: EpisodeInput["messages"][number]) => number | null;

export type AppendDecision = {
  /** What is left to store: episodes with at least one new message. */
  fresh: EpisodeInput[];
  /** One answer for each episode of the request, once the fresh ones have been drafted. */
  answers: <Draft>(draftOf: (freshIndex: number) => Draft | undefined) => Answer<Draft>[];
};

/** Messages without an id that may be found again, each once. `of` is the episode that holds it: a stored one's id, or the place of a fresh one. */
type Unnamed = Omit<StoredUnnamed, "publicId" | "place"> & { of: string | number; place: string | null };

/**
 * Leaves out messages that are stored, and repeats within the request, whose texts are as they would be stored. An exchange is known by the
 * ids that it has: beside a message that is stored, one without an id is stored too if the same episode holds the same words of the same
 * speaker, as often as it holds them. Other words are new. The same id with another text is for the client to decide: 409.
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
  const slots: { fresh: number | null; created: boolean; known: StoredOnce | undefined; skippedMessageIds: string[] }[] = [];
  episodes.forEach((episode, episodeIndex) => {
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
    const holder = first !== undefined && "publicId" in first ? first : undefined;
    slots.push({ fresh: created ? fresh.length : repeated, created, known: holder, skippedMessageIds });
    if (!created) return;
    for (const message of messages) {
      const { messageId, role, speaker, content } = message;
      if (messageId === undefined)
        repeatable.push({
          of: fresh.length,
          place: null,
          role,
          speaker: speaker ?? null,
          text: content,
          userId: userIdOf(message),
        });
    }
    fresh.push({ ...episode, messages });
  });
  return {
    fresh,
    answers: (draftOf) =>
      slots.map((slot) => ({
        draft: slot.fresh === null ? undefined : draftOf(slot.fresh),
        created: slot.created,
        known: slot.known,
        skippedMessageIds: slot.skippedMessageIds,
      })),
  };
}

/** Whether one of the holding episodes has the message, which then counts as found. */
function takeRepeat(
  repeatable: Unnamed[],
  holders: ReadonlySet<string | number>,
  {
    role,
    speaker,
    content,
    userId,
  }: Pick<EpisodeInput["messages"][number], "role" | "speaker" | "content"> & { userId: number | null },
): boolean {
  const found = repeatable.find(
    (each) =>
      holders.has(each.of) &&
      each.role === role &&
      each.userId === userId &&
      each.speaker === (speaker ?? null) &&
      isSame(each.text, content),
  );
  if (found === undefined) return false;
  const left = repeatable.filter((each) => each !== found && (found.place === null || each.place !== found.place));
  repeatable.splice(0, repeatable.length, ...left);
  return true;
}

/** Whether a text says what is stored. A rule that finds more secrets than it did then does not make another text of it. */
function isSame(stored: string, text: string): boolean {
  return stored === text || redactSecrets(stored).text === text;
}

function otherText(path: string): AppError {
  const message = "This messageId is stored with another text.";
  return new AppError("conflict", message, {
    fields: [{ path, message }],
  });
}
