import type { Frames } from "./pack.ts";
import { inAnyLanguage } from "./patterns.ts";

const within = (name: keyof Frames) => inAnyLanguage(({ frames }) => frames[name]);
const beginning = (name: keyof Frames) =>
  inAnyLanguage(
    ({ frames }) => frames[name],
    (source) => `^(?:${source})`,
  );

const ASKED = beginning("asked");
const RELATIVE = beginning("relative");
const REQUEST = beginning("request");
const MATERIAL = beginning("material");
const STAGED = beginning("staged");
const REOPENING = beginning("reopening");
const STANDING = beginning("standing");
const ASIDE = beginning("aside");
const ENDS = within("ends");
const PREFERS = within("prefers");
const STEERING = within("steering");
const ANYBODY = inAnyLanguage(({ frames: { anybody }, spaced }) =>
  anybody === undefined ? undefined : spaced ? `\\b(?:${anybody})\\b` : anybody,
);
const SUPPOSED = within("supposed");
const REPORTED = within("reported");
const ATTRIBUTED = within("attributed");
const PAST = within("past");
const ELSEWHERE = within("elsewhere");
const JOKE = within("joke");
const LAUGHTER = within("laughter");
const LAUGHING = /[\u{1F602}\u{1F923}\u{1F644}\u{1F61C}\u{1F606}\u{1F643}]/u;
const HARMLESS = new RegExp(within("harmless").source, "g");
const TAG = inAnyLanguage(
  ({ frames: { tag }, spaced }) => (tag === undefined ? undefined : `(?:${tag})\\s*[?？]${spaced ? "+" : "*"}`),
  (source) => `[,，]\\s*(?:${source})$`,
);
const FILLERS = inAnyLanguage(
  ({ before, spaced }) =>
    before === undefined ? undefined : spaced ? `(?:${before})(?=$|[^\\p{L}'])[\\s,!:;.\\u2026-]*` : `(?:${before})[，,！]?\\s*`,
  (source) => `^(?:${source}){1,4}`,
);
/** The name of who said the words before it. */
const SIGNED = /\s[—–]\s*\p{Lu}\p{Ll}+ \p{Lu}\p{Ll}+$/u;
/** A joke that begins its sentence takes the sentence before it back. */
const TAKES_BACK_UNITS = 40;

/** How many units of fillers a clause begins with. All texts are in lower case. */
export function fillersIn(text: string): number {
  return FILLERS.exec(text)?.[0].length ?? 0;
}

/** What a request makes of the words after it: a text to work on, or a play. */
export function materialOf(request: string): "text" | "play" | null {
  if (STAGED.test(request)) return "play";
  return MATERIAL.test(request) ? "text" : null;
}

/** Whether a sentence after a text to work on is none of it ("by the way …"). */
export function isAside(sentence: string): boolean {
  return ASIDE.test(sentence);
}

/** Where a sentence's last clause becomes a question by a few words after it; -1 for none. */
export function tagIn(sentence: string): number {
  return TAG.exec(sentence)?.index ?? -1;
}

/** How a whole sentence stands, where one part of it decides. */
export function standingOfSentence(sentence: string, written: string): "joke" | "elsewhere" | "reported" | null {
  if (JOKE.test(sentence)) return "joke";
  if (ELSEWHERE.test(sentence)) return "elsewhere";
  return ATTRIBUTED.test(sentence) || SIGNED.test(written) ? "reported" : null;
}

/** Whether a text laughs, or rolls its eyes. */
export function laughs(text: string): boolean {
  return LAUGHTER.test(text) || LAUGHING.test(text);
}

/** Whether a sentence takes the one before it back. */
export function takesBack(sentence: string): boolean {
  return JOKE.test(sentence.slice(0, TAKES_BACK_UNITS));
}

/** The text without phrases that only look like a frame ("if you ask me"). */
export function withoutHarmless(text: string): string {
  return text.replace(HARMLESS, " ");
}

/** How a clause stands by its own words. `inside` a sentence that is no question, it may be relative. */
export function standingOfClause(
  clause: string,
  { inside }: { inside: boolean },
): "asked" | "supposed" | "reported" | "past" | "own" {
  const bare = clause.slice(fillersIn(clause));
  if (ASKED.test(bare) && !REQUEST.test(bare) && !(inside && RELATIVE.test(bare))) return "asked";
  const words = withoutHarmless(clause);
  if (SUPPOSED.test(words)) return "supposed";
  if (REPORTED.test(words)) return "reported";
  return PAST.test(words) ? "past" : "own";
}

/** Whether a clause begins as an order for from now on. */
export function isStandingOrder(clause: string): boolean {
  return STANDING.test(clause.slice(fillersIn(clause)));
}

/** Whether the speaker says outright what they would rather have. */
export function statesPreference(text: string): boolean {
  return PREFERS.test(text);
}

/** Whether what a text states ends within days. */
export function endsSoon(text: string): boolean {
  return ENDS.test(text);
}

/** Whether a text says what is to be told to somebody. */
export function isSteering(text: string): boolean {
  return STEERING.test(text);
}

/** Whether a text speaks of people other than the speaker in general, or of the assistant as if it were somebody else. */
export function namesAnybody(text: string): boolean {
  return ANYBODY.test(text);
}

/** Whether what the clause before it supposes or reports ends here. */
export function reopens(clause: string): boolean {
  return REOPENING.test(clause);
}

/** The request to remember something with which a clause begins as a question, in units. */
export function requestIn(clause: string): number {
  return REQUEST.exec(clause)?.[0].length ?? 0;
}
