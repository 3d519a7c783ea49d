import { isOwnLabel } from "#core/text/own-label";
import type { ChatTurn } from "./inject.ts";
import { lastReplyIn, speakerOf } from "./read-exchange.ts";
import { textOf } from "./read-turns.ts";

/** Of a long conversation the end counts: a question waits for its being read. */
const MAX_CHARACTERS = 50_000;

/** Where a chat happens, and the names by which labels may mean the acting user. */
type Asker = { isGroup: boolean; names: readonly string[] };

/** Whether a message is the acting user's: in private whatever `name` says, in a group unless `name` is none of theirs. It never makes it another user's. */
export function isByAsker(turn: ChatTurn, { isGroup, names }: Asker): boolean {
  const label = isGroup ? speakerOf(turn) : null;
  return turn.role === "user" && (label === null || isOwnLabel(label, names));
}

/** What the acting user has said in the conversation: up to the last reply, and since. */
export function saidByAsker(messages: readonly ChatTurn[], asker: Asker): { before: string[]; now: string[] } {
  const talk = messages.filter(({ role }) => role === "user" || role === "assistant");
  const lastReply = lastReplyIn(messages, talk);
  const [before, now]: [string[], string[]] = [[], []];
  let left = MAX_CHARACTERS;
  for (const [i, turn] of [...talk.entries()].reverse()) {
    if (!isByAsker(turn, asker)) continue;
    const text = textOf(turn);
    left -= text.length;
    if (left < 0) break;
    (i > lastReply ? now : before).unshift(text);
  }
  return { before, now };
}
