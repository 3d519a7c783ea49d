import { lowerCase } from "./folded.ts";
import { inAnyLanguage } from "./patterns.ts";

const ENDED = inAnyLanguage(({ changes }) => changes?.ended);
const RENEWED = inAnyLanguage(({ changes }) => changes?.renewed);
const STOPS = inAnyLanguage(({ changes }) => changes?.stops);
const RESUMES = inAnyLanguage(({ changes }) => changes?.resumes);
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

/** Whether a wish for how the assistant behaves ends what it did ("no more rhymes"), or goes back to what it did before ("rhyme again"). */
export function withdrawalIn(text: string): "stops" | "resumes" | null {
  const words = lowerCase(text).replaceAll("\u2019", "'");
  if (ENDED.test(words) || STOPS.test(words)) return "stops";
  return RESUMES.test(words) ? "resumes" : null;
}

/** Whether a wish says what the assistant is no longer to do. */
export function stopsSomething(text: string): boolean {
  return STOPS.test(lowerCase(text).replaceAll("\u2019", "'"));
}
