import { COMMON_WORDS } from "./chat-text.ts";

export const QUESTIONS = 20;

/**
 * Questions of three words that everybody uses. Each frame asks the same things in other words, so that no question finds its
 * embedding in the isolate's cache because another operation has asked it.
 */
export function questions(frame: (a: string, b: string, c: string) => string): string[] {
  const word = (i: number) => COMMON_WORDS[i] ?? "";
  return Array.from({ length: QUESTIONS }, (_, i) => frame(word(i), word(i + QUESTIONS), word(i + 2 * QUESTIONS)));
}
