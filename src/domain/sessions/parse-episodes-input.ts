import { type SQL, sql } from "drizzle-orm";
import type { Ctx } from "#context";
import { AppError } from "#core/errors";
import { refuseSaidLater, toMillis } from "#core/fields";
import { offsetIn } from "#core/local-time";
import { redactSecrets, type SecretKind } from "#core/safety/find-secrets";
import { indexTokens } from "#core/text/analyse";
import { chunkText, type Span } from "#core/text/chunk";
import { storable } from "#core/text/normalize";
import type { Statement } from "#db/client";
import { rowsInParts, rowsOf } from "#db/rows";
import type { StoredChunk, StoredMessage } from "#db/schema/sessions";
import { ACTING_USER, factStatements, type SaidInAppend } from "#domain/facts";
import { enqueue } from "#domain/jobs";
import { CHUNKS_PER_SESSION } from "./chunk-id.ts";
import type { EpisodeInput } from "./schemas.ts";

type Times = Pick<EpisodeInput, "occurredAt"> & { messages: readonly Pick<EpisodeInput["messages"][number], "occurredAt">[] };

/** @throws invalid_input for the first episode or message whose time is more than a day from now. */
export function refuseLater(episodes: readonly Times[], { now, many }: { now: number; many: boolean }): void {
  for (const [i, { occurredAt, messages }] of episodes.entries()) {
    const path = many ? `episodes[${i}].` : "";
    refuseSaidLater(occurredAt, { now, path: `${path}occurredAt` });
    for (const [j, message] of messages.entries())
      refuseSaidLater(message.occurredAt, { now, path: `${path}messages[${j}].occurredAt` });
  }
}

/** A storable episode: its texts and speakers without secrets, and the kinds of secrets found. */
export function redactEpisode(episode: EpisodeInput): { episode: EpisodeInput; kinds: SecretKind[] } {
  const kinds = new Set<SecretKind>();
  const redacted = (text: string): string => {
    const found = redactSecrets(storable(text));
    for (const kind of found.kinds) kinds.add(kind);
    return found.text;
  };
  const messages = episode.messages.map((message) => ({
    ...message,
    content: redacted(message.content),
    ...(message.speaker === undefined ? {} : { speaker: redacted(message.speaker) }),
  }));
  return { episode: { ...episode, messages }, kinds: [...kinds] };
}

export type EpisodeDraft = {
  id: string;
  /** Chunks of this call before this episode. */
  offset: number;
  messages: StoredMessage[];
  chunks: StoredChunk[];
  /** The analysed words of each chunk, for the text index. */
  tokens: string[];
  /** Conversation times of the earliest and the latest message. */
  firstAt: number;
  occurredAt: number;
};

type MessageInput = EpisodeInput["messages"][number];

type Given = {
  now: number;
  newId: () => string;
  /** Whose statement a message is: a user's internal id or `ACTING_USER`; null for nobody's. */
  userIdOf?: (message: MessageInput, at: number) => number | null;
};

/** What will be stored of each sanitized episode: messages with their times, and the passages for search. */
export function parseEpisodesInput(inputs: readonly EpisodeInput[], given: Given): EpisodeDraft[] {
  let offset = 0;
  return inputs.map((input) => {
    const messages = input.messages.map((message): StoredMessage => {
      const moment = message.occurredAt ?? input.occurredAt;
      const occurredAt = moment === undefined ? given.now : toMillis(moment);
      const offset = moment === undefined ? null : offsetIn(moment);
      const userId = given.userIdOf?.(message, occurredAt) ?? null;
      return {
        role: message.role,
        speaker: message.speaker ?? null,
        ...(userId === null ? {} : { userId }),
        text: message.content,
        occurredAt,
        ...(offset === null ? {} : { offset }),
        messageId: message.messageId ?? null,
      };
    });
    const passages = messages.flatMap((message, index) => chunksOf(message.text, index));
    const chunks = passages.length === 0 ? [NO_PASSAGE] : passages;
    const draft = {
      id: given.newId(),
      offset,
      messages,
      chunks,
      tokens: chunks.map((chunk) => tokensOf(messages, chunk)),
      firstAt: Math.min(...messages.map((message) => message.occurredAt)),
      occurredAt: Math.max(...messages.map((message) => message.occurredAt)),
    };
    offset += chunks.length;
    return draft;
  });
}

/** An episode owns the ids of its passages, so one in which nobody says a word has one that is hidden. */
const NO_PASSAGE: StoredChunk = { m: 0, s: 0, e: 0, p: 0, n: 0 };

/** Passages with their positions in code units, which clients count in, and in code points, which SQL counts in. */
export function chunksOf(text: string, messageIndex: number, spans: readonly Span[] = chunkText(text)): StoredChunk[] {
  let units = 0;
  let points = 0;
  const pointsUntil = (unit: number): number => {
    if (unit < units) {
      units = 0;
      points = 0;
    }
    while (units < unit) {
      units += (text.codePointAt(units) ?? 0) > 0xffff ? 2 : 1;
      points += 1;
    }
    return points;
  };
  return spans.map(({ start, end }) => {
    const p = pointsUntil(start);
    return { m: messageIndex, s: start, e: end, p, n: pointsUntil(end) - p };
  });
}

const MINUTE_MS = 60_000;

/** The analysed words of one passage, for the text index; the month in it is that where it was said. */
export function tokensOf(messages: readonly StoredMessage[], chunk: StoredChunk): string {
  const message = messages[chunk.m];
  if (message === undefined || chunk.n === 0) return "";
  return cut(indexTokens(message.text.slice(chunk.s, chunk.e), new Date(message.occurredAt + (message.offset ?? 0) * MINUTE_MS)));
}

/** Several times the analysed length of a passage in any language; normalising turns a few characters into whole sentences. */
const MAX_TOKEN_CHARACTERS = 8_000;

function cut(tokens: string): string {
  return tokens.length <= MAX_TOKEN_CHARACTERS ? tokens : tokens.slice(0, tokens.lastIndexOf(" ", MAX_TOKEN_CHARACTERS));
}

/** D1 allows 2,000,000 bytes for a row and a text; the other columns of a row need far less than the rest. */
export const MAX_EPISODE_BYTES = 1_990_000;

/** @throws payload_too_large for an episode that exceeds the size of a row. */
export function refuseTooLong(drafts: readonly Pick<EpisodeDraft, "messages" | "chunks">[]): void {
  const encoder = new TextEncoder();
  for (const { messages, chunks } of drafts) {
    const bytes = encoder.encode(JSON.stringify(messages) + JSON.stringify(chunks)).length;
    if (bytes > MAX_EPISODE_BYTES)
      throw new AppError("payload_too_large", `An episode may have ${MAX_EPISODE_BYTES} bytes. Send its messages as several.`);
  }
}

/** Written out, because D1 binds every number as a real, and a real divides without rounding. */
const PER_SESSION = sql.raw(String(CHUNKS_PER_SESSION));

/**
 * How a message of the acting user's is written in JSON, as long as their internal id is not known. No text has it: a quotation mark inside
 * a JSON string stands after a backslash.
 */
const BY_ACTING_USER = `"userId":${ACTING_USER},`;

/** The writes of one append. All others start from the first episode that `insert` stores, and do nothing if it is missing. */
export function appendStatements(
  ctx: Ctx<"db" | "now">,
  append: {
    externalId: string;
    session: { id: number; spaceId: number; userId: number | null } | undefined;
    drafts: readonly EpisodeDraft[];
    said: SaidInAppend | null;
    total: number;
    unchanged: SQL;
    jobId: string;
    imported: { isRead: boolean; enqueue: (stored: { from: SQL; payload: SQL }) => Statement } | null;
  },
): { insert: Statement; others: Statement[] } {
  const { externalId, session, drafts, said, total, unchanged, jobId, imported } = append;
  const episodes = drafts.map(({ id, offset, messages, chunks, firstAt, occurredAt }) => [
    id,
    offset,
    { json: JSON.stringify(messages) },
    { json: JSON.stringify(chunks) },
    chunks.length,
    firstAt,
    occurredAt,
  ]);
  const texts = drafts.flatMap((draft) => draft.tokens.map((tokens, i) => [draft.offset + i, tokens]));
  const messageKeys = drafts.flatMap((draft) =>
    draft.messages.flatMap((message, ordinal) =>
      message.messageId === null ? [] : [[message.messageId, draft.offset, ordinal]],
    ),
  );
  const first = sql`(select id, id / ${PER_SESSION} as session_id from episodes where public_id = ${drafts[0]?.id ?? ""}) first`;
  const space =
    session === undefined
      ? sql`(select 's' || s.space_id from sessions s where s.id = first.session_id)`
      : sql`${`s${session.spaceId}`}`;
  // The user whose append creates a session becomes its owner.
  const by =
    session?.userId == null
      ? sql`(select so.owner_id from sessions so where so.id = first.session_id)`
      : sql.raw(String(session.userId));
  const latest = Math.max(...drafts.map((draft) => draft.occurredAt));
  const earliest = Math.min(...drafts.map((draft) => draft.firstAt));
  const sender = session?.userId == null ? sql`s.owner_id` : sql.raw(String(session.userId));
  const insert = ctx.db.run(sql`
      insert into episodes
        (id, public_id, tenant_id, session_id, messages, chunks, chunk_count, first_at, occurred_at, created_at, extracted, sent_by)
      select s.id * ${PER_SESSION} + s.next_seq + j.c1, j.c0, s.tenant_id, s.id,
        replace(j.c2, ${BY_ACTING_USER}, '"userId":' || ${sender} || ','), j.c3, j.c4, j.c5, j.c6, ${ctx.now()},
        ${imported?.isRead === false ? sql`'off'` : sql`null`}, ${sender}
      from sessions s cross join ${rowsOf(episodes)} j
      where s.tenant_id = ${ctx.tenantId} and s.external_id = ${externalId} and ${unchanged}
        and s.next_seq + ${total} <= ${CHUNKS_PER_SESSION}`);
  const payload = sql`json_object('from', first.id, 'chunks', ${sql.raw(String(total))}, 'by', ${by})`;
  const others = [
    ctx.db.run(sql`
      update sessions set next_seq = next_seq + ${total}, last_at = max(coalesce(last_at, ${latest}), ${latest}),
        in_order = case when ${isInOrder(drafts)} and coalesce(last_at, ${earliest}) - ${TOLERANCE_MS} <= ${earliest} then in_order else 0 end
      where tenant_id = ${ctx.tenantId} and ${session === undefined ? sql`external_id = ${externalId}` : sql`id = ${session.id}`}
        and changes() > 0`),
    ...rowsInParts(texts).map((part) =>
      ctx.db.run(sql`
        insert into message_fts (rowid, space, text) select first.id + j.c0, ${space}, j.c1 from ${first} cross join ${part} j`),
    ),
    ...rowsInParts(messageKeys).map((part) =>
      ctx.db.run(sql`
        insert into message_keys (session_id, message_id, episode_id, ordinal)
        select first.session_id, j.c0, first.id + j.c1, j.c2 from ${first} cross join ${part} j`),
    ),
    ...(said === null ? [] : factStatements(ctx, said, { first, by })),
    // The last statement: the audit row is written only if this one wrote a row.
    imported === null
      ? enqueue(ctx, { id: jobId, kind: "episodes.index", payload, from: first })
      : imported.enqueue({ from: first, payload }),
  ];
  return { insert, others };
}

/** Messages sent at the same moment may be stored in either order, so `recent` reads a little further back. */
const TOLERANCE_MS = 60_000;

function isInOrder(drafts: readonly EpisodeDraft[]): boolean {
  return drafts.every((draft, i) => draft.firstAt >= (drafts[i - 1]?.occurredAt ?? draft.firstAt) - TOLERANCE_MS);
}
