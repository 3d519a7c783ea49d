/** A message as a platform's parser reads it. */
export type ParsedMessage = {
  /** Unique in its conversation, and the same in every export of it. */
  id: string;
  role: "user" | "assistant";
  text: string;
  /** Unix milliseconds; null where the export has no time that can be meant. */
  at: number | null;
};

/** What a parser left out of a conversation, in counts. */
export type LeftOut = {
  /** Messages that the platform did not show: hidden ones, and those of the system. */
  hidden: number;
  /** Calls of tools and what they answered. */
  tool: number;
  /** What a model thought before it answered. */
  thinking: number;
  /** Images, audio, files and other parts that are no text. */
  parts: number;
  /** Messages of answers that were made again, and of edited questions. */
  branches: number;
  /** Messages without any text. */
  empty: number;
};

export const NOTHING_LEFT_OUT: LeftOut = { hidden: 0, tool: 0, thinking: 0, parts: 0, branches: 0, empty: 0 };

export type ParsedConversation = {
  kind: "conversation";
  /** The platform's id, or a text that is the same in every export of the conversation where the platform has none. */
  id: string;
  title: string | null;
  /** When it began, Unix milliseconds. */
  at: number | null;
  messages: ParsedMessage[];
  leftOut: LeftOut;
  /** What was wrong and could be put right, in our own words. */
  notes: string[];
};

/** A conversation of which nothing can be stored. */
export type BrokenConversation = { kind: "broken"; title: string | null; reason: string };

export type Parsed = ParsedConversation | BrokenConversation;

export const IMPORT_PLATFORMS = ["chatgpt", "claude", "gemini", "openai"] as const;

export type ImportPlatform = (typeof IMPORT_PLATFORMS)[number];

export function broken(title: string | null, reason: string): BrokenConversation {
  return { kind: "broken", title, reason };
}
