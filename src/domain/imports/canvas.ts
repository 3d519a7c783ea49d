import { isRecord } from "#core/is-record";
import { joined, listOf, recordOf, textOf } from "./values.ts";

/** The documents that an assistant writes beside the conversation are its words, although exports have them as calls of tools. */

/** The tool of ChatGPT's canvas, by whom a message of the assistant is for. */
const CANVAS = "canmore.";

/** What a message of ChatGPT's assistant writes on the canvas: a new document, or what takes the place of a part of one. */
export function canvasText(recipient: string | null, text: string): string | null {
  if (recipient?.startsWith(CANVAS) !== true) return null;
  const call = recordOf(toJson(text));
  const replacements = listOf(call.updates).flatMap((update) => textOf(recordOf(update).replacement) ?? []);
  return titled(textOf(call.name), textOf(call.content) ?? textOf(joined(replacements)));
}

/** What a block of Claude's assistant writes as an artifact or a file: a new document, or what takes the place of a part of one. */
export function artifactText({ type, name, input }: Readonly<Record<string, unknown>>): string | null {
  if (type !== "tool_use" || (name !== "artifacts" && name !== "create_file")) return null;
  const { title, path, content, new_str: replacement, file_text: file } = recordOf(input);
  return titled(textOf(title) ?? textOf(path), textOf(content) ?? textOf(file) ?? textOf(replacement));
}

/** Tags around artifacts in the texts of older exports. */
const TAG = /<\/?antArtifact(?:\s[^<>]{0,1000})?>/g;
const TITLE = /\stitle="([^"<>]{1,300})"/;

/** The text with the titles of its artifacts in the place of their tags. */
export function withoutArtifactTags(text: string): string {
  return text.replace(TAG, (tag) => {
    const title = TITLE.exec(tag)?.[1];
    return title === undefined ? "" : `${title}:\n`;
  });
}

function titled(title: string | null, text: string | null): string | null {
  return text === null || title === null ? text : `${title}:\n${text}`;
}

function toJson(text: string): unknown {
  try {
    const value: unknown = JSON.parse(text);
    return isRecord(value) ? value : {};
  } catch {
    return {};
  }
}
