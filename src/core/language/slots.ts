import { lowerCase } from "./folded.ts";
import type { Slot } from "./pack.ts";
import { inAnyLanguage } from "./patterns.ts";

/** What holds one value of a person at a time, and what an assistant does one way at a time. */
const OF_SPEAKER = ["home", "work", "diet", "partner"] as const satisfies readonly Slot[];
const OF_ASSISTANT = ["called", "language", "emoji", "length", "bullets", "units", "address"] as const satisfies readonly Slot[];

const CONDITIONAL = inAnyLanguage(({ slots }) => slots?.conditional);
const patternsOf = <Name extends Slot>(names: readonly Name[]) =>
  names.map((name) => [name, inAnyLanguage(({ slots }) => slots?.[name])] as const);
const SPEAKER = patternsOf(OF_SPEAKER);
const ASSISTANT = patternsOf(OF_ASSISTANT);

/** The slot of the speaker that a statement fills or empties; null for none, and where it could be two. */
export function speakerSlotOf(text: string): (typeof OF_SPEAKER)[number] | null {
  return onlyOne(SPEAKER, text);
}

/** What an instruction to the assistant is about, if it is about one thing. */
export function assistantSlotOf(text: string): (typeof OF_ASSISTANT)[number] | null {
  return onlyOne(ASSISTANT, text);
}

function onlyOne<Name>(patterns: readonly (readonly [Name, RegExp])[], text: string): Name | null {
  const words = lowerCase(text).replaceAll("\u2019", "'");
  if (CONDITIONAL.test(words)) return null;
  const found = patterns.filter(([, pattern]) => pattern.test(words));
  return found.length === 1 ? (found[0]?.[0] ?? null) : null;
}
