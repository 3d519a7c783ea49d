import type { Sensitivity } from "#core/safety/sensitivity";
import type { MemoryType } from "#domain/memories";

export type SpokenMessage = { role: "user" | "assistant" | "system" | "tool"; text: string };

export type Category = "preference" | "decision" | "habit" | "identity" | "relationship" | "task" | "remember";

export type NamedPerson = { name: string; relationship: string | null };

export type TakenMemory = {
  category: Category;
  type: MemoryType;
  /** The clause as it was said, in its own language and person. */
  content: string;
  confidence: number;
  /** A stable name where only the newest can hold ("identity:home"); null where many hold together. */
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
