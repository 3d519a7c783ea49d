import { sha256 } from "#core/ids";
import { textOfParts } from "#core/message-content";
import { withoutMemory } from "#core/text/memory-fence";
import { isOwnLabel } from "#core/text/normalize";
import { queryTerms } from "#core/text/query";
import { replyWithoutReasoning } from "#core/text/reasoning";
import { STOP_WORDS } from "#core/text/stop-words";

/** A message of a chat, in any shape that a client sends. */
export type ChatTurn = { role: string; content?: unknown; [name: string]: unknown };

/** A follow-up has fewer words than this; a longer message makes its own topic clear. */
const FEW_WORDS = 8;
/** Of a longer query, only the beginning and the end are searched for, where people put their questions. */
const MAX_QUERY_CHARACTERS = 4_000;

/** Of a long conversation, only the end is compared with the memories: a model still has that in its context. */
const MAX_COMPARED_CHARACTERS = 200_000;

/** First words of a message that continues the previous one. */
const GOES_ON =
  /^[\s¿¡]*(?:and|but|or|so|then|also|why|how so|(?:what|how) about|und|aber|oder|warum|wieso|was ist mit|et|mais|ou|pourquoi|y|pero|o|e|ma|por qu[eé]|perch[eé])(?![\p{L}\p{N}])|^\s*(?:那|还有|還有|为什么|為什麼|じゃあ|では|それ)/iu;
/** A word that refers to a previous message. */
const POINTS_BACK =
  /(?<![\p{L}\p{N}])(?:it|its|that|this|those|these|they|them|their|he|him|his|she|her|there|one|ones|same|er|sie|es|ihn|ihm|ihr|das|dort|dann|il|elle|lui|leur|[cç]a|cela|l[aà]|[eé]l|ella|eso|esto|all[ií])(?![\p{L}\p{N}])|[它他她这那這]|それ|これ|彼女?/iu;

/** The text of a message, from a string or parts, without memory that was injected into it. */
export function textOf({ content }: ChatTurn): string {
  return withoutMemory(textOfParts(content)).trim();
}

/**
 * What to search for before the next reply: the last user message; if that is short and refers to the one before ("And in winter?", "Does
 * she like it?"), both. "" if the user has said nothing.
 */
export function queryOf(messages: readonly ChatTurn[]): string {
  const said = lastSaid(messages);
  const last = shortened(said.at(-1) ?? "");
  const before = said.at(-2);
  return before !== undefined && isFollowUp(last) ? `${shortened(before)}\n${last}` : last;
}

/** The texts of the messages that the model reads anyway, the latest first, up to a number of characters. */
export function latestTexts(messages: readonly ChatTurn[]): string[] {
  const texts: string[] = [];
  let left = MAX_COMPARED_CHARACTERS;
  for (let i = messages.length - 1; i >= 0 && left > 0; i -= 1) {
    const turn = messages[i];
    if (turn === undefined) continue;
    const text = textOf(turn).slice(-left);
    texts.push(text);
    left -= text.length;
  }
  return texts;
}

/** The last two messages of the user that have words. */
function lastSaid(messages: readonly ChatTurn[]): string[] {
  const said: string[] = [];
  for (let i = messages.length - 1; i >= 0 && said.length < 2; i -= 1) {
    const turn = messages[i];
    const text = turn?.role === "user" ? textOf(turn) : "";
    if (text !== "") said.unshift(text);
  }
  return said;
}

function isFollowUp(text: string): boolean {
  const { words, terms } = queryTerms(text);
  if (words.length >= FEW_WORDS) return false;
  return terms.every(({ term }) => STOP_WORDS.has(term)) || GOES_ON.test(text) || POINTS_BACK.test(text);
}

/** A query cut to the length that is searched for. */
export function shortened(query: string): string {
  if (query.length <= MAX_QUERY_CHARACTERS) return query;
  const half = MAX_QUERY_CHARACTERS / 2;
  return `${query.slice(0, half)}\n${query.slice(-half)}`.toWellFormed();
}

/** A message in its stored form. */
export type Said = { role: "user" | "assistant"; content: string; messageId: string; speaker?: string };

/** A longer message is cut to this, the limit of a stored message. */
export const MAX_SAID_CHARACTERS = 64_000;
/** Of more, the latest are stored: an append of a hundred episodes holds this many beside the reply. */
export const MAX_NEW_TURNS = 4_999;
const MAX_SPEAKER_CHARACTERS = 200;

/**
 * The messages that an exchange adds to its session: the user's messages since the last reply, and the new reply. A message that only calls
 * tools is not a reply, because the user still waits for one; neither is the beginning of a reply that the model is to continue.
 * Instructions, tool results, injected memory and reasoning are left out. `continues` is the id of what came before the messages, if they
 * are not the whole conversation: the same words after something else are another message.
 */
export async function readExchange(messages: readonly ChatTurn[], reply: string, continues = ""): Promise<Said[]> {
  const talk = messages.filter(({ role }) => role === "user" || role === "assistant");
  const lastReply = lastReplyIn(messages, talk);
  const fresh: Said[] = [];
  let messageId = continues;
  for (const [i, turn] of talk.entries()) {
    const said = saidIn(turn);
    messageId = await nextId(messageId, said);
    if (i > lastReply && said.role === "user" && said.content !== "") fresh.push({ ...cut(said), messageId });
  }
  const latest = fresh.slice(-MAX_NEW_TURNS);
  const answer: Words = { role: "assistant", content: replyWithoutReasoning(withoutMemory(reply)).trim() };
  return answer.content === "" ? latest : [...latest, { ...cut(answer), messageId: await nextId(messageId, answer) }];
}

/** The label of the last user message, which the acting user is taken to have said, and its place; null if it has none. */
export function lastLabel(messages: readonly ChatTurn[]): { index: number; label: string } | null {
  const index = messages.findLastIndex(({ role }) => role === "user");
  const label = index < 0 ? null : speakerOf(messages[index] ?? { role: "" });
  return label === null ? null : { index, label };
}

/** The messages, of which that one has no label. */
export function withoutLabel(messages: readonly ChatTurn[], index: number): ChatTurn[] {
  return messages.map((turn, i) => (i === index ? { ...turn, name: undefined } : turn));
}

/** The index of the last reply in the talk; -1 for none. */
function lastReplyIn(messages: readonly ChatTurn[], talk: readonly ChatTurn[]): number {
  const begun = talk.at(-1) === messages.at(-1) ? talk.length - 1 : talk.length;
  return talk.findLastIndex((turn, i) => i < begun && turn.role === "assistant" && !callsTools(turn));
}

type Words = Omit<Said, "messageId">;

/** A message's `name` is its label. A message whose label does not name the acting user counts as nobody's statement. */
function saidIn(turn: ChatTurn): Words {
  const content = textOf(turn);
  if (turn.role !== "user") return { role: "assistant", content };
  const speaker = speakerOf(turn);
  return { role: "user", content, ...(speaker === null ? {} : { speaker }) };
}

/** The name that a message gives its speaker. */
function speakerOf({ name }: ChatTurn): string | null {
  return typeof name === "string" && name.trim() !== "" ? name.slice(0, MAX_SPEAKER_CHARACTERS) : null;
}

function cut(said: Words): Words {
  return { ...said, content: said.content.slice(0, MAX_SAID_CHARACTERS) };
}

/** Whether an assistant's message calls tools, with which it may have no text. */
export function callsTools(turn: ChatTurn): boolean {
  const calls = turn.tool_calls;
  return (Array.isArray(calls) && calls.length > 0) || (turn.function_call !== undefined && turn.function_call !== null);
}

/**
 * A message's id is a hash of the conversation up to it, so that a request that is sent or generated again stores it once. Each id is made
 * from the one before, so that a long conversation is hashed in one pass.
 */
async function nextId(before: string, { role, content, speaker = "" }: Words): Promise<string> {
  return `chat-${(await sha256(JSON.stringify([before, role, content, speaker]))).slice(0, 40)}`;
}

/** The most messages in one episode. */
const MAX_MESSAGES = 50;
/** The most bytes of an append's messages: half of what a row may hold, because redacting a secret may lengthen a text. */
const MAX_BYTES = 1_000_000;

type Append = { messages: Said[] }[];

/** The messages that an exchange adds, split into appends of episodes that fit a row and a statement. Nearly always one episode. */
export function packExchange(said: readonly Said[]): Append[] {
  const encoder = new TextEncoder();
  const appends: Append[] = [];
  let bytes = Number.POSITIVE_INFINITY;
  for (const message of said) {
    const size = encoder.encode(JSON.stringify(message)).length;
    if (bytes + size > MAX_BYTES) {
      appends.push([{ messages: [] }]);
      bytes = 0;
    }
    const append = appends.at(-1) ?? [];
    if ((append.at(-1)?.messages.length ?? 0) >= MAX_MESSAGES) append.push({ messages: [] });
    append.at(-1)?.messages.push(message);
    bytes += size;
  }
  return appends;
}

/** Only the end of a long conversation is read, because the reply waits for it. */
const MAX_ASKER_CHARACTERS = 50_000;

/** Whether a message is the acting user's: a user message without a `name`, or with one of theirs. With another name it is nobody's. */
export function isByAsker(turn: ChatTurn, names: readonly string[]): boolean {
  const label = speakerOf(turn);
  return turn.role === "user" && (label === null || isOwnLabel(label, names));
}

/** What the acting user has said in the conversation: before the last reply, and since. */
export function saidByAsker(messages: readonly ChatTurn[], names: readonly string[]): { before: string[]; now: string[] } {
  const talk = messages.filter(({ role }) => role === "user" || role === "assistant");
  const lastReply = lastReplyIn(messages, talk);
  const [before, now]: [string[], string[]] = [[], []];
  let left = MAX_ASKER_CHARACTERS;
  for (const [i, turn] of [...talk.entries()].reverse()) {
    if (!isByAsker(turn, names)) continue;
    const text = textOf(turn);
    left -= text.length;
    if (left < 0) break;
    (i > lastReply ? now : before).unshift(text);
  }
  return { before, now };
}

/** The user's question, if the conversation ends with a text message of theirs. */
export function questionIn(messages: readonly ChatTurn[]): string | null {
  const last = messages.at(-1);
  if (last === undefined || last.role !== "user") return null;
  const isPlain = typeof last.content === "string" || (Array.isArray(last.content) && last.content.every(isText));
  const text = textOf(last);
  return isPlain && text !== "" ? text : null;
}

function isText(part: unknown): boolean {
  return typeof part === "object" && part !== null && "type" in part && part.type === "text";
}
