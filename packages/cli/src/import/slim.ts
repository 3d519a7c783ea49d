import { type Platform, platformOf } from "./platform.ts";
import { type Fields, fieldsOf, listOf, present } from "./values.ts";

/** An item with only what the service reads of it, which is a fraction of an export. One of another form is left as it is: the service says so. */
export function slim(platform: Platform, item: unknown): unknown {
  if (platformOf(item) !== platform) return item;
  if (platform === "chatgpt") return slimChatGpt(fieldsOf(item));
  if (platform === "claude") return slimClaude(fieldsOf(item));
  return platform === "gemini" ? slimActivity(fieldsOf(item)) : slimMessages(item);
}

function slimChatGpt({ id, conversation_id, title, create_time, current_node, mapping }: Fields): Fields {
  const nodes = Object.entries(fieldsOf(mapping)).map(([name, node]) => [name, slimNode(fieldsOf(node))]);
  return { ...present({ id, conversation_id, title, create_time, current_node }), mapping: Object.fromEntries(nodes) };
}

const SPOKEN: ReadonlySet<unknown> = new Set(["user", "assistant"]);

function slimNode({ parent, children, message }: Fields): Fields {
  const tree = present({ parent, children: typeof parent === "string" ? undefined : children });
  if (typeof message !== "object" || message === null) return tree;
  const { author, recipient, create_time, metadata, content } = fieldsOf(message);
  const { role } = fieldsOf(author);
  const { content_type, parts, text } = fieldsOf(content);
  const isHidden = fieldsOf(metadata).is_visually_hidden_from_conversation === true;
  const hidden = isHidden ? { is_visually_hidden_from_conversation: true } : undefined;
  const said = SPOKEN.has(role) && !isHidden ? { parts: slimParts(parts), text } : {};
  return {
    ...tree,
    message: present({ author: { role }, recipient, create_time, metadata: hidden, content: present({ content_type, ...said }) }),
  };
}

/** Of parts that are no texts, such as images, only that they are there. */
function slimParts(parts: unknown): unknown {
  if (!Array.isArray(parts)) return undefined;
  return parts.map((part: unknown) => (typeof part === "string" ? part : present({ text: fieldsOf(part).text })));
}

function slimClaude({ uuid, name, created_at, current_leaf_message_uuid, chat_messages }: Fields): Fields {
  if (!Array.isArray(chat_messages)) return present({ uuid, name, created_at, chat_messages });
  return {
    ...present({ uuid, name, created_at, current_leaf_message_uuid }),
    chat_messages: chat_messages.map((one: unknown) => slimMessage(fieldsOf(one))),
  };
}

const WITHOUT_TEXT: ReadonlySet<unknown> = new Set([
  "thinking",
  "redacted_thinking",
  "tool_use",
  "tool_result",
  "image",
  "document",
]);

/** Calls that write documents, which the service reads as the assistant's words. */
const WRITING: ReadonlySet<unknown> = new Set(["artifacts", "create_file"]);

function slimBlock({ type, text, name, input }: Fields): Fields {
  if (type === "tool_use" && WRITING.has(name)) {
    const { title, path, content, new_str, file_text } = fieldsOf(input);
    return { type, name, input: present({ title, path, content, new_str, file_text }) };
  }
  return present({ type, text: WITHOUT_TEXT.has(type) ? undefined : text });
}

function slimMessage({ uuid, parent_message_uuid, sender, text, content, created_at, attachments, files }: Fields): Fields {
  return present({
    ...{ uuid, parent_message_uuid, sender, text, created_at },
    content: listOf(content).map((block) => slimBlock(fieldsOf(block))),
    attachments: listOf(attachments).map((one) => {
      const { file_name, extracted_content } = fieldsOf(one);
      return present({ file_name, extracted_content });
    }),
    files: listOf(files).map(() => ({})),
  });
}

function slimActivity({ header, title, time, products, safeHtmlItem }: Fields): Fields {
  const answers = listOf(safeHtmlItem).map((item) => present({ html: fieldsOf(item).html }));
  return present({ header, title, time, products, safeHtmlItem: answers.length > 0 ? answers : undefined });
}

function slimMessages(item: unknown): unknown {
  const list = Array.isArray(item) ? item : fieldsOf(item).messages;
  if (!Array.isArray(list)) return item;
  const messages = list.map((one: unknown) => {
    const { id, role, content, created_at, timestamp, tool_calls } = fieldsOf(one);
    const parts = Array.isArray(content) ? content.map((part: unknown) => present({ text: fieldsOf(part).text })) : content;
    return present({ id, role, content: parts, created_at, timestamp, tool_calls: Array.isArray(tool_calls) ? [] : undefined });
  });
  if (Array.isArray(item)) return messages;
  const { id, title, created_at } = fieldsOf(item);
  return { ...present({ id, title, created_at }), messages };
}
