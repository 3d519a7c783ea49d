import { type SQL, sql } from "drizzle-orm";
import type { Ctx } from "#context";
import { isRedacted, redactSpans, restoreWords } from "#core/text/redacted";
import { type Query, type Statement, select } from "#db/client";
import { failUnless } from "#db/guard";
import { flag, type RowOf, row, text } from "#db/row";
import { rowsInParts } from "#db/rows";
import type { RedactedWords } from "#db/schema/forgettings";
import { EPISODE, SESSION, type StoredChunk, type StoredMessage } from "#db/schema/sessions";
import { enqueue } from "#domain/jobs";
import { type UserRef, userIdOf } from "#domain/tenants";
import { mayEnter } from "#domain/visibility";
import { EPISODES } from "./index-episodes.ts";
import { chunksOf, tokensOf } from "./parse-episodes-input.ts";
import { takeSummaries } from "./take-summaries.ts";

const wordsRow = (user: SQL) =>
  row({
    ...EPISODE.of(
      sql`e`,
      "id",
      "publicId",
      "sessionId",
      "messages",
      "chunks",
      "chunkCount",
      "occurredAt",
      "sentBy",
      "redactions",
    ),
    ...SESSION.of(sql`s`, "spaceId", "kind", "ownerId"),
    sessionExternalId: text(sql`s.external_id`),
    mayEnter: flag(sql`(select ${mayEnter(sql`u`, sql`s`)} from users u where u.id = ${user} and u.tenant_id = s.tenant_id)`),
  });

/** An episode with what changing its words needs. Before any of it is changed, the caller checks whose words they are. */
export type EpisodeWords = RowOf<ReturnType<typeof wordsRow>>;

/** The episodes that `which`, a condition on the row `e`, names, and whether the user may enter their sessions. */
export function findEpisodeWords(ctx: Ctx<"db">, user: UserRef, which: SQL): Query<EpisodeWords> {
  const shape = wordsRow(userIdOf(ctx.tenantId, user));
  return select(
    shape,
  )`from episodes e cross join sessions s on s.id = e.session_id where e.tenant_id = ${ctx.tenantId} and ${which}`;
}

/** A part of a message, in UTF-16 units. */
export type Cut = { message: number; start: number; end: number };

/** An episode as it should be stored. */
export type Rewritten = { before: EpisodeWords; messages: StoredMessage[]; chunks: StoredChunk[] };

/** Redacts these parts of an episode's messages. A passage of which nothing is left is hidden. Returns what was there too. */
export function redactWords(before: EpisodeWords, cuts: readonly Cut[]): Rewritten & { words: RedactedWords[] } {
  const words = cuts.flatMap(({ message, start, end }): RedactedWords[] => {
    const said = before.messages[message]?.text.slice(start, end) ?? "";
    return said === "" || isRedacted(said) ? [] : [{ episode: before.id, message, start, words: said }];
  });
  const messages = before.messages.map((message, i) => ({
    ...message,
    text: redactSpans(
      message.text,
      words.flatMap((one) => (one.message === i ? [{ start: one.start, end: one.start + one.words.length }] : [])),
    ),
  }));
  return { before, messages, chunks: placed(messages, before.chunks), words };
}

/** Puts redacted words back. */
export function unredactWords(before: EpisodeWords, words: readonly RedactedWords[]): Rewritten {
  const messages = before.messages.map((message, i) => ({
    ...message,
    text: words.reduce((said, one) => (one.message === i ? restoreWords(said, one) : said), message.text),
  }));
  const wasRedacted = ({ m, s, e }: StoredChunk) => isRedacted(before.messages[m]?.text.slice(s, e) ?? "");
  const chunks = before.chunks.map((chunk) => (wasRedacted(chunk) ? { ...chunk, n: chunk.e - chunk.s } : chunk));
  return { before, messages, chunks: placed(messages, chunks) };
}

/** Hides passages from every search, or shows them again; their words stay. */
export function withPassages<R extends Rewritten>(rewritten: R, ids: readonly number[], shown: "hidden" | "shown"): R {
  const { before, messages } = rewritten;
  const chunks = rewritten.chunks.map((chunk, i) =>
    ids.includes(before.id + i) ? { ...chunk, n: shown === "hidden" ? 0 : chunk.e - chunk.s } : chunk,
  );
  return { ...rewritten, chunks: placed(messages, chunks) };
}

/** Of a message, only this part is found from now on. */
export function showingOnly<R extends Rewritten>(rewritten: R, { message, start, end }: Cut): R {
  const { before, messages } = rewritten;
  const chunks = rewritten.chunks.map((chunk) => {
    if (chunk.m !== message) return chunk;
    const [s, e] = [Math.max(chunk.s, start), Math.min(chunk.e, end)];
    return s < e ? { ...chunk, s, e } : { ...chunk, n: 0 };
  });
  return { ...rewritten, before, chunks: placed(messages, chunks) };
}

/** The passages with their positions in the texts as they are now. */
function placed(messages: readonly StoredMessage[], chunks: readonly StoredChunk[]): StoredChunk[] {
  return chunks.flatMap((chunk) => {
    const said = messages[chunk.m]?.text ?? "";
    const isHidden = chunk.n === 0 || isRedacted(said.slice(chunk.s, chunk.e));
    return chunksOf(said, chunk.m, [{ start: chunk.s, end: chunk.e }]).map((now) => (isHidden ? { ...now, n: 0 } : now));
  });
}

/**
 * Statements that store an episode's new words in its row and its index, take its summary, and enqueue the job that embeds them; none if
 * nothing changes. They fail the batch if the episode was deleted or redacted since it was read.
 */
export function rewriteStatements(
  ctx: Ctx<"db" | "now">,
  { before, messages, chunks }: Rewritten,
  { jobId }: { jobId: string },
): Statement[] {
  const id = sql.raw(String(before.id));
  const changed = chunks.flatMap((chunk, i) => (isSame(before, { messages, chunks }, i) ? [] : [{ at: before.id + i, chunk }]));
  if (changed.length === 0 && messages.every((message, i) => message.text === before.messages[i]?.text)) return [];
  const passages = changed.map(({ at, chunk }) => [at, tokensOf(messages, chunk)]);
  return [
    failUnless(
      ctx.db,
      sql`exists (select 1 from episodes e where e.id = ${id} and e.tenant_id = ${ctx.tenantId} and e.redactions = ${before.redactions})`,
    ),
    ...takeSummaries(ctx, id),
    ctx.db.run(sql`
      update episodes set ${EPISODE.set({ messages, chunks })}, redactions = redactions + 1, vector_model = null
      where id = ${id} and tenant_id = ${ctx.tenantId}`),
    ...(changed.length === 0
      ? []
      : [ctx.db.run(sql`delete from message_fts where rowid in (${sql.raw(changed.map(({ at }) => at).join(","))})`)]),
    ...rowsInParts(passages).map((part) =>
      ctx.db.run(sql`
        insert into message_fts (rowid, space, text) select j.c0, ${`s${before.spaceId}`}, j.c1 from ${part} j`),
    ),
    enqueue(ctx, {
      id: jobId,
      kind: EPISODES.jobs.index,
      payload: JSON.stringify({ from: before.id, chunks: Math.max(1, before.chunkCount), by: before.sentBy }),
    }),
  ];
}

function isSame(before: EpisodeWords, after: Pick<Rewritten, "messages" | "chunks">, i: number): boolean {
  const [old, now] = [before.chunks[i], after.chunks[i]];
  if (old === undefined || now === undefined) return old === now;
  return old.n === now.n && before.messages[old.m]?.text.slice(old.s, old.e) === after.messages[now.m]?.text.slice(now.s, now.e);
}
