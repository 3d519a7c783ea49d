import { describe, expect, it } from "vitest";
import type { ChatTurn } from "./read-turns.ts";
import { isSideRequest } from "./side-requests.ts";

const user = (content: unknown): ChatTurn => ({ role: "user", content });
const system = (content: unknown): ChatTurn => ({ role: "system", content });
const reply = { role: "assistant", content: "Noted." };
const HISTORY = "### Chat History:\n<chat_history>\nUSER: I hate dill.\nASSISTANT: Noted.\n</chat_history>";
const isSide = (messages: ChatTurn[], metadata?: unknown) => isSideRequest(messages, metadata);

/** As the apps' default templates begin, shortened in the middle. */
const OF_APPS: Readonly<Record<string, ChatTurn[]>> = {
  "Open WebUI: title": [user(`### Task:\nGenerate a concise, 3-5 word title with an emoji.\n### Guidelines:\n…\n${HISTORY}`)],
  "Open WebUI: title, in parts": [
    system("You are helpful."),
    user([{ type: "text", text: `### Task:\nGenerate a concise title.\n${HISTORY}` }]),
  ],
  "Open WebUI: tags": [user(`### Task:\nGenerate 1-3 broad tags categorizing the main themes.\n${HISTORY}`)],
  "Open WebUI: follow-ups": [user(`### Task:\nSuggest 3-5 relevant follow-up questions.\n### Output:\n…\n${HISTORY}`)],
  "Open WebUI: search": [user(`### Task:\nAnalyze the chat history to determine the necessity of search queries.\n${HISTORY}\n`)],
  "Open WebUI: autocompletion": [
    user(
      "### Task:\nYou are an autocompletion system.\n### Context:\n<chat_history>\n</chat_history>\n<type>General</type>\n<text>I ha</text>",
    ),
  ],
  "Open WebUI: older title": [
    user(`Create a concise, 3-5 word title with an emoji as a title for the chat history.\n\n${HISTORY}`),
  ],
  "Open WebUI: emoji": [
    user(
      "Your task is to reflect the speaker's likely facial expression through a fitting emoji. Interpret emotions.\n\nMessage: ```I hate dill```",
    ),
  ],
  "Open WebUI: tools": [
    system("Available Tools: []\n\nYour task is to choose and return the correct tool(s) from the list."),
    user('Query: History:\nUSER: """I hate dill"""\nQuery: What now?'),
  ],
  "LibreChat: title": [
    user(
      "Analyze this conversation and provide:\n1. The detected language of the conversation\n2. A concise title in the detected language (5 words or less, no punctuation or quotation)\n\nUser: I hate dill.",
    ),
  ],
  "LibreChat: title by completion": [
    user(
      "Provide a concise, 5-word-or-less title for the conversation, using title case conventions. Only return the title itself.\n\nConversation:\nI hate dill.",
    ),
  ],
  "LibreChat: older title": [
    system(
      'Please generate a concise, 5-word-or-less title for the conversation, using its same language.\n\n||>User:\n"I hate dill."\n||>Response:\n"Noted."\n\n||>Title:',
    ),
  ],
  "Chatbox: name": [
    user(
      "Based on the chat history, give this conversation a name.\nKeep it short.\nJust provide the name, nothing else.\n\n```\nI hate dill\n```",
    ),
  ],
  "Cherry Studio: title": [
    system(
      "You are an assistant skilled in conversation. You need to summarize the user's conversation into a title within 10 words.",
    ),
    user('[{"role":"user","mainText":"I hate dill."},{"role":"assistant","mainText":"Noted."}]'),
  ],
  "Cherry Studio: older title": [
    system(
      "You are an assistant skilled in conversation. You need to summarize the user's conversation into a title within 10 words.",
    ),
    user("User: I hate dill.\nAssistant: Noted."),
  ],
  "DeepChat: title": [
    user(
      "You need to summarize the user's conversation into a title of no more than 10 words, without using punctuation：\nuser: I hate dill.",
    ),
  ],
  "NextChat: title": [
    user("I hate dill."),
    reply,
    user(
      "Please generate a four to five word title summarizing our conversation without any lead-in, punctuation, quotation marks, periods, symbols, bold text, or additional text. Remove enclosing quotation marks.",
    ),
  ],
};

describe("a side request", () => {
  it.each(Object.entries(OF_APPS))("is that of %s", (_, messages) => {
    expect(isSide(messages)).toBe(true);
  });

  it("is one that Open WebUI's metadata call so", () => {
    expect(isSide([user("x")], { task: "tags_generation", task_body: {}, chat_id: "c" })).toBe(true);
    for (const metadata of [{ task: "shopping", task_body: {} }, { task: null, task_body: {} }, "title_generation", null])
      expect(isSide([user("x")], metadata)).toBe(false);
  });

  it("is none that has only the name of a task in common with Open WebUI's metadata", () => {
    for (const metadata of [{ task: "function_calling" }, { task: "title_generation" }, { task: "query_generation", user: "a" }])
      expect(isSide([user("x")], metadata)).toBe(false);
  });
});

describe("a user's own message", () => {
  it.each([
    "### Task:\nWrite a shopping list.\n### Guidelines:\n- no dill",
    "### Task:\nRespond to the user query using the provided context.\n<context>…</context>\n<user_query>\nWhat is dill?\n</user_query>",
    `Look at this prompt: ### Task:\nGenerate a title.\n${HISTORY}`,
    "Please generate a concise title for my novel.",
    "Generate a concise, 3-5 word title with an emoji for my blog post about dill.",
    "What is <chat_history> for?",
    "Provide a concise, 5-word-or-less title for the conversation between Romeo and Juliet.",
    "Available Tools: hammer, saw. Which do I need?",
    "",
  ])("is none: %j", (text) => {
    expect(isSide([user(text)])).toBe(false);
    expect(isSide([system("Be brief."), user(text)])).toBe(false);
  });

  it("is none where a frame is pasted into a chat, or ends before the last message", () => {
    const frame = OF_APPS["Open WebUI: title"] ?? [];
    expect(isSide([user("Hello"), reply, ...frame])).toBe(false);
    expect(isSide([...frame, reply])).toBe(false);
    expect(isSide([...frame, user("What do you think of this prompt?")])).toBe(false);
    expect(isSide([])).toBe(false);
  });

  it("is none because an app's instructions are in the form of a frame", () => {
    const instructions = system("### Task:\nAnswer the customer.\n<chat_history></chat_history>\nBe kind.");
    expect(isSide([instructions, user("I hate dill.")])).toBe(false);
    expect(isSide([user("I hate dill."), instructions])).toBe(false);
    expect(isSide([{ ...instructions, role: "developer" }, user("I hate dill.")])).toBe(false);
    expect(isSide([instructions, user("I hate dill.")], { task: "function_calling" })).toBe(false);
    for (const app of ["Open WebUI: tools", "Cherry Studio: title"])
      expect(isSide([...(OF_APPS[app] ?? []).slice(0, 1), user("I hate dill.")])).toBe(false);
    // With nothing else in the request, it is one.
    expect(isSide([instructions])).toBe(true);
  });
});
