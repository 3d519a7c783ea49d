/** A message of a model's prompt, in the form of every version of the AI SDK. */
export type PromptMessage = { readonly role: string; readonly content: unknown };

/** What `POST /v1/context` reads of a conversation. */
export type Turn = { role: string; content: string };

/** A message in its stored form. */
export type Said = { role: "user" | "assistant"; content: string; messageId: string };

/** The most messages that a request for context may have. */
const MAX_TURNS = 2_000;
/** Of a long conversation only the end is sent: the service compares no more with what it knows. */
const MAX_TURN_CHARACTERS = 200_000;
/** A longer message is cut to this, the limit of a stored message. */
const MAX_SAID_CHARACTERS = 64_000;
/** Reasoning that some servers leave in front of a reply. The closing tag is missing where the reply was cut. */
const REASONING = /^\s*<think(?:ing)?>[\s\S]*?(?:<\/think(?:ing)?>|$)/i;

/** The text of a message: its text parts, each on lines of its own. Images, reasoning and tool calls have none. */
function textOf({ content }: PromptMessage): string {
  if (typeof content === "string") return content;
  return partsOf(content)
    .flatMap((part) => (part.type === "text" && typeof part.text === "string" ? [part.text] : []))
    .join("\n");
}

type Part = { type?: unknown; text?: unknown; providerExecuted?: unknown };

function partsOf(content: unknown): Part[] {
  return Array.isArray(content) ? content.filter((part) => typeof part === "object" && part !== null) : [];
}

/** Whether a message waits for the result of a tool. Those that the provider ran itself have theirs in the same message. */
function callsTools({ content }: PromptMessage): boolean {
  return partsOf(content).some(({ type, providerExecuted }) => type === "tool-call" && providerExecuted !== true);
}

/** The conversation for a request for context, its end if it is long. Messages without text and results of tools are left out. */
export function turnsOf(prompt: readonly PromptMessage[]): Turn[] {
  const turns: Turn[] = [];
  let left = MAX_TURN_CHARACTERS;
  for (const message of [...prompt].reverse()) {
    const content = message.role === "tool" ? "" : textOf(message).slice(-left).toWellFormed().trim();
    if (content === "") continue;
    turns.unshift({ role: message.role, content });
    left -= content.length;
    if (left <= 0 || turns.length === MAX_TURNS) break;
  }
  return turns;
}

/**
 * The name of the turn that a prompt belongs to, which is the same in every step of a tool loop: a hash of the conversation up to the
 * user's last message. Null if the user has said nothing.
 */
export async function turnKeyOf(prompt: readonly PromptMessage[]): Promise<string | null> {
  const last = prompt.findLastIndex(({ role }) => role === "user");
  if (last === -1) return null;
  const said = prompt.slice(0, last + 1).map((message) => [message.role, textOf(message), partsOf(message.content).length]);
  return await sha256(JSON.stringify(said));
}

/**
 * The messages that an exchange adds to its session: what the user has said since the last reply, and the new reply. An assistant's message
 * that calls tools is not a reply, because the user still waits for one; nor is one at the end of the prompt, which the model continues.
 */
export async function exchangeOf(prompt: readonly PromptMessage[], reply: string): Promise<Said[]> {
  const talk = prompt.filter(({ role }) => role === "user" || role === "assistant");
  const begun = talk.at(-1) === prompt.at(-1) ? talk.length - 1 : talk.length;
  const lastReply = talk.findLastIndex((message, i) => i < begun && message.role === "assistant" && !callsTools(message));
  const fresh: Said[] = [];
  let messageId = "";
  for (const [i, message] of talk.entries()) {
    const said = wordsOf(message.role, textOf(message));
    messageId = await nextId(messageId, said);
    if (i > lastReply && said.role === "user" && said.content !== "") fresh.push({ ...cut(said), messageId });
  }
  const answer = wordsOf("assistant", reply.replace(REASONING, ""));
  return answer.content === "" ? fresh : [...fresh, { ...cut(answer), messageId: await nextId(messageId, answer) }];
}

/** Whether a prompt has nothing before the exchange: it is the first of its conversation, or the app sends no history. */
export function isWithoutHistory(prompt: readonly PromptMessage[]): boolean {
  return !prompt.slice(0, -1).some((message) => message.role === "assistant" && !callsTools(message));
}

type Words = Omit<Said, "messageId">;

function wordsOf(role: string, text: string): Words {
  return { role: role === "user" ? "user" : "assistant", content: text.trim() };
}

function cut({ role, content }: Words): Words {
  return { role, content: content.slice(0, MAX_SAID_CHARACTERS).toWellFormed() };
}

/**
 * A message's id is a hash of the conversation up to it, so that a call that is made again stores it once. Each id is made from the one
 * before, so that a long conversation is hashed in one pass. The service's proxy makes the same ids; the empty text is a speaker's label,
 * which no message has here.
 */
async function nextId(before: string, { role, content }: Words): Promise<string> {
  return `chat-${(await sha256(JSON.stringify([before, role, content, ""]))).slice(0, 40)}`;
}

async function sha256(text: string): Promise<string> {
  // The types of a browser say that it is always there, which holds for secure pages only.
  if (typeof crypto === "undefined" || crypto.subtle === undefined)
    throw new Error("Memory needs crypto.subtle, which browsers have on https pages and on localhost only.");
  const digest = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(text));
  return Array.from(new Uint8Array(digest), (byte) => byte.toString(16).padStart(2, "0")).join("");
}
