import type { Ctx } from "#context";
import { describeError } from "#core/describe-error";
import { AppError } from "#core/errors";
import { appendEpisodes, timesSaid } from "#domain/sessions";
import type { Place } from "./find-place.ts";
import type { ChatTurn } from "./inject.ts";
import { packExchange } from "./pack-exchange.ts";
import { readExchange, type Said } from "./read-exchange.ts";

type StoreCtx = Ctx<"db" | "now" | "newId" | "jobs" | "defer" | "embedder" | "caches" | "log" | "wait" | "random">;

export type Exchange = { place: Place; messages: readonly ChatTurn[]; reply: string };

const PAUSES_MS = [250, 1_000, 4_000];

/**
 * Stores what was said, in a session that is opened if need be; extraction follows by the append's own job. It runs after the reply, so
 * there is nobody to refuse. A failure that may pass is tried again within the 30 s that the platform leaves after a client has gone; what
 * is still not stored then, or never could be, is in the log as `proxy.unstored` with the request's id, and the client's next request brings
 * the user's message again as long as no reply stands behind it.
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

/** What is already there is not stored again, so a try goes on where the one before failed. */
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

/** What is said again later is a message of its own. */
function nthName(messageId: string, time: number): string {
  return time === 1 ? messageId : `${messageId}-${time}`;
}

/** A refusal comes again, unless it says when to try again; a database that is busy may not. */
function isFinal(error: unknown): boolean {
  return error instanceof AppError && error.retryAfterSeconds === undefined;
}
