import type { Ctx } from "#context";
import { describeError } from "#core/describe-error";
import { AppError } from "#core/errors";
import { appendEpisodes, timesSaid } from "#domain/sessions";
import type { Place } from "./find-place.ts";
import { type ChatTurn, packExchange, readExchange, type Said } from "./read-turns.ts";

type StoreCtx = Ctx<"db" | "now" | "newId" | "jobs" | "defer" | "embedder" | "caches" | "log" | "wait" | "random">;

export type Exchange = { place: Place; messages: readonly ChatTurn[]; reply: string };

const PAUSES_MS = [250, 1_000, 4_000];

/**
 * Stores what was said, in a session that is opened if need be; the append's own job extracts from it. It runs after the reply, so it never
 * throws. A failure that may pass is tried again within the 30 s that the platform leaves after the client has disconnected. What is not
 * stored then is logged as `proxy.unstored` with the request's id; the client's next request has the user's message again as long as no
 * reply follows it.
 */
export async function storeExchange(ctx: StoreCtx, { place, messages, reply }: Exchange): Promise<void> {
  for (let tries = 0; ; tries += 1) {
    try {
      const said = await readExchange(messages, reply);
      if (said.length > 0) await appendExchange(ctx, place, said);
      return;
    } catch (error) {
      const pause = PAUSES_MS[tries];
      if (pause === undefined || isFinal(error)) {
        ctx.log("proxy.unstored", { requestId: ctx.requestId, ...describeError(error) });
        return;
      }
      await ctx.wait(pause);
    }
  }
}

/** What is stored already is skipped, so a try continues where the one before failed. */
async function appendExchange(ctx: StoreCtx, place: Place, said: readonly Said[]): Promise<void> {
  const { userId, projectId, sessionId } = place;
  const asked = said.flatMap(({ role, messageId }) => (role === "user" ? [messageId] : []));
  const time = await timesSaid(ctx, sessionId, asked);
  const named = said.map((message) => ({ ...message, messageId: nthName(message.messageId, time) }));
  for (const episodes of packExchange(named)) {
    await appendEpisodes(ctx, sessionId, {
      userId,
      ...(projectId === undefined ? {} : { projectId }),
      episodes,
    });
  }
}

/** What is said again later is another message. */
function nthName(messageId: string, time: number): string {
  return time === 1 ? messageId : `${messageId}-${time}`;
}

/** A refusal would be repeated, unless it says when to try again; another failure, such as a busy database, may pass. */
function isFinal(error: unknown): boolean {
  return error instanceof AppError && error.retryAfterSeconds === undefined;
}
