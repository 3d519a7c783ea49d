import { joined, listOf, recordOf, textOf } from "./values.ts";

/** The text of a message's `content`, which is a text or a list of parts, and how many of its parts are no text. */
export function readContentText(content: unknown): { text: string | null; parts: number } {
  if (!Array.isArray(content)) return { text: textOf(content), parts: 0 };
  const texts = listOf(content).map((part) => textOf(recordOf(part).text));
  const said = texts.filter((text) => text !== null);
  return { text: said.length === 0 ? null : joined(said), parts: texts.length - said.length };
}
