import { lowerCase } from "./folded.ts";
import { inAnyLanguage } from "./patterns.ts";

const ENDED = inAnyLanguage(({ changes }) => changes?.ended);
const RENEWED = inAnyLanguage(({ changes }) => changes?.renewed);
const HAPPENED = inAnyLanguage(({ changes }) => changes?.happened);

/** What a clause says about the course of things, by its words (`LanguagePack.changes`). */
export type Changes = { ended: boolean; renewed: boolean; happened: boolean };

const ALL_SIGNS = new RegExp(`${ENDED.source}|${RENEWED.source}`, "g");

/** Where a text says that something ended or is otherwise now. */
export function signsOfChange(text: string): RegExpExecArray[] {
  return [...lowerCase(text).replaceAll("\u2019", "'").matchAll(ALL_SIGNS)];
}

export function changesIn(text: string): Changes {
  const words = lowerCase(text).replaceAll("\u2019", "'");
  return { ended: ENDED.test(words), renewed: RENEWED.test(words), happened: HAPPENED.test(words) };
}
