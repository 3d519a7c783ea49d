import { sha256 } from "#core/key";
import { withoutMemory } from "#core/text/memory-fence";
import type { ChatTurn } from "./inject.ts";
import { textOf } from "./read-turns.ts";

/** A message as it is stored. */
export type Said = { role: "user" | "assistant"; text: string; messageId: string; speaker?: string };

/** Longer ones are stored up to here, the limit of a message. */
export const MAX_SAID_CHARACTERS = 64_000;
/** An episode's limit of 50 leaves room for the reply. */
const MAX_NEW_TURNS = 49;
const MAX_SPEAKER_CHARACTERS = 200;

/**
 * What an exchange adds to its session: the user's messages since the last reply, and the new reply. A reply that only called tools ends
 * nothing, because the user still waits. Instructions, tool results and injected memory are no talk.
 */
export async function readExchange(messages: readonly ChatTurn[], reply: string, isGroup: boolean): Promise<Said[]> {
  const talk = messages.filter(({ role }) => role === "user" || role === "assistant");
  const lastReply = talk.findLastIndex((turn) => turn.role === "assistant" && !callsTools(turn));
  const fresh = talk.flatMap((turn, i) => (i > lastReply && turn.role === "user" && textOf(turn) !== "" ? [i] : []));
  const said = await Promise.all(
    fresh.slice(-MAX_NEW_TURNS).map(async (i): Promise<Said[]> => {
      const turn = talk[i];
      return turn === undefined ? [] : [{ ...saidBy(turn, isGroup), messageId: await idOf(talk.slice(0, i + 1).map(wordsOf)) }];
    }),
  );
  const text = withoutMemory(reply).trim();
  if (text === "") return said.flat();
  const messageId = await idOf([...talk.map(wordsOf), ["assistant", text]]);
  return [...said.flat(), { role: "assistant", text: text.slice(0, MAX_SAID_CHARACTERS), messageId }];
}

/** In a group, a message's `name` says who speaks; in private it is the user, whatever it says. */
function saidBy(turn: ChatTurn, isGroup: boolean): Omit<Said, "messageId"> {
  const text = textOf(turn).slice(0, MAX_SAID_CHARACTERS);
  const speaker = isGroup && typeof turn.name === "string" ? turn.name.slice(0, MAX_SPEAKER_CHARACTERS) : "";
  return { role: "user", text, ...(speaker === "" ? {} : { speaker }) };
}

function callsTools(turn: ChatTurn): boolean {
  const calls = turn.tool_calls;
  return (Array.isArray(calls) && calls.length > 0) || (turn.function_call !== undefined && turn.function_call !== null);
}

type Words = [role: string, text: string];

function wordsOf(turn: ChatTurn): Words {
  return [turn.role, textOf(turn)];
}

/** The same conversation up to a message names it alike, so that a request that is sent or generated again stores it once. */
async function idOf(conversation: readonly Words[]): Promise<string> {
  return `chat-${(await sha256(JSON.stringify(conversation))).slice(0, 40)}`;
}
