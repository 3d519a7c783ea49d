import { sha256 } from "#core/key";
import { withoutMemory } from "#core/text/memory-fence";
import { separateReasoning } from "#core/text/reasoning";
import type { ChatTurn } from "./inject.ts";
import { textOf } from "./read-turns.ts";

/** A message as it is stored. */
export type Said = { role: "user" | "assistant"; content: string; messageId: string; speaker?: string };

/** Longer ones are stored up to here, the limit of a message. */
export const MAX_SAID_CHARACTERS = 64_000;
/** Of more, the latest are stored: what an append of a hundred episodes holds beside the reply. */
export const MAX_NEW_TURNS = 4_999;
const MAX_SPEAKER_CHARACTERS = 200;

/**
 * What an exchange adds to its session: the user's messages since the last reply, and the new reply. A reply that only called tools ends
 * nothing, because the user still waits, and neither does the beginning of a reply that the model is to go on with. Instructions, tool
 * results, injected memory and what a model thought are no talk.
 */
export async function readExchange(messages: readonly ChatTurn[], reply: string): Promise<Said[]> {
  const talk = messages.filter(({ role }) => role === "user" || role === "assistant");
  const lastReply = lastReplyIn(messages, talk);
  const fresh: Said[] = [];
  let messageId = "";
  for (const [i, turn] of talk.entries()) {
    const said = saidIn(turn);
    messageId = await nextId(messageId, said);
    if (i > lastReply && said.role === "user" && said.content !== "") fresh.push({ ...cut(said), messageId });
  }
  const latest = fresh.slice(-MAX_NEW_TURNS);
  const answer: Words = { role: "assistant", content: separateReasoning(withoutMemory(reply)).text.trim() };
  return answer.content === "" ? latest : [...latest, { ...cut(answer), messageId: await nextId(messageId, answer) }];
}

/** Where the last reply stands in the talk; -1 for none. */
export function lastReplyIn(messages: readonly ChatTurn[], talk: readonly ChatTurn[]): number {
  const begun = talk.at(-1) === messages.at(-1) ? talk.length - 1 : talk.length;
  return talk.findLastIndex((turn, i) => i < begun && turn.role === "assistant" && !callsTools(turn));
}

type Words = Omit<Said, "messageId">;

/** A message's `name` is its label: one that is not the acting user's makes it nobody's statement. */
function saidIn(turn: ChatTurn): Words {
  const content = textOf(turn);
  if (turn.role !== "user") return { role: "assistant", content };
  const speaker = speakerOf(turn);
  return { role: "user", content, ...(speaker === null ? {} : { speaker }) };
}

/** The name that a message gives its speaker. */
export function speakerOf({ name }: ChatTurn): string | null {
  return typeof name === "string" && name.trim() !== "" ? name.slice(0, MAX_SPEAKER_CHARACTERS) : null;
}

function cut(said: Words): Words {
  return { ...said, content: said.content.slice(0, MAX_SAID_CHARACTERS) };
}

function callsTools(turn: ChatTurn): boolean {
  const calls = turn.tool_calls;
  return (Array.isArray(calls) && calls.length > 0) || (turn.function_call !== undefined && turn.function_call !== null);
}

/**
 * The same conversation up to a message names it alike, so that a request that is sent or generated again stores it once. Each name is made
 * of the one before, so that a long conversation is read once.
 */
async function nextId(before: string, { role, content, speaker = "" }: Words): Promise<string> {
  return `chat-${(await sha256(JSON.stringify([before, role, content, speaker]))).slice(0, 40)}`;
}
