import type { Ctx } from "#context";
import { describeError } from "#core/describe-error";
import { AppError } from "#core/errors";
import { appendEpisodes, timesSaid } from "#domain/sessions";
import { boundUserOf } from "#domain/tenants";
import { othersAmong, type Place, type PlaceRef } from "./find-place.ts";
import { type ChatTurn, lastLabel, packExchange, readExchange, withoutLabel } from "./read-turns.ts";

type StoreCtx = Ctx<"db" | "now" | "newId" | "jobs" | "defer" | "embedder" | "caches" | "log" | "wait" | "random">;

export type Exchange = {
  place: Place;
  messages: readonly ChatTurn[];
  reply: string;
  /** The id of the conversation's earlier part, if the model server keeps it; "" if `messages` is all of it. */
  continues: string;
};

const PAUSES_MS = [250, 1_000, 4_000];

/**
 * Stores the messages of an exchange, opening the session if needed; the append's own job extracts from it. It runs after the reply, so it
 * never throws. A temporary failure is retried within the 30 s that the platform leaves after the client has disconnected. If it still
 * fails, `proxy.unstored` is logged with the request's id; the client's next request contains the user's message again, unless a reply
 * follows it. Returns the ids of the new episodes.
 */
export async function storeExchange(ctx: StoreCtx, { place, messages, reply, continues }: Exchange): Promise<string[]> {
  for (let tries = 0; ; tries += 1) {
    try {
      return await appendExchange(ctx, place, { messages, reply, continues });
    } catch (error) {
      const pause = PAUSES_MS[tries];
      if (pause === undefined || isFinal(error)) {
        ctx.log("proxy.unstored", { requestId: ctx.requestId, ...describeError(error) });
        return [];
      }
      await ctx.wait(pause);
    }
  }
}

/** Stores the user's messages that wait for a reply, and returns their episodes' ids. The exchange is stored without them afterwards. */
export async function storeAsked(
  ctx: StoreCtx,
  { place, messages, continues }: { place: PlaceRef } & Omit<Exchange, "place" | "reply">,
): Promise<string[]> {
  return await appendExchange(ctx, place, { messages, reply: "", continues });
}

/**
 * Messages that are stored already are skipped, so a retry continues where the last try failed. What stands under another participant's name
 * is not the acting user's to store, but for the last user message of a caller who acts for nobody else, which loses that label. Returns the ids of the new episodes.
 */
async function appendExchange(ctx: StoreCtx, place: PlaceRef, exchange: Omit<Exchange, "place">): Promise<string[]> {
  const { userId, projectId, sessionId } = place;
  const { messages, reply, continues } = exchange;
  const last = lastLabel(messages);
  const labelled = await readExchange(messages, reply, continues);
  if (labelled.length === 0) return [];
  const labels = [...labelled.flatMap(({ speaker }) => speaker ?? []), ...(last === null ? [] : [last.label])];
  const others = await othersAmong(ctx, place, labels);
  const isOwn = last !== null && boundUserOf(ctx) !== null && others.has(last.label);
  const all = isOwn ? await readExchange(withoutLabel(messages, last.index), reply, continues) : labelled;
  const said = all.filter(({ speaker }) => speaker === undefined || !others.has(speaker));
  const asked = said.flatMap(({ role, messageId }) => (role === "user" ? [messageId] : []));
  const time = await timesSaid(ctx, sessionId, asked);
  const named = said.map((message) => ({ ...message, messageId: nthName(message.messageId, time) }));
  const stored: string[] = [];
  for (const episodes of packExchange(named)) {
    const appended = await appendEpisodes(ctx, sessionId, {
      userId,
      ...(projectId === undefined ? {} : { projectId }),
      episodes,
    });
    stored.push(...appended.flatMap(({ id, created }) => (created ? [id] : [])));
  }
  return stored;
}

/** The same words said later are another message. */
function nthName(messageId: string, time: number): string {
  return time === 1 ? messageId : `${messageId}-${time}`;
}

/** A refusal would be repeated, unless it says when to retry; another failure, such as a busy database, may be temporary. */
function isFinal(error: unknown): boolean {
  return error instanceof AppError && error.retryAfterSeconds === undefined;
}
