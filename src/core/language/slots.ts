import { readClauses } from "./clause-reader.ts";
import { lowerCase } from "./folded.ts";
import type { Slot } from "./pack.ts";
import { inAnyLanguage } from "./patterns.ts";
import { isOfSpeaker } from "./subject.ts";

/** What holds one value of a person at a time, and what an assistant does one way at a time. */
const OF_SPEAKER = ["home", "work", "diet", "partner"] as const satisfies readonly Slot[];
const OF_ASSISTANT = ["called", "language", "emoji", "length", "bullets", "units", "address"] as const satisfies readonly Slot[];

const CONDITIONAL = inAnyLanguage(({ slots }) => slots?.conditional);
const UNREAL = inAnyLanguage(({ slots }) => slots?.unreal);
const RETURNED = everywhere(({ slots }) => slots?.returned);
const CORRECTED = everywhere(({ slots }) => slots?.corrected);
const SEVERAL = inAnyLanguage(({ slots }) => slots?.several);
const SPEAKER = OF_SPEAKER.map((name) => [name, everywhere(({ slots }) => slots?.[name])] as const);
const ASSISTANT = OF_ASSISTANT.map((name) => [name, inAnyLanguage(({ slots }) => slots?.[name])] as const);

function everywhere(sources: Parameters<typeof inAnyLanguage>[0]): RegExp {
  return new RegExp(inAnyLanguage(sources).source, "g");
}

/** The slot of the speaker that a statement fills or empties; null for none, and where it could be two. */
export function speakerSlotOf(text: string): (typeof OF_SPEAKER)[number] | null {
  const words = plainWords(text);
  if (CONDITIONAL.test(words)) return null;
  const found = SPEAKER.filter(([, pattern]) => [...words.matchAll(pattern)].some((match) => statesOfSpeaker(text, match)));
  return found.length === 1 ? (found[0]?.[0] ?? null) : null;
}

/** What an instruction to the assistant is about, if it is about one thing. */
export function assistantSlotOf(text: string): (typeof OF_ASSISTANT)[number] | null {
  const words = plainWords(text);
  if (CONDITIONAL.test(words)) return null;
  const found = ASSISTANT.filter(([, pattern]) => pattern.test(words));
  return found.length === 1 ? (found[0]?.[0] ?? null) : null;
}

/** The clauses in which the speaker is, or does, something again ("I'm back in Bristol"): they may state a value that was left before. */
export function returnsIn(text: string): string[] {
  const matches = [...plainWords(text).matchAll(RETURNED)].filter((match) => statesOfSpeaker(text, match));
  return [...new Set(matches.flatMap(({ index }) => clauseAt(text, index)?.text ?? []))];
}

/** Whether a text says what was meant by the words before it ("no wait, I meant Suede"). */
export function correctsItself(text: string): boolean {
  return [...plainWords(text).matchAll(CORRECTED)].some(({ index }) => clauseAt(text, index)?.standing === "own");
}

/** Whether a text gives something more than one value ("I have two jobs"). */
export function namesSeveral(text: string): boolean {
  return SEVERAL.test(plainWords(text));
}

function plainWords(text: string): string {
  return lowerCase(text).replaceAll("\u2019", "'");
}

function clauseAt(text: string, at: number) {
  return readClauses(text).find(({ start, end }) => start <= at && at < end);
}

/** Whether what was matched is the speaker's own statement about themselves, of what is real and lasting. */
function statesOfSpeaker(text: string, { index, 0: matched }: RegExpExecArray): boolean {
  const at = index + (matched.length - matched.trimStart().length);
  const clause = clauseAt(text, at);
  if (clause === undefined || clause.standing !== "own") return false;
  const before = text.slice(clause.start, at);
  return !UNREAL.test(plainWords(`${before}${matched}`)) && isOfSpeaker(before, matched);
}
