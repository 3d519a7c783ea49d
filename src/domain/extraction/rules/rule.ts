import { anyCase } from "#core/text/any-case";
import { normalizeText } from "#core/text/normalize";
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
  /** The subject that was left out, and belongs before what is kept. */
  implied?: "I " | "I'm ";
  key?: string | ((groups: Groups) => string | null);
  /** What a pattern leaves to a list of words: a list in a pattern would be copied wherever it stands. */
  accepts?: (groups: Groups) => boolean;
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

/**
 * Letters of living scripts by their ranges. `\p{L}` and the flag `u` cost a tenth of a millisecond wherever they stand, and much code: all
 * patterns together were 18 MB, and past 16 MB V8 optimises no pattern any more.
 */
const LETTERS = "A-Za-z\\u00c0-\\u1fff\\u3041-\\ud7ff";
/** Capitals, and letters of scripts that have none or whose capitals stand between the small ones. */
const CAPITALS = "A-Z\\u00c0-\\u00de\\u0100-\\u1fff\\u3041-\\ud7ff";
/** The borders of a word, for `\b` knows ASCII letters only and takes "é" for a blank. Behind a star, a bracket or a bar a word begins. */
const BORDERS: readonly (readonly [RegExp, string])[] = [
  [/(?<=^|[*(|])\\b/gu, `(?<![${LETTERS}0-9])`],
  [/\\b/gu, `(?![${LETTERS}0-9])`],
];

/** A pattern from its source, anchored, blind to case; `\p{L}`, `\p{Lu}`, `\p{Script=Han}`, `\b` and `\W` are what they are in any script. */
export function starts(source: string): RegExp {
  const pattern = compiled.get(source) ?? new RegExp(`^(?:${anyCase(anyScript(source))})`);
  compiled.set(source, pattern);
  return pattern;
}

export function anyScript(source: string): string {
  return BORDERS.reduce((text, [border, meaning]) => text.replace(border, meaning), source)
    .replaceAll("[\\p{L}", `[${LETTERS}`)
    .replaceAll("\\p{L}", `[${LETTERS}]`)
    .replaceAll("\\p{Ll}", "[a-z\\u00df-\\u1fff]")
    .replaceAll("\\p{Lu}", `[${CAPITALS}]`)
    .replaceAll("[\\p{Script=Han}", "[\\u3400-\\u9fff")
    .replaceAll("\\W", `[^${LETTERS}0-9]`);
}

/** The words of a noun as a part of a key: folded by the caller, joined by "_", at most four of them. */
export function keyOf(prefix: string, words: string): string | null {
  const name = normalizeText(words.toLowerCase(), "NFC")
    .match(/[\p{L}\p{N}]+/gu)
    ?.slice(-4)
    .join("_");
  return name === undefined ? null : `${prefix}${name}`;
}
