import { canvasText } from "./canvas.ts";
import { type MessageNode, pathOf } from "./message-path.ts";
import { broken, type LeftOut, NOTHING_LEFT_OUT, type Parsed, type ParsedMessage } from "./parsed.ts";
import { readTime } from "./read-time.ts";
import { joined, listOf, recordOf, textOf } from "./values.ts";

type Read = { message: ParsedMessage | null; leftOut: Partial<LeftOut>; isCall: boolean };

/**
 * A conversation of ChatGPT: the messages that its app shows, from the first to `current_node`. `isPiece`: it is a later piece of a
 * conversation that was sent in several, so that the beginning of its path is not in it.
 */
export function parseChatGpt(raw: unknown, { now, isPiece }: { now: number; isPiece: boolean }): Parsed {
  const conversation = recordOf(raw);
  const title = textOf(conversation.title);
  const mapping = recordOf(conversation.mapping);
  const path = pathOf(nodesOf(mapping), textOf(conversation.current_node), { isPiece });
  const id = textOf(conversation.conversation_id) ?? textOf(conversation.id) ?? path.nodes[0] ?? null;
  if (id === null) return broken(title, "It has neither an id nor messages.");
  const leftOut = { ...NOTHING_LEFT_OUT, branches: path.branches };
  const read = path.nodes.map((node) => readNode(node, recordOf(recordOf(mapping[node]).message), now));
  const messages = read.flatMap(({ message, leftOut: left, isCall }, i): ParsedMessage[] => {
    for (const name of keysOf(left)) leftOut[name] += left[name] ?? 0;
    if (message === null) return [];
    // What the assistant sends to a tool is no answer to the user; the tool's own message follows it.
    if (isCall && isOfTool(recordOf(mapping[path.nodes[i + 1] ?? ""]))) {
      leftOut.tool += 1;
      return [];
    }
    return [message];
  });
  return { kind: "conversation", id, title, at: readTime(conversation.create_time, now), messages, leftOut, notes: path.notes };
}

function nodesOf(mapping: Readonly<Record<string, unknown>>): Map<string, MessageNode> {
  const nodes = Object.entries(mapping).map(([id, raw]): [string, MessageNode] => {
    const { parent, children, message } = recordOf(raw);
    const { author, create_time: time } = recordOf(message);
    const named = listOf(children).filter((child) => typeof child === "string");
    return [id, { parent: textOf(parent), children: named, time: finite(Number(time)), isMessage: author !== undefined }];
  });
  return new Map(nodes);
}

const finite = (time: number) => (Number.isFinite(time) ? time : 0);

function keysOf(left: Partial<LeftOut>): (keyof LeftOut)[] {
  return (["hidden", "tool", "thinking", "parts", "branches", "empty"] as const).filter((name) => left[name] !== undefined);
}

function isOfTool(node: Readonly<Record<string, unknown>>): boolean {
  return recordOf(recordOf(node.message).author).role === "tool";
}

const THINKING: ReadonlySet<unknown> = new Set(["thoughts", "reasoning_recap"]);
const OF_TOOLS: ReadonlySet<unknown> = new Set([
  "execution_output",
  "tether_quote",
  "tether_browsing_display",
  "computer_output",
  "system_error",
]);
/** The user's instructions and what the app remembers: they are sent with a conversation and are no part of it. */
const CONTEXT: ReadonlySet<unknown> = new Set(["user_editable_context", "model_editable_context", "app_pairing_content"]);

function readNode(node: string, message: Readonly<Record<string, unknown>>, now: number): Read {
  const none = (leftOut: Partial<LeftOut>): Read => ({ message: null, leftOut, isCall: false });
  const role = recordOf(message.author).role;
  const { content_type: type } = recordOf(message.content);
  // The root of a tree has no message.
  if (role === undefined) return none({});
  if (role === "tool" || OF_TOOLS.has(type)) return none({ tool: 1 });
  if (THINKING.has(type)) return none({ thinking: 1 });
  const isHidden = recordOf(message.metadata).is_visually_hidden_from_conversation === true;
  if (isHidden || (role !== "user" && role !== "assistant") || CONTEXT.has(type)) return none({ hidden: 1 });
  const { texts, parts } = contentOf(recordOf(message.content));
  const written = role === "assistant" ? canvasText(textOf(message.recipient), joined(texts)) : null;
  const at = readTime(message.create_time, now);
  if (written !== null) return { message: { id: node, role: "assistant", text: written, at }, leftOut: {}, isCall: false };
  if (texts.length === 0) return none(parts > 0 ? { parts } : { empty: 1 });
  return {
    message: { id: node, role, text: withoutCitations(joined(texts)), at },
    leftOut: parts > 0 ? { parts } : {},
    isCall: role === "assistant" && textOf(message.recipient) !== null && message.recipient !== "all",
  };
}

/** The texts of a message: its parts, and what was said in audio; else its `text`, which code and some newer kinds have. */
function contentOf(content: Readonly<Record<string, unknown>>): { texts: string[]; parts: number } {
  const parts = listOf(content.parts);
  const texts = parts.flatMap((part) => {
    const text = typeof part === "string" ? part : recordOf(part).text;
    return textOf(text) ?? [];
  });
  const others = parts.filter((part) => typeof part !== "string" && textOf(recordOf(part).text) === null).length;
  const only = textOf(content.text);
  return { texts: texts.length > 0 || only === null ? texts : [only], parts: others };
}

/** Marks of citations, which the app replaces with links: private-use characters around what is cited. */
const CITATIONS = /\ue200[^\ue200\ue201]{0,500}\ue201|【\d{1,4}(?::\d{1,4})?†[^【】]{0,200}】/gu;

function withoutCitations(text: string): string {
  return text.replace(CITATIONS, "");
}
