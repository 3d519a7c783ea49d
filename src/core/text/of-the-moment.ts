import { alternatives } from "#core/language/patterns";

/** Words that tie a statement to the moment in which it is said. */
const MOMENT_WORDS = new RegExp(
  `(?<![\\p{L}\\p{N}])(?:${alternatives(({ spaced, moment }) => (spaced ? moment?.words : undefined))})(?![\\p{L}\\p{N}])|${alternatives(({ spaced, moment }) => (spaced ? undefined : moment?.words))}`,
  "iu",
);
/** What somebody does or where they are at that moment: "is presenting next", "are in the lobby now". */
const MOMENT_ACTIONS = new RegExp(`(?<![\\p{L}\\p{N}])(?:${alternatives(({ moment }) => moment?.actions)})`, "iu");

/** Types of statements about the current state. */
const MOMENT_TYPES: ReadonlySet<string> = new Set(["context", "observation"]);

/**
 * Whether a statement is about the moment in which it is said ("Bob is presenting next"), and so of little use elsewhere. It reads
 * words, not meaning: "is moving to Rome soon" counts too.
 */
export function isOfTheMoment({ content, type }: { content: string; type: string }): boolean {
  return MOMENT_TYPES.has(type) || MOMENT_WORDS.test(content) || MOMENT_ACTIONS.test(content);
}
