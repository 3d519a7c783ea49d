import { nameKey } from "#core/text/name-key";
import type { ChatTurn } from "./inject.ts";
import { lastReplyIn, speakerOf } from "./read-exchange.ts";
import { textOf } from "./read-turns.ts";

/** Of a long conversation the end counts: a question waits for its being read. */
const MAX_CHARACTERS = 50_000;

/** What whoever speaks last has said in the conversation: up to the last reply, and since. In private that is the user, whatever `name` says. */
export function saidByAsker(messages: readonly ChatTurn[], isGroup: boolean): { before: string[]; now: string[] } {
  const talk = messages.filter(({ role }) => role === "user" || role === "assistant");
  const lastReply = lastReplyIn(messages, talk);
  const asker = keyOf(talk.at(-1));
  const [before, now]: [string[], string[]] = [[], []];
  let left = MAX_CHARACTERS;
  for (const [i, turn] of [...talk.entries()].reverse()) {
    if (turn.role !== "user" || (isGroup && keyOf(turn) !== asker)) continue;
    const text = textOf(turn);
    left -= text.length;
    if (left < 0) break;
    (i > lastReply ? now : before).unshift(text);
  }
  return { before, now };
}

function keyOf(turn: ChatTurn | undefined): string {
  return nameKey((turn === undefined ? null : speakerOf(turn)) ?? "");
}
