import { readContentText } from "./openai-content.ts";
import { broken, NOTHING_LEFT_OUT, type Parsed, type ParsedMessage } from "./parsed.ts";
import { readTime } from "./read-time.ts";
import { recordOf, textOf } from "./values.ts";

/**
 * A conversation as apps of OpenAI's API store it: an array of messages, or an object with `messages` and perhaps `id`, `title` and
 * `created_at`. `position` is its place in the file: with its first words, it stands for an id that it has not.
 */
export function parseOpenAi(raw: unknown, { now, position }: { now: number; position: number }): Parsed {
  const conversation = Array.isArray(raw) ? { messages: raw } : recordOf(raw);
  const { title, id, messages: list, created_at: createdAt } = recordOf(conversation);
  if (!Array.isArray(list)) return broken(textOf(title), "It has no array of messages.");
  const leftOut = { ...NOTHING_LEFT_OUT };
  const messages = list.flatMap((each: unknown, i): ParsedMessage[] => {
    const message = recordOf(each);
    if (message.role === "tool" || message.role === "function") leftOut.tool += 1;
    else if (message.role === "user" || message.role === "assistant") {
      const { text, parts } = readContentText(message.content);
      leftOut.parts += parts;
      const at = readTime(message.created_at ?? message.timestamp, now);
      if (text !== null) return [{ id: textOf(message.id) ?? `message ${i}`, role: message.role, text, at }];
      if (Array.isArray(message.tool_calls)) leftOut.tool += 1;
      else leftOut.empty += 1;
    } else leftOut.hidden += 1;
    return [];
  });
  const first = messages[0]?.text ?? "";
  return {
    kind: "conversation",
    id: textOf(id) ?? JSON.stringify([position, first]),
    title: textOf(title),
    at: readTime(createdAt, now),
    messages,
    leftOut,
    notes: textOf(id) === null ? [NO_ID] : [],
  };
}

const NO_ID = "It has no id: its place in the file and its first words stand for one.";
