import { storable } from "#core/text/normalize";
import { withoutReasoning } from "#core/text/reasoning";
import type { EpisodeInput } from "#domain/sessions";
import type { ParsedMessage } from "./parsed.ts";

/** What an episode may hold; longer exchanges become several. */
const MAX_MESSAGES = 50;
const MAX_CHARACTERS = 256_000;
/** The longest message that an episode takes; longer texts are cut at white space. */
const MAX_MESSAGE_CHARACTERS = 64_000;
const CUT_AFTER = 48_000;

/** A message that has a time, in the form in which it is stored. */
export type TimedMessage = { id: string; role: "user" | "assistant"; text: string; at: number };

/** Gives messages without a time that of the one before them; those at the beginning, that of the conversation, or of the first with one. */
export function timed(messages: readonly ParsedMessage[], { at, now }: { at: number | null; now: number }): TimedMessage[] {
  let latest = at ?? messages.find((message) => message.at !== null)?.at ?? now;
  return messages.flatMap(({ id, role, text, at: own }) => {
    latest = own ?? latest;
    const said = role === "assistant" ? withoutReasoning(text) : text;
    return parted(storable(said).trim()).map((part, i) => ({
      id: i === 0 ? id : `${id} part ${i + 1}`,
      role,
      text: part,
      at: latest,
    }));
  });
}

function parted(text: string): string[] {
  if (text.length <= MAX_MESSAGE_CHARACTERS) return text === "" ? [] : [text];
  const parts: string[] = [];
  let from = 0;
  while (text.length - from > MAX_MESSAGE_CHARACTERS) {
    const end = borderIn(text.slice(from, from + MAX_MESSAGE_CHARACTERS));
    parts.push(text.slice(from, from + end));
    from += end;
  }
  parts.push(text.slice(from));
  return parts.filter((part) => part.trim() !== "");
}

/** Where to cut: at the last line or word, and never between the halves of a surrogate pair. */
function borderIn(window: string): number {
  const border = Math.max(window.lastIndexOf("\n"), window.lastIndexOf(" "));
  if (border >= CUT_AFTER) return border + 1;
  const last = window.charCodeAt(window.length - 1);
  return last >= 0xd800 && last <= 0xdbff ? window.length - 1 : window.length;
}

/** Exchanges: what the user says, and what follows until they speak again. */
export function toEpisodes(messages: readonly TimedMessage[]): EpisodeInput[] {
  const groups: TimedMessage[][] = [];
  let characters = 0;
  for (const message of messages) {
    const group = groups.at(-1);
    const isNew = message.role === "user" && group?.at(-1)?.role === "assistant";
    const isFull = (group?.length ?? 0) >= MAX_MESSAGES || characters + message.text.length > MAX_CHARACTERS;
    if (group === undefined || isNew || isFull) {
      groups.push([message]);
      characters = message.text.length;
    } else {
      group.push(message);
      characters += message.text.length;
    }
  }
  return groups.map((group) => ({
    messages: group.map(({ id, role, text, at }) => ({
      role,
      content: text,
      messageId: id,
      occurredAt: new Date(at).toISOString(),
    })),
  }));
}
