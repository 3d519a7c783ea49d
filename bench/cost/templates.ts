import { parseEpisodesInput } from "../../src/domain/sessions/parse-episodes-input.ts";
import { between, chatText, type Random, randomOf } from "./chat-text.ts";

const MONTHS = 12;
const PER_MONTH = 250;
const FIRST_MONTH = Date.UTC(2026, 0, 10, 9);
const MONTH_MS = 30 * 86_400_000;
const MINUTE_MS = 60_000;
/** Placeholder in a template for the text that is unique in each episode. */
const MESSAGE_ID = "@message-id@";

/** A template for many episodes: parsed by the product itself, so that its stored form equals that of an append. */
export type Template = {
  messages: readonly string[];
  chunks: string;
  chunkCount: number;
  tokens: readonly string[];
  occurredAt: number;
};

/** Months of templates. A million episodes of these few thousand hold the same words as often as if each were written anew. */
export function makeTemplates(): Template[][] {
  const random = randomOf(42);
  return Array.from({ length: MONTHS }, (_, month) =>
    Array.from({ length: PER_MONTH }, (_, i) => template(random, FIRST_MONTH + month * MONTH_MS + i * MINUTE_MS)),
  );
}

function template(random: Random, occurredAt: number): Template {
  const input = {
    occurredAt: new Date(occurredAt).toISOString(),
    messages: exchange(random).map((message) => ({ ...message, messageId: MESSAGE_ID })),
  };
  const [draft] = parseEpisodesInput([input], { now: occurredAt, newId: () => "" });
  if (draft === undefined) throw new Error("An episode was not drafted.");
  return {
    messages: JSON.stringify(draft.messages).split(MESSAGE_ID),
    chunks: JSON.stringify(draft.chunks),
    chunkCount: draft.chunks.length,
    tokens: draft.tokens,
    occurredAt,
  };
}

/** The length of one message of a person and of an assistant. */
export function exchange(random: Random): { role: "user" | "assistant"; content: string }[] {
  return [
    { role: "user", content: chatText(random, between(random, 8, 25)) },
    { role: "assistant", content: chatText(random, between(random, 15, 55)) },
  ];
}
