import { once } from "node:events";
import { createWriteStream } from "node:fs";
import { finished } from "node:stream/promises";

/** Words of which the texts are made, so that the text index has something to analyse. */
const WORDS =
  "the a my our when where how why garden kitchen train ticket recipe travel budget meeting server database query index library window bicycle winter summer teacher doctor music piano guitar language grammar market price coffee bread cheese apple river mountain forest city village house table chair lamp paper letter question answer problem solution example function value string number list reason plan project design colour picture story chapter book film actor weather rain snow sun wind cloud water fire stone glass metal cotton wool leather paint brush hammer nail screw door floor roof wall".split(
    " ",
  );
const MESSAGES_A_CONVERSATION = 12;
const USER_WORDS = 30;
const ASSISTANT_WORDS = 180;
const FIRST_AT = 1_680_000_000;

export type Made = { bytes: number; conversations: number; messages: number };

/**
 * Writes an export of ChatGPT of about so many bytes: trees with a hidden system message, tools, abandoned branches and as much metadata as
 * the platform's own. The same size gives the same file.
 */
export async function writeExport(file: string, bytes: number): Promise<Made> {
  const out = createWriteStream(file);
  const made: Made = { bytes: 0, conversations: 0, messages: 0 };
  const random = randomOf(1);
  const write = async (text: string) => {
    made.bytes += Buffer.byteLength(text);
    if (!out.write(text)) await once(out, "drain");
  };
  while (made.bytes < bytes) {
    const messages = 2 + 2 * Math.floor(random() * (MESSAGES_A_CONVERSATION - 1));
    const conversation = conversationOf(made.conversations, messages, random);
    await write(`${made.conversations === 0 ? "[" : ",\n"}${JSON.stringify(conversation)}`);
    made.conversations += 1;
    made.messages += messages;
  }
  await write("]");
  out.end();
  await finished(out);
  return made;
}

type Random = () => number;

function conversationOf(number: number, messages: number, random: Random) {
  const id = idOf(number, 0);
  const at = FIRST_AT + number * 3_600;
  const nodes: Record<string, object> = {};
  const add = (name: string, parent: string | null, message: object | null) => {
    nodes[name] = { id: name, message, parent, children: [] };
    return name;
  };
  let last = add(`${id}-root`, null, null);
  last = add(`${id}-system`, last, messageOf("system", "", at, { is_visually_hidden_from_conversation: true }));
  for (let i = 0; i < messages; i += 1) {
    const isUser = i % 2 === 0;
    const time = at + i * 20.25;
    if (!isUser && random() < 0.1) {
      last = add(idOf(number, 1_000 + i), last, messageOf("assistant", textOf(10, random), time, {}, "python"));
      last = add(idOf(number, 2_000 + i), last, messageOf("tool", textOf(60, random), time, {}));
    }
    if (isUser && random() < 0.1) add(idOf(number, 3_000 + i), last, messageOf("user", textOf(USER_WORDS, random), time, {}));
    const words = 1 + Math.floor(random() * 2 * (isUser ? USER_WORDS : ASSISTANT_WORDS));
    last = add(idOf(number, 1 + i), last, messageOf(isUser ? "user" : "assistant", textOf(words, random), time, {}));
  }
  return {
    title: random() < 0.05 ? null : textOf(5, random),
    ...{ create_time: at, update_time: at + messages * 20.25, mapping: nodes, moderation_results: [], current_node: last },
    ...{
      plugin_ids: null,
      conversation_id: id,
      conversation_template_id: null,
      gizmo_id: null,
      is_archived: false,
      safe_urls: [],
    },
    ...{ default_model_slug: "gpt-4o", disabled_tool_ids: [], memory_scope: "global_enabled", id },
  };
}

function messageOf(role: string, text: string, time: number, metadata: object, recipient = "all") {
  return {
    ...{ id: `message-${time}`, author: { role, name: null, metadata: {} }, create_time: time, update_time: null },
    content: { content_type: "text", parts: [text] },
    ...{ status: "finished_successfully", end_turn: true, weight: 1.0, channel: null, recipient },
    metadata: {
      ...{
        citations: [],
        content_references: [],
        gizmo_id: null,
        message_type: null,
        model_slug: "gpt-4o",
        default_model_slug: "gpt-4o",
      },
      ...{
        parent_id: `${role}-${time}`,
        finish_details: { type: "stop", stop_tokens: [200_002] },
        is_complete: true,
        timestamp_: "absolute",
      },
      ...{
        request_id: `${time}-request`,
        message_source: null,
        selected_github_repos: [],
        serialization_metadata: { custom_symbol_offsets: [] },
      },
      ...metadata,
    },
  };
}

function textOf(words: number, random: Random): string {
  const said = Array.from({ length: words }, () => WORDS[Math.floor(random() * WORDS.length)] ?? "");
  return `${said.join(" ")}.`;
}

function idOf(conversation: number, message: number): string {
  return `${conversation.toString(16).padStart(8, "0")}-0000-4000-8000-${message.toString(16).padStart(12, "0")}`;
}

/** Mulberry32. */
function randomOf(seed: number): Random {
  let state = seed;
  return () => {
    state = (state + 0x6d_2b_79_f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
