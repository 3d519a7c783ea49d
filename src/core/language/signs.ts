import { lowerCase } from "./folded.ts";
import type { Sign } from "./pack.ts";
import { inAnyLanguage } from "./patterns.ts";

const NAMES = [
  ...(["duty", "feeling", "doing", "done", "likes"] as const),
  ...(["past", "future", "day", "now", "current", "until", "lasting"] as const),
] satisfies readonly Sign[];

const PATTERNS = NAMES.map((name) => [name, inAnyLanguage(({ signs }) => signs?.[name])] as const);

/** The signs in a statement's words of what it is and of when it holds (`LanguagePack.signs`). */
export function signsOfKind(text: string): ReadonlySet<Sign> {
  const words = lowerCase(text).replaceAll("\u2019", "'");
  return new Set(PATTERNS.flatMap(([name, pattern]) => (pattern.test(words) ? name : [])));
}
