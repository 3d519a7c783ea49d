import { ExternalId } from "#core/fields";
import { sha256 } from "#core/ids";
import { redactSecrets } from "#core/safety/find-secrets";
import { secretInName } from "#core/safety/name-secrets";
import { storable } from "#core/text/normalize";
import type { ImportPlatform, ParsedConversation } from "./parsed.ts";
import { type TimedMessage, timed } from "./to-episodes.ts";

const TITLE_CHARACTERS = 500;
/** Of an id that stands before it: `chatgpt:`. */
const ID_CHARACTERS = 180;

export type ConversationToStore = { externalId: string; title: string | null; messages: TimedMessage[] };

/**
 * The conversation with the ids, the title and the times that are stored. An id that the app could not have, such as a long one, and one
 * that the platform did not give, become a hash; the latter differs for each user.
 */
export async function toStore(
  { id, title, at, messages }: ParsedConversation,
  { platform, userId, now }: { platform: ImportPlatform; userId: string; now: number },
): Promise<ConversationToStore> {
  const isOwn = platform === "gemini" || id.startsWith("[");
  const named = isOwn ? await hashed(JSON.stringify([userId, id])) : await acceptable(id);
  return {
    externalId: `${platform}:${named}`,
    title: titleOf(title),
    messages: await Promise.all(
      withOwnIds(timed(messages, { at, now })).map(async (message) => ({ ...message, id: await acceptable(message.id) })),
    ),
  };
}

export function titleOf(title: string | null): string | null {
  if (title === null) return null;
  return redactSecrets(storable(title).trim()).text.slice(0, TITLE_CHARACTERS).toWellFormed();
}

async function acceptable(id: string): Promise<string> {
  const isFit = id.length <= ID_CHARACTERS && ExternalId.safeParse(id).success && secretInName(id) === null;
  return isFit ? id : await hashed(id);
}

const HASH_CHARACTERS = 32;

async function hashed(text: string): Promise<string> {
  return (await sha256(text)).slice(0, HASH_CHARACTERS);
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
