import { signsOfChange } from "./changes.ts";
import { type Clause, readClauses } from "./clause-reader.ts";
import { lowerCase } from "./folded.ts";
import type { Slot } from "./pack.ts";
import { inAnyLanguage } from "./patterns.ts";
import { firstSubjectOf, subjectOf } from "./subject.ts";

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

/** All matches, where `^` is the beginning of a clause. */
function everywhere(sources: Parameters<typeof inAnyLanguage>[0]): RegExp {
  const { source } = inAnyLanguage(sources);
  return new RegExp(source.replaceAll(/(?<![[\\])\^/gu, "(?<=^|[.!?,;:] )"), "g");
}

/** The slot of the speaker that a statement fills or empties; null for none, and where it could be two. */
export function speakerSlotOf(text: string): SpeakerSlot | null {
  const found = new Set(speakerSlotsIn(text).map(({ slot }) => slot));
  return found.size === 1 ? ([...found][0] ?? null) : null;
}

type SpeakerSlot = (typeof OF_SPEAKER)[number];

/** Where a text fills or empties slots of the speaker. */
export function speakerSlotsIn(text: string): { slot: SpeakerSlot; start: number; end: number }[] {
  const words = plainWords(text);
  if (CONDITIONAL.test(words)) return [];
  return SPEAKER.flatMap(([slot, pattern]) =>
    [...words.matchAll(pattern)]
      .filter((match) => statesOfSpeaker(text, match))
      .map(({ index, 0: matched }) => ({ slot, start: index, end: index + matched.length })),
  );
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
  const clauses = matches.flatMap(({ index }) => clausesUpTo(text, index).at(-1)?.text ?? []);
  return [...new Set(clauses)].filter((clause) => !UNREAL.test(plainWords(clause)));
}

/** Whether a text says of the speaker that something changed; of others or of what did not happen it changes nothing of theirs. */
export function changesOfSpeaker(text: string): boolean {
  return signsOfChange(text).some((match) => statesOfSpeaker(text, match));
}

/** Whether a text speaks of what did not happen, may happen, or holds under a condition. */
export function isUncertain(text: string): boolean {
  const words = plainWords(text);
  return UNREAL.test(words) || CONDITIONAL.test(words) || readClauses(text).some(({ standing }) => standing !== "own");
}

/** Whether a text says what was meant by the words before it ("no wait, I meant Suede"). */
export function correctsItself(text: string): boolean {
  return [...plainWords(text).matchAll(CORRECTED)].some(({ index }) => clausesUpTo(text, index).at(-1)?.standing === "own");
}

/** Whether a text gives something more than one value ("I have two jobs"). */
export function namesSeveral(text: string): boolean {
  return SEVERAL.test(plainWords(text)) || ENUMERATION.test(text);
}

/** Three items or more: "fern, cactus, basil". */
const ENUMERATION = /[^\s,，、.!?][,，、](?=[^.!?。]{1,80}(?:[,，、]|\s(?:and|or|und|oder|y|o|et|ou)\s|[和或]))/u;

function plainWords(text: string): string {
  return lowerCase(text).replaceAll("\u2019", "'");
}

/** The clauses of a sentence up to the one in which a position lies; none if it lies in none. */
function clausesUpTo(text: string, at: number): Clause[] {
  const clauses = readClauses(text);
  const last = clauses.findIndex(({ start, end }) => start <= at && at < end);
  return clauses.slice(0, last + 1).filter(({ sentence }) => sentence === clauses[last]?.sentence);
}

/** Whether what was matched is the speaker's own statement about themselves, of what is real and lasting. */
function statesOfSpeaker(text: string, { index, 0: matched }: RegExpExecArray): boolean {
  const at = index + (matched.length - matched.trimStart().length);
  const clauses = clausesUpTo(text, at);
  const clause = clauses.at(-1);
  if (clause === undefined || clause.standing !== "own") return false;
  const before = text.slice(clause.start, at);
  if (UNREAL.test(plainWords(`${before}${matched}`))) return false;
  // A clause without a subject shares that of the clauses before it, else it is of the speaker.
  const shared = clauses.slice(0, -1).map(({ text: words }) => firstSubjectOf(words));
  return (subjectOf(before, matched) ?? shared.findLast((subject) => subject !== null) ?? "speaker") === "speaker";
}
