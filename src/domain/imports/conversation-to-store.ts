import type { Ctx } from "#context";
import { redactSecrets } from "#core/safety/find-secrets";
import { storable } from "#core/text/normalize";
import { messageId, type OwnId, ownHash, ownId } from "./own-id.ts";
import type { ImportPlatform, ParsedConversation } from "./parsed.ts";
import { type TimedMessage, timed } from "./to-episodes.ts";

const TITLE_CHARACTERS = 500;

export type ConversationToStore = OwnId & { title: string | null; messages: TimedMessage[] };

/** The conversation with the ids, the title and the times that are stored. */
export async function toStore(
  ctx: Ctx<"secretBox">,
  { id, title, at, messages }: ParsedConversation,
  { platform, owner, now }: { platform: ImportPlatform; owner: string; now: number },
): Promise<ConversationToStore> {
  const hasId = platform !== "gemini" && !id.startsWith("[");
  return {
    ...(hasId ? await ownId(ctx, { platform, id, owner }) : await ownHash(ctx, { platform, key: id, owner })),
    title: titleOf(title),
    messages: await Promise.all(
      withOwnIds(timed(messages, { at, now })).map(async (message) => ({ ...message, id: await messageId(message.id) })),
    ),
  };
}

export function titleOf(title: string | null): string | null {
  if (title === null) return null;
  return redactSecrets(storable(title).trim()).text.slice(0, TITLE_CHARACTERS).toWellFormed();
}

/** A conversation in which two messages have one id keeps both. */
function withOwnIds(messages: readonly TimedMessage[]): TimedMessage[] {
  const times = new Map<string, number>();
  return messages.map((message) => {
    const before = times.get(message.id) ?? 0;
    times.set(message.id, before + 1);
    return before === 0 ? message : { ...message, id: `${message.id} again ${before + 1}` };
  });
}
