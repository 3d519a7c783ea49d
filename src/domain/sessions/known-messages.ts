import { sql } from "drizzle-orm";
import type { Ctx } from "#context";
import { AppError } from "#core/errors";
import { redactSecrets } from "#core/safety/find-secrets";
import type { Statement } from "#db/client";
import { rowsOf } from "#db/rows";
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

type Answer<Draft> = {
  draft: Draft | undefined;
  /** Whether this episode is the draft itself, and not a repeat of one in the same request. */
  created: boolean;
  known: StoredOnce | undefined;
  skippedMessageIds: string[];
};

export type AppendPlan = {
  /** What is left to store: episodes with at least one new message. */
  fresh: EpisodeInput[];
  /** One answer for each episode of the request, once the fresh ones have been drafted. */
  answers: <Draft>(draftOf: (freshIndex: number) => Draft | undefined) => Answer<Draft>[];
};

/** Leaves out messages that are stored, and repeats within the request, whose texts are as they would be stored. The same id with another text is for the client to decide: 409. */
export function withoutStored(
  episodes: readonly EpisodeInput[],
  stored: readonly StoredOnce[],
  pathOf: (episodeIndex: number) => string = (index) => `episodes[${index}].`,
): AppendPlan {
  const known = new Map(stored.map((message) => [message.messageId, message]));
  const inThisRequest = new Map<string, { text: string; fresh: number }>();
  const fresh: EpisodeInput[] = [];
  const slots: { fresh: number | null; created: boolean; known: StoredOnce | undefined; skippedMessageIds: string[] }[] = [];
  episodes.forEach((episode, episodeIndex) => {
    const skippedMessageIds: string[] = [];
    let first: StoredOnce | { fresh: number } | undefined;
    const messages = episode.messages.filter((message, messageIndex) => {
      const { messageId } = message;
      if (messageId === undefined) return true;
      const before = known.get(messageId) ?? inThisRequest.get(messageId);
      if (before === undefined) {
        inThisRequest.set(messageId, { text: message.text, fresh: fresh.length });
        return true;
      }
      if (!isSame(before.text, message.text)) throw otherText(`${pathOf(episodeIndex)}messages[${messageIndex}].messageId`);
      first ??= before;
      skippedMessageIds.push(messageId);
      return false;
    });
    const created = messages.length > 0;
    const repeated = first !== undefined && "fresh" in first ? first.fresh : null;
    const holder = first !== undefined && "publicId" in first ? first : undefined;
    slots.push({ fresh: created ? fresh.length : repeated, created, known: holder, skippedMessageIds });
    if (created) fresh.push({ ...episode, messages });
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
