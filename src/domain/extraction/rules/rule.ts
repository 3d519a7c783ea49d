import type { MemoryType } from "#domain/memories";
import type { Category } from "./taken.ts";

type Groups = Readonly<Record<string, string | undefined>>;

export type Rule = {
  category: Category;
  confidence: number;
  /** Anchored at the beginning of a clause. Groups: `names` and `role` say whom it is about, `noun` and `other` what it is the favourite of. */
  pattern: RegExp;
  /** What must not follow the pattern, tested on the rest of the clause. */
  refuse?: RegExp;
  /** May stand behind a time or place ("on weekends I …"). */
  behindLead?: boolean;
  key?: string | ((groups: Groups) => string | null);
  /** Names need no capital, because the words before them say that a name comes. */
  smallNames?: boolean;
};

export const TYPE_OF: Record<Category, MemoryType> = {
  preference: "preference",
  // Tied to a moment, as a decision is in the source of this list; of the types that fade, an event lives longest.
  decision: "event",
  // What somebody does again and again is a pattern of theirs and not a procedure that others are to follow.
  habit: "preference",
  identity: "identity",
  relationship: "relationship",
  task: "task",
  remember: "knowledge",
};

/** How sure a form is, from 0 to 1; a tenant's threshold (0.7 unless set) decides what is kept. */
export const SURE = {
  /** Asked for in so many words. */
  asked: 0.95,
  /** A form that says little else ("my name is", "I live in"). */
  plain: 0.9,
  /** A strong verb, which is now and then meant of the moment only. */
  strong: 0.85,
  usual: 0.8,
  /** "I like", "I need to": said lightly. */
  weak: 0.75,
};

const compiled = new Map<string, RegExp>();

/** Letters of living scripts. With the flag `i`, `\p{L}` costs a tenth of a millisecond wherever it stands, which a new isolate would pay 900 times. */
const LETTERS = "A-Za-z\\u00c0-\\u1fff\\u3041-\\ud7ff";
/** The border of a word: `\b` knows ASCII letters only, and takes "é" for a blank. */
const BORDER = `(?:(?<=[${LETTERS}0-9])(?![${LETTERS}0-9])|(?<![${LETTERS}0-9])(?=[${LETTERS}0-9]))`;

/** A pattern from its source, anchored, blind to case; `\p{L}`, `\b` and `\W` are of any script. */
export function starts(source: string): RegExp {
  const pattern = compiled.get(source) ?? new RegExp(`^(?:${anyScript(source)})`, "iu");
  compiled.set(source, pattern);
  return pattern;
}

export function anyScript(source: string): string {
  return source
    .replaceAll("[\\p{L}", `[${LETTERS}`)
    .replaceAll("\\p{L}", `[${LETTERS}]`)
    .replaceAll("\\b", BORDER)
    .replaceAll("\\W", `[^${LETTERS}0-9]`);
}

/** The words of a noun as a part of a key: folded by the caller, joined by "_", at most four of them. */
export function keyOf(prefix: string, words: string): string | null {
  const name = words
    .toLowerCase()
    .normalize("NFC")
    .match(/[\p{L}\p{N}]+/gu)
    ?.slice(-4)
    .join("_");
  return name === undefined ? null : `${prefix}${name}`;
}
