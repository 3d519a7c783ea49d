import { STOP_WORDS, WEAK_WORDS } from "#core/text/stop-words";
import { readClauses } from "./clause-reader.ts";
import { lowerCase } from "./folded.ts";
import { fillersIn } from "./frames.ts";
import type { WordClass } from "./pack.ts";
import { PACKS } from "./packs.ts";
import { alternatives, anyScript } from "./patterns.ts";
import { isPossessive } from "./subject.ts";
import { type Token, tokensOf } from "./tokens.ts";

type Span = { start: number; end: number };

const spacedJoins = alternatives(({ spaced, conjunctions, joins }) =>
  spaced ? [conjunctions, joins].filter((source) => source !== undefined).join("|") : undefined,
);
const unspacedJoins = alternatives(({ spaced, conjunctions, joins }) =>
  spaced ? undefined : [conjunctions, joins].filter((source) => source !== undefined).join("|"),
);
const SINCE = alternatives(({ since }) => since);
const ABBREVIATIONS = alternatives(({ abbreviations }) => abbreviations);
/** Where something more may begin: marks, except those inside numbers and after abbreviations, and the words of `LanguagePack.joins`. */
const JOINT = new RegExp(
  anyScript(
    `[;；，、()（）…\\n—!?。！？]+|[,:：](?!\\p{N})|(?<!(\\b(?:${ABBREVIATIONS})))\\.(?!\\p{N})|\\s[-–&+/]+\\s|\\b(?!(?:${SINCE}) \\p{N})(?:${spacedJoins})\\b|${unspacedJoins}`,
  ).replaceAll("\\p{N}", "[0-9]"),
  "giu",
);

const PERSONS: ReadonlySet<string> = new Set<WordClass>(["kin", "pet", "third"]);
/** Classes of words that say what a statement is about. */
const KINDS: ReadonlySet<string> = new Set<WordClass>(["health", "like", "home", "work"]);
/** Words that say nothing alone: of whom, when, whether and how. */
const SAYS_NOTHING: ReadonlySet<string> = new Set<WordClass>([
  ...(["me", "us", "you", "not", "change", "time", "always", "ask", "order", "if", "say", "be", "have", "thanks"] as const),
]);
/** A statement of more telling words than this, a name of several being one, may say more than one thing. Two Chinese characters are about one. */
const MOST_WORDS = 4;
const MOST_HAN = 10;

/**
 * Whether a text surely says one thing only, so that what replaces that replaces all of it. By its form: nothing is enumerated or attached, and its words are
 * of one kind and about one person. What is not sure says more.
 * @param of parts of the text that state the thing, where more than one clause may ("I've left Ghent, I live in Liège now")
 */
export function saysOneThing(text: string, of: readonly Span[] = []): boolean {
  const told = segmentsOf(text).filter(({ tokens }) => isTold(tokens));
  const isOf = ({ start, end }: Span) => of.some((span) => span.start < end && start < span.end);
  if (told.length === 0) return false;
  if (told.length === 1 || told.every(isOf)) return told.every(({ tokens }) => isSimple(tokens));
  return isPlaceWithItsRegion(text, told) && isSimple(told.flatMap(({ tokens }) => tokens));
}

/** Whether a wish for how the assistant behaves is one wish. */
export function isOneWish(text: string): boolean {
  return readClauses(text).length <= 1;
}

/** The parts of a text at whose borders something more may begin. */
export function partsOf(text: string): string[] {
  return segmentsOf(text)
    .filter(({ tokens }) => isTold(tokens))
    .map(({ start, end }) => text.slice(start, end).trim());
}

type Segment = Span & { tokens: Token[] };

function segmentsOf(text: string): Segment[] {
  const from = fillersIn(lowerCase(text));
  const segments: Segment[] = [];
  let start = from;
  const add = (end: number) => segments.push({ start, end, tokens: tokensOf(`| ${text.slice(start, end)}`).slice(1) });
  for (const { index, 0: joint } of text.slice(from).matchAll(JOINT)) {
    add(from + index);
    start = from + index + joint.length;
  }
  add(text.length);
  return segments;
}

function isTold(tokens: readonly Token[]): boolean {
  // A figure may be an age or an amount.
  return tokens.some((token) => PERSONS.has(token.name) || KINDS.has(token.name) || token.name === "number" || isTelling(token));
}

function isTelling({ word, name, isHan }: Token): boolean {
  if (PERSONS.has(name) || KINDS.has(name) || SAYS_NOTHING.has(name)) return false;
  if (isHan) return !STOP_WORDS.has(word) && !/[的了过着我们在]/u.test(word);
  return /\p{L}/u.test(word) && !STOP_WORDS.has(word) && !WEAK_WORDS.has(word);
}

function isSimple(tokens: readonly Token[]): boolean {
  const said = tokens.filter(({ word }) => /[\p{L}\p{N}]/u.test(word));
  const subjects = subjectsIn(said);
  const persons = said.filter(({ name }) => PERSONS.has(name)).length;
  // "As a diabetic I eat keto".
  if (said.slice(0, subjects[0] ?? 0).some((token) => isTold([token]))) return false;
  // "My landlord is the baker" names somebody twice.
  if (subjects.length > 1 || persons > 2) return false;
  if (
    subjects.length === 1 &&
    (persons > 0 || said.some((token, i) => i > (subjects[0] ?? 0) && ownsAnother(token, said[i + 1])))
  )
    return false;
  const about = said.filter(({ name }) => KINDS.has(name)).map(({ name }) => name);
  if (new Set(about).size > 1 || about.filter((name) => name === "health" || name === "like").length > 1) return false;
  if (said.filter((token) => token.isHan && isTelling(token)).length > MOST_HAN) return false;
  const telling = said.filter((token, i) => isTelling(token) && !(token.name === "Name" && said[i - 1]?.name === "Name"));
  return telling.filter(({ isHan }) => !isHan).length <= MOST_WORDS;
}

/** The words for the speaker in each language: in another, one may be a word of whom and when ("on"). */
const SPEAKER_WORDS = PACKS.flatMap(({ words }) => (words === undefined ? [] : new Set(`${words.me} ${words.us}`.split(/\s+/u))));

const TIMES: ReadonlySet<string> = new Set(["time", "number"]);

/** Where the speaker is named as who does something, in the language in which they are named most often. */
function subjectsIn(said: readonly Token[]): number[] {
  if (said.some(({ isHan }) => isHan)) return said.flatMap(({ name }, i) => (name === "me" || name === "us" ? i : []));
  let best: number[] = [];
  for (const words of SPEAKER_WORDS) {
    // "On Monday" names a day.
    const at = said.flatMap(({ word }, i) => (words.has(word) && (i === 0 || !TIMES.has(said[i + 1]?.name ?? "")) ? i : []));
    if (at.length > best.length) best = at;
  }
  return best.filter((i) => !isPossessive(said[i]?.word ?? ""));
}

/** Whether a word says that something else is the speaker's too ("I live in Ghent beside my sister's"), other than their work or home. */
function ownsAnother({ word, name }: Token, next: Token | undefined): boolean {
  return (name === "me" || name === "us") && isPossessive(word) && next?.name !== "work" && next?.name !== "home";
}

/** "I live in Bern, Switzerland". */
function isPlaceWithItsRegion(text: string, [place, region, ...others]: readonly Segment[]): boolean {
  if (place === undefined || region === undefined || others.length > 0) return false;
  const isNamed = place.tokens.at(-1)?.name === "Name" && place.tokens.some(({ name }) => name === "home");
  return (
    isNamed && text.slice(place.end, region.start) === "," && region.tokens.filter(isTelling).every(({ name }) => name === "Name")
  );
}
