import { artifactText, withoutArtifactTags } from "./canvas.ts";
import { orderOf } from "./claude-order.ts";
import { broken, type LeftOut, NOTHING_LEFT_OUT, type Parsed, type ParsedMessage } from "./parsed.ts";
import { readTime } from "./read-time.ts";
import { joined, listOf, recordOf, textOf } from "./values.ts";

/** A conversation of Claude: the texts of its messages, and of the documents that were attached to them. */
export function parseClaude(raw: unknown, { now }: { now: number }): Parsed {
  const conversation = recordOf(raw);
  const title = textOf(conversation.name);
  const id = textOf(conversation.uuid);
  if (id === null) return broken(title, "It has no uuid.");
  if (!Array.isArray(conversation.chat_messages)) return broken(title, "It has no list of messages.");
  const leftOut = { ...NOTHING_LEFT_OUT };
  const list: readonly unknown[] = conversation.chat_messages;
  const ordered = orderOf(list, textOf(conversation.current_leaf_message_uuid), now);
  leftOut.branches = ordered.branches;
  const messages = ordered.places.flatMap((i): ParsedMessage[] => {
    const message = recordOf(list[i]);
    const role = message.sender === "human" ? "user" : message.sender === "assistant" ? "assistant" : null;
    if (role === null) {
      leftOut.hidden += 1;
      return [];
    }
    const texts = [...textsOf(message, leftOut), ...attachedTo(message, leftOut)];
    if (texts.length === 0) {
      leftOut.empty += 1;
      return [];
    }
    return [{ id: textOf(message.uuid) ?? `message ${i}`, role, text: joined(texts), at: readTime(message.created_at, now) }];
  });
  return { kind: "conversation", id, title, at: readTime(conversation.created_at, now), messages, leftOut, notes: ordered.notes };
}

/**
 * Blocks of the type `text`, of which newer exports consist, and the documents that the assistant wrote beside the conversation. The flat `text` beside them says "not supported" in place of other blocks, so
 * it counts only where there are none; then blocks of types that nobody knows.
 */
function textsOf(message: Readonly<Record<string, unknown>>, leftOut: LeftOut): string[] {
  const blocks = listOf(message.content).map(recordOf);
  for (const block of blocks) {
    const { type } = block;
    if (type === "thinking" || type === "redacted_thinking") leftOut.thinking += 1;
    else if (type === "tool_result" || (type === "tool_use" && artifactText(block) === null)) leftOut.tool += 1;
    else if (type === "image" || type === "document") leftOut.parts += 1;
  }
  const shown = blocks.flatMap((block) => (block.type === "text" ? (textOf(block.text) ?? []) : (artifactText(block) ?? [])));
  if (shown.length > 0) return shown.map(withoutArtifactTags);
  const flat = textOf(message.text);
  if (flat !== null) return [withoutArtifactTags(flat)];
  return blocks.flatMap(({ type, text }) => (KNOWN.has(type) ? [] : (textOf(text) ?? [])));
}

const KNOWN: ReadonlySet<unknown> = new Set([
  "thinking",
  "redacted_thinking",
  "tool_use",
  "tool_result",
  "image",
  "document",
  "token_budget",
]);

function attachedTo(message: Readonly<Record<string, unknown>>, leftOut: LeftOut): string[] {
  leftOut.parts += listOf(message.files).length;
  return listOf(message.attachments).flatMap((each) => {
    const attachment = recordOf(each);
    const content = textOf(attachment.extracted_content);
    if (content === null) {
      leftOut.parts += 1;
      return [];
    }
    const name = textOf(attachment.file_name);
    return [name === null ? content : `${name}:\n${content}`];
  });
}
