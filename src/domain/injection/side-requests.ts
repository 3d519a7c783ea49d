import { isRecord } from "#core/is-record";
import { type ChatTurn, textOf } from "./read-turns.ts";

/**
 * The frames in which chat apps ask a model about a conversation, as their documentation and sources have them: a message begins with the
 * first text and has the others after it, in this order. Each has the instruction of one app and the place where it quotes the conversation,
 * so that a user's own words are none of these. It is in the only message of the user, or in an instruction without one.
 */
const QUOTING: readonly (readonly string[])[] = [
  // Open WebUI: titles, tags, follow-ups, search queries, prompts for images, and autocompletion; titles of older releases; emoji.
  ["### Task:", "<chat_history>", "</chat_history>"],
  ["Create a concise, 3-5 word title", "<chat_history>", "</chat_history>"],
  ["Your task is to reflect the speaker's likely facial expression", "Message:"],
  // LibreChat: titles, by each of its methods and in older releases.
  [
    "Analyze this conversation and provide:",
    "The detected language of the conversation",
    "A concise title in the detected language",
  ],
  ["Provide a concise, 5-word-or-less title for the conversation", "Only return the title itself.", "Conversation:"],
  ["Please generate a concise, 5-word-or-less title for the conversation", "||>User:", "||>Title:"],
  ["Please generate a concise title (max 40 characters) for a conversation that starts with:", "User:", "Title:"],
  ["Detect user language and write in the same language an extremely concise title for this conversation", "||>Title:"],
  ["Write a concise title for this conversation in the given language.", "Title in 5 Words or Less."],
  // Chatbox and DeepChat: titles.
  ["Based on the chat history, give this conversation a name.", "Just provide the name, nothing else."],
  ["You need to summarize the user's conversation into a title of no more than 10 words"],
];

/** Frames in an instruction, which the only message of the user follows, as a quote of the conversation. */
const BEFORE_QUOTES: readonly (readonly string[])[] = [
  // Open WebUI: tools.
  ["Available Tools:", "Your task is to choose and return the correct tool(s)"],
  // Cherry Studio and others: titles.
  ["You are an assistant skilled in conversation. You need to summarize the user's conversation into a title"],
  ["You need to summarize the user's conversation into a title of no more than 10 words"],
];
/** How those apps begin such a quote: a message as JSON, who said it, or what is asked. */
const QUOTE = /^(?:\[\{"|(?:user|assistant|system|query|history):\s)/i;

/** NextChat asks at the end of the conversation itself. */
const AT_THE_END: readonly (readonly string[])[] = [
  ["Please generate a four to five word title summarizing our conversation without any lead-in, punctuation, quotation marks"],
  ["Summarize the discussion briefly in 200 words or less to use as a prompt for future context."],
];

/** What Open WebUI calls such a request in its metadata, where it passes them on. With these there is a `task_body`, the request for them. */
const OPEN_WEBUI_TASKS: readonly unknown[] = [
  "title_generation",
  "follow_up_generation",
  "tags_generation",
  "emoji_generation",
  "query_generation",
  "image_prompt_generation",
  "autocomplete_generation",
];

/**
 * Whether a chat app asks for itself, for a title, tags, suggestions or a search query, and not for its user: what it sends is no talk. In
 * a conversation with replies somebody has pasted a frame; and what a user says to an app is talk, whatever its instructions look like.
 */
export function isSideRequest(messages: readonly ChatTurn[], metadata: unknown): boolean {
  if (isRecord(metadata) && OPEN_WEBUI_TASKS.includes(metadata.task) && metadata.task_body != null) return true;
  const last = messages.at(-1);
  if (last === undefined || last.role === "assistant" || last.role === "tool") return false;
  if (hasFrame(last, AT_THE_END)) return true;
  if (messages.some(({ role }) => role === "assistant")) return false;
  const instructions = messages.filter(({ role }) => role !== "user");
  const [said, another] = messages.filter(({ role }) => role === "user");
  if (said === undefined) return instructions.some((turn) => hasFrame(turn, QUOTING));
  if (another !== undefined) return false;
  return hasFrame(said, QUOTING) || (QUOTE.test(textOf(said)) && instructions.some((turn) => hasFrame(turn, BEFORE_QUOTES)));
}

function hasFrame(turn: ChatTurn, frames: readonly (readonly string[])[]): boolean {
  const text = textOf(turn);
  return frames.some(([start = "", ...others]) => text.startsWith(start) && isInOrder(text, others));
}

function isInOrder(text: string, parts: readonly string[]): boolean {
  let from = 0;
  for (const part of parts) {
    const at = text.indexOf(part, from);
    if (at === -1) return false;
    from = at + part.length;
  }
  return true;
}
