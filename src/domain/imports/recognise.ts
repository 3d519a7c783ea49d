import type { ImportPlatform } from "./parsed.ts";
import { recordOf } from "./values.ts";

export const PLATFORM_NAMES: Readonly<Record<ImportPlatform, string>> = {
  chatgpt: "ChatGPT",
  claude: "Claude",
  gemini: "Gemini",
  openai: "OpenAI message arrays",
};

/** The platform that a raw conversation or record has the form of; null for none. */
export function platformOf(raw: unknown): ImportPlatform | null {
  if (Array.isArray(raw)) return recordOf(raw[0]).role === undefined ? null : "openai";
  const record = recordOf(raw);
  if ("mapping" in record) return "chatgpt";
  if ("chat_messages" in record) return "claude";
  if ("title" in record && "time" in record && ("products" in record || "header" in record)) return "gemini";
  return Array.isArray(record.messages) ? "openai" : null;
}
