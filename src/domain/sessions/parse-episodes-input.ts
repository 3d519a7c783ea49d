import { toMillis } from "#core/fields";
import { indexTokens } from "#core/text/analyse";
import { chunkText } from "#core/text/chunk";
import type { StoredChunk, StoredMessage } from "#db/schema/sessions";
import type { EpisodeInput } from "./schemas.ts";

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
  /** The internal id of the user whom a message names; null, as without it, for one that names nobody. */
  userIdOf?: (message: MessageInput, at: number) => number | null;
};

/** What will be stored of each episode, whose texts have been made storable: messages with their times, and the passages they are searched by. */
export function parseEpisodesInput(inputs: readonly EpisodeInput[], given: Given): EpisodeDraft[] {
  let offset = 0;
  return inputs.map((input) => {
    const messages = input.messages.map((message): StoredMessage => {
      const moment = message.occurredAt ?? input.occurredAt;
      const occurredAt = moment === undefined ? given.now : toMillis(moment);
      const userId = given.userIdOf?.(message, occurredAt) ?? null;
      return {
        role: message.role,
        speaker: message.speaker ?? null,
        ...(userId === null ? {} : { userId }),
        text: message.content,
        occurredAt,
        messageId: message.messageId ?? null,
      };
    });
    const chunks = messages.flatMap((message, index) => chunksOf(message.text, index));
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

/** Passages with their place in code units, which clients count in, and in code points, which SQL counts in. */
function chunksOf(text: string, messageIndex: number): StoredChunk[] {
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
  return chunkText(text).map(({ start, end }) => {
    const p = pointsUntil(start);
    return { m: messageIndex, s: start, e: end, p, n: pointsUntil(end) - p };
  });
}

/** The analysed words of one passage, for the text index. */
export function tokensOf(messages: readonly StoredMessage[], chunk: StoredChunk): string {
  const message = messages[chunk.m];
  if (message === undefined) return "";
  return cut(indexTokens(message.text.slice(chunk.s, chunk.e), new Date(message.occurredAt)));
}

/** Several times what a passage of any language comes to; a few characters become whole sentences when they are normalised. */
const MAX_TOKEN_CHARACTERS = 8_000;

function cut(tokens: string): string {
  return tokens.length <= MAX_TOKEN_CHARACTERS ? tokens : tokens.slice(0, tokens.lastIndexOf(" ", MAX_TOKEN_CHARACTERS));
}
