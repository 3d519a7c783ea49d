import type { Sensitivity } from "#core/safety/sensitivity";
import type { MemoryType } from "#domain/memories";

export type SpokenMessage = { role: "user" | "assistant" | "system" | "tool"; text: string };

export type Category = "preference" | "identity" | "relationship" | "task" | "remember";

/** A person as a speaker named them; `isRole`: by a relationship alone ("my son"), which then is the name too. */
export type NamedPerson = { name: string; relationship: string | null; isRole?: true };

export type TakenMemory = {
  category: Category;
  type: MemoryType;
  /** The statement as it was said, in its own language and grammatical person. */
  content: string;
  confidence: number;
  /** A stable name for what has one value at a time ("identity:home"), else null. */
  key: string | null;
  people: NamedPerson[];
  /** Said of "we" or "our". */
  isOfGroup: boolean;
  sensitivity: Sensitivity;
  messageIndex: number;
  /** UTF-16 offsets into the message's text as it was given. */
  start: number;
  end: number;
};

/** The confidence of a form, from 0 to 1; a tenant's threshold (0.7 by default) decides what is stored. */
export const SURE = {
  /** "Remember that …". */
  asked: 0.95,
  /** A form that says little else ("my name is", "I live in"). */
  plain: 0.9,
  usual: 0.8,
};
