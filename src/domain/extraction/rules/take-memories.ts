import { withoutMemory } from "#core/text/memory-fence";
import type { MemoryType } from "#domain/memories";

export type SpokenMessage = { role: "user" | "assistant" | "system" | "tool"; text: string };

export type Category = "preference" | "decision" | "habit" | "identity" | "relationship" | "task" | "remember";

export type NamedPerson = { name: string; relationship: string | null };

export type TakenMemory = {
  category: Category;
  type: MemoryType;
  content: string;
  confidence: number;
  key: string | null;
  people: NamedPerson[];
  isOfGroup: boolean;
  sensitivity: "personal" | "sensitive" | null;
  messageIndex: number;
  start: number;
  end: number;
};

const PREFERS = /^I prefer [^.!?]{1,400}/u;

/** What one speaker said of themselves, by rule. Only messages of role `user` are read, without the memory that was put into them. */
export function takeMemories(messages: readonly SpokenMessage[]): TakenMemory[] {
  return messages.flatMap((message, messageIndex) => {
    if (message.role !== "user") return [];
    const found = PREFERS.exec(withoutMemory(message.text))?.[0];
    if (found === undefined) return [];
    const start = message.text.indexOf(found);
    return [
      {
        category: "preference",
        type: "preference",
        content: found,
        confidence: 0.9,
        key: null,
        people: [],
        isOfGroup: false,
        sensitivity: null,
        messageIndex,
        start,
        end: start + found.length,
      },
    ];
  });
}
