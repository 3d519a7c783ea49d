import { isOwnLabel } from "#core/text/own-label";
import type { ChatTurn } from "./inject.ts";
import { lastReplyIn, speakerOf } from "./read-exchange.ts";
import { textOf } from "./read-turns.ts";

/** Of a long conversation the end counts: a question waits for its being read. */
const MAX_CHARACTERS = 50_000;

/** Whether a message is the acting user's: unless its `name` is none of theirs, which never makes it another user's. */
export function isByAsker(turn: ChatTurn, names: readonly string[]): boolean {
  const label = speakerOf(turn);
  return turn.role === "user" && (label === null || isOwnLabel(label, names));
}

/** What the acting user has said in the conversation: up to the last reply, and since. */
export function saidByAsker(messages: readonly ChatTurn[], names: readonly string[]): { before: string[]; now: string[] } {
  const talk = messages.filter(({ role }) => role === "user" || role === "assistant");
  const lastReply = lastReplyIn(messages, talk);
  const [before, now]: [string[], string[]] = [[], []];
  let left = MAX_CHARACTERS;
  for (const [i, turn] of [...talk.entries()].reverse()) {
    if (!isByAsker(turn, names)) continue;
    const text = textOf(turn);
    left -= text.length;
    if (left < 0) break;
    (i > lastReply ? now : before).unshift(text);
  }
  return { before, now };
}
