import type { Sensitivity } from "#core/safety/sensitivity";
import { normalizeText } from "#core/text/normalize";
import type { MemoryType } from "#domain/memories";

export type SpokenMessage = { role: "user" | "assistant" | "system" | "tool"; text: string };

export type Category = "preference" | "decision" | "habit" | "identity" | "relationship" | "task" | "remember";

export type NamedPerson = { name: string; relationship: string | null };

export type TakenMemory = {
  category: Category;
  type: MemoryType;
  /** The clause as it was said, in its own language and grammatical person. */
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

type Groups = Readonly<Record<string, string | undefined>>;

export type Rule = {
  category: Category;
  confidence: number;
  /** Anchored at the beginning of a clause. Groups: `names` and `role` for persons, `noun` for the kind of a favourite. */
  pattern: RegExp;
  /** What must not follow the pattern, tested on the rest of the clause. */
  refuse?: RegExp;
  /** May follow a time or place ("on weekends I …"). */
  behindLead?: boolean;
  /** The subject that was left out, added to the content. */
  implied?: "I " | "I'm ";
  key?: string | ((groups: Groups) => string | null);
  /** A check by a list of words, which in a pattern would be compiled once for each use. */
  accepts?: (groups: Groups) => boolean;
};

export const TYPE_OF: Record<Category, MemoryType> = {
  preference: "preference",
  // A decision is tied to a moment; of the types that expire, an event is kept longest.
  decision: "event",
  // A habit is personal; `procedural` is for procedures that others follow.
  habit: "preference",
  identity: "identity",
  relationship: "relationship",
  task: "task",
  remember: "knowledge",
};

/** The confidence of a form, from 0 to 1; a tenant's threshold (0.7 by default) decides what is stored. */
export const SURE = {
  /** "Remember that …". */
  asked: 0.95,
  /** A form that says little else ("my name is", "I live in"). */
  plain: 0.9,
  /** A strong verb, which is sometimes meant for the moment only. */
  strong: 0.85,
  usual: 0.8,
  /** "I like", "I need to": often said casually. */
  weak: 0.75,
};

/** The words of a noun as a part of a key: folded by the caller, joined by "_", at most four of them. */
export function keyOf(prefix: string, words: string): string | null {
  const name = normalizeText(words.toLowerCase(), "NFC")
    .match(/[\p{L}\p{N}]+/gu)
    ?.slice(-4)
    .join("_");
  return name === undefined ? null : `${prefix}${name}`;
}
