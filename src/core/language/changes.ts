import { lowerCase } from "./folded.ts";
import { inAnyLanguage } from "./patterns.ts";

const ENDED = inAnyLanguage(({ changes }) => changes?.ended);
const RENEWED = inAnyLanguage(({ changes }) => changes?.renewed);
const STOPS = inAnyLanguage(({ changes }) => changes?.stops);
const RESUMES = inAnyLanguage(({ changes }) => changes?.resumes);
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

const ALL_SIGNS = new RegExp(`${ENDED.source}|${RENEWED.source}`, "g");

/** Where a text says that something ended or is otherwise now. */
export function signsOfChange(text: string): RegExpExecArray[] {
  return [...wordsOf(text).matchAll(ALL_SIGNS)];
}

export function changesIn(text: string): Changes {
  const words = wordsOf(text);
  return { ended: ENDED.test(words), renewed: RENEWED.test(words), happened: HAPPENED.test(words) };
}

/** Whether a wish for how the assistant behaves ends what it did ("no more rhymes"), or goes back to what it did before ("rhyme again"). */
export function withdrawalIn(text: string): "stops" | "resumes" | null {
  const words = wordsOf(text);
  if (ENDED.test(words) || STOPS.test(words)) return "stops";
  return RESUMES.test(words) ? "resumes" : null;
}

/** Whether a wish says what the assistant is no longer to do. */
export function stopsSomething(text: string): boolean {
  return STOPS.test(wordsOf(text));
}

/** The signs of a text that the change it speaks of replaces nothing. */
export function reservesIn(text: string): Reserve[] {
  const words = wordsOf(text);
  return RESERVES.flatMap(([name, pattern]) => (pattern.test(words) ? name : []));
}

function wordsOf(text: string): string {
  return lowerCase(text).replaceAll("\u2019", "'");
}
