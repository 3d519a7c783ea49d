import { lowerCase } from "./folded.ts";
import { alternatives, anyScript, inAnyLanguage } from "./patterns.ts";
import { namesClass } from "./word-classes.ts";

const AMOUNT = inAnyLanguage(({ asks }) => asks?.amount);
const PERSON = inAnyLanguage(({ asks }) => asks?.person);
const KNOWN = inAnyLanguage(({ asks }) => asks?.known);
const BY_ASSISTANT = inAnyLanguage(({ asks }) => asks?.byAssistant);
const NUMBERS = new RegExp(
  `\\p{N}|${anyScript(`\\b(?:${alternatives(({ amounts, spaced }) => (spaced ? amounts : undefined))})\\b`)}|${alternatives(({ amounts, spaced }) => (spaced ? undefined : amounts))}`,
  "u",
);

/** Whether a question asks for a number or a time: how much, how many, when. */
export function asksForAmount(question: string): boolean {
  return AMOUNT.test(lowerCase(question));
}

/** Whether a question asks for somebody, or for a name. */
export function asksForPerson(question: string): boolean {
  return PERSON.test(lowerCase(question));
}

/** Whether a question asks for something that was known before ("remind me which", "when is"), not for advice or something new. */
export function asksForKnown(question: string): boolean {
  return KNOWN.test(lowerCase(question).replaceAll("\u2019", "'"));
}

/** Whether a text has a number or a time, in figures or words. */
export function namesAmount(text: string): boolean {
  return NUMBERS.test(lowerCase(text)) || namesClass(text, "time");
}

/** Whether a question asks for what the assistant said earlier ("what did you recommend"). */
export function asksAssistant(question: string): boolean {
  return BY_ASSISTANT.test(lowerCase(question).replaceAll("\u2019", "'"));
}
