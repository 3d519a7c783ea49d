import { toNormalizedText } from "#core/language/folded";
import type { Talk } from "./talk-words.ts";

/** Whether a sentence asks: by its mark, unless that is doubled for emphasis, or by its first words. */
export function asks(sentence: string, talk: Talk): boolean {
  const normalized = toNormalizedText(sentence).trimStart();
  if ((["what", "who", "howMany", "howMuch", "asks"] as const).some((name) => talk.leads(name, normalized) > 0)) return true;
  if (!/[?？]\s*$/u.test(sentence)) return false;
  return talk.leads("polar", normalized) > 0 || !/[?？]{2}\s*$/u.test(sentence) || !talk.spaced;
}
