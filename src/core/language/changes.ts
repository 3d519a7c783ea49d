import { lowerCase } from "./folded.ts";
import { inAnyLanguage } from "./patterns.ts";

const ENDED = inAnyLanguage(({ changes }) => changes?.ended);
const RENEWED = inAnyLanguage(({ changes }) => changes?.renewed);
const HAPPENED = inAnyLanguage(({ changes }) => changes?.happened);

const RESERVES = (["unreal", "once", "beside", "stays"] as const).map(
  (name) => [name, inAnyLanguage(({ changes }) => changes?.[name])] as const,
);

/** The words of a text that are its signs of an end and of something new, the first of each. */
export function signsIn(text: string): string[] {
  const words = wordsOf(text);
  return [ENDED, RENEWED].flatMap((pattern) => pattern.exec(words)?.[0].trim() ?? []);
}

/** A sign that a change may replace nothing (`LanguagePack.changes`). */
export type Reserve = "unreal" | "once" | "beside" | "stays";

/** What a clause says about the course of things, by its words (`LanguagePack.changes`). */
export type Changes = { ended: boolean; renewed: boolean; happened: boolean };

export function changesIn(text: string): Changes {
  const words = wordsOf(text);
  return { ended: ENDED.test(words), renewed: RENEWED.test(words), happened: HAPPENED.test(words) };
}

export function reservesIn(text: string): Reserve[] {
  const words = wordsOf(text);
  return RESERVES.flatMap(([name, pattern]) => (pattern.test(words) ? name : []));
}

function wordsOf(text: string): string {
  return lowerCase(text).replaceAll("\u2019", "'");
}
