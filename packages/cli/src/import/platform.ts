import type { Input } from "@edgewise/client";
import { fieldsOf } from "./values.ts";

export const PLATFORMS = [
  "chatgpt",
  "claude",
  "gemini",
  "openai",
] as const satisfies readonly Input<"imports.start">["platform"][];

export type Platform = (typeof PLATFORMS)[number];

export const NAMES: Readonly<Record<Platform, string>> = {
  chatgpt: "ChatGPT",
  claude: "Claude",
  gemini: "Gemini",
  openai: "OpenAI messages",
};

/** The platform that an item of an export has the form of; null for none. A message itself, of a file that is one conversation, is OpenAI's. */
export function platformOf(item: unknown): Platform | null {
  if (Array.isArray(item)) return isMessage(item[0]) ? "openai" : null;
  const fields = fieldsOf(item);
  if ("mapping" in fields) return "chatgpt";
  if ("chat_messages" in fields) return "claude";
  if ("title" in fields && "time" in fields && ("products" in fields || "header" in fields)) return "gemini";
  return Array.isArray(fields.messages) || isMessage(item) ? "openai" : null;
}

/** A message by itself: the file is one conversation, and not a list of them. */
export function isMessage(item: unknown): boolean {
  const { role, content } = fieldsOf(item);
  return typeof role === "string" && content !== undefined;
}
