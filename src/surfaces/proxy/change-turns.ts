import { PARTED, type TurnChange } from "#domain/injection";
import { itemsOf, spliceBody } from "./to-upstream.ts";

/** What a content part of a client's message is called: `text` in chat completions, `input_text` in the Responses API. */
type PartType = "text" | "input_text";

/** The JSON text of a conversation's messages with these changes; every other message stays byte by byte. */
export function changeTurns(json: string, changes: readonly TurnChange[], type: PartType): string {
  const items = itemsOf(json) ?? [];
  const texts = items.map(({ start, end }): string | null => json.slice(start, end));
  const inserted: string[] = [];
  for (const change of changes) {
    if (change.kind === "insert") inserted.push(JSON.stringify({ role: change.role, content: change.text }));
    else if (change.kind === "remove") texts[change.at] = null;
    else texts[change.at] = withText(texts[change.at] ?? "{}", change, type);
  }
  if (texts.includes(null)) return `[${[...inserted, ...texts.filter((text) => text !== null)].join(",")}]`;
  const head = json.indexOf("[") + 1;
  const separated = inserted.map((text) => (items.length > 0 ? `${text},` : text));
  const rest = items.map(({ end }, i) => `${texts[i]}${json.slice(end, items[i + 1]?.start)}`);
  return [json.slice(0, head), ...separated, json.slice(head, items[0]?.start), ...rest].join("");
}

type TextChange = Extract<TurnChange, { kind: "append" | "prepend" }>;

function withText(message: string, change: TextChange, type: PartType): string {
  return spliceBody(message, [{ name: "content", write: (content) => changeText(content, change, type) }]);
}

/** The JSON text of a content, which is a text, a list of parts or nothing, with one more text. */
export function changeText(content: string | null, change: TextChange, type: PartType): string {
  const { kind, text } = change;
  if (content === null || content === "null" || content === '""') return JSON.stringify(text);
  if (content.startsWith('"')) {
    return kind === "append"
      ? `${content.slice(0, -1)}${JSON.stringify(`${PARTED}${text}`).slice(1)}`
      : `${JSON.stringify(`${text}${PARTED}`).slice(0, -1)}${content.slice(1)}`;
  }
  const parts = itemsOf(content) ?? [];
  const part = JSON.stringify({ type, text });
  const before = kind === "prepend" ? parts[change.part] : undefined;
  if (before !== undefined) return `${content.slice(0, before.start)}${part},${content.slice(before.start)}`;
  const end = parts.at(-1)?.end ?? content.indexOf("[") + 1;
  return `${content.slice(0, end)}${parts.length > 0 ? "," : ""}${part}${content.slice(end)}`;
}
