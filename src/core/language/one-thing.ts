import { STOP_WORDS, WEAK_WORDS } from "#core/text/stop-words";
import { readClauses } from "./clause-reader.ts";
import { lowerCase } from "./folded.ts";
import { fillersIn } from "./frames.ts";
import type { LanguagePack, WordClass } from "./pack.ts";
import { PACKS } from "./packs.ts";
import { alternatives, anyScript } from "./patterns.ts";
import { isPossessive } from "./subject.ts";
import { type Token, tokensOf } from "./tokens.ts";
import { hanClassAt } from "./word-classes.ts";

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
/** Of those classes, what somebody has or is. */
const VALUES: ReadonlySet<string> = new Set<WordClass>(["kin", "pet", "health"]);
/** A value of more Chinese characters than these may be two words: in running text they show no border. */
const MOST_HAN = 3;

const wordsOf = (sources: (pack: LanguagePack) => string | undefined): ReadonlySet<string> =>
  new Set(PACKS.flatMap((pack) => sources(pack)?.split(" ") ?? []));
const OCCUPATIONS = wordsOf(({ forms }) => forms?.occupations);
const HAN_OCCUPATIONS = [...OCCUPATIONS]
  .filter((word) => /\p{Script=Han}/u.test(word))
  .map((word) => [...word])
  .sort((a, b) => b.length - a.length);
const CALLS = wordsOf(({ words, stating }) => `${words?.be ?? ""} ${stating?.calls ?? ""}`);
const STATING = wordsOf(({ stating }) => `${stating?.words ?? ""} ${stating?.calls ?? ""}`);
const OF_OCCUPATIONS = wordsOf(({ stating }) => stating?.ofOccupations);
const EMPLOYED = wordsOf(({ stating }) => stating?.employed);
const YEARS = wordsOf(({ stating }) => stating?.years);
const SINCE_WORDS = wordsOf(({ since }) => since?.replaceAll("|", " "));

/**
 * Whether a text surely says one thing only, so that what replaces that replaces all of it. By its form: nothing is enumerated or attached, its words are
 * of one kind and about one person, and beside those that state it ("I live in", "my landlord is") and those of time they are one value. What is not sure says more.
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
  return isOneValue(said, subjects.length > 0);
}

/** Something of which a statement speaks, and where it stands among the words. */
type Value = { token: Token; start: number; end: number };

/** Whether the words beside those that state something are one value: a word, a name of several, or an occupation and its employer. */
function isOneValue(said: readonly Token[], isOfSpeaker: boolean): boolean {
  const values = valuesIn(said);
  // "My landlord is Mrs. Price": what has the value may be one word too; "Mrs. Price is my landlord".
  const at = said.findIndex(({ word }) => CALLS.has(word));
  const called = [0, at + 1].some((i) => isPossessive(said[i]?.word ?? "")) ? at : -1;
  const owner = isOfSpeaker ? [] : values.filter(({ start }) => start < called);
  const own = values.slice(owner.length);
  return isOneHanValue(said) && owner.length <= 1 && (own.length <= 1 || isEmployment(said, own));
}

function valuesIn(said: readonly Token[]): Value[] {
  const values: Value[] = [];
  for (const [i, token] of said.entries()) {
    if (token.isHan || !isValue(said, i)) continue;
    const last = values.at(-1);
    if (last !== undefined && last.end === i && isNamed(last.token) && token.name === "Name") last.end = i + 1;
    else values.push({ token, start: i, end: i + 1 });
  }
  return values;
}

/** A word that a name goes on from: another, or a title ("Mrs. Price"). */
function isNamed({ name }: Token): boolean {
  return name === "Name" || name === "kin";
}

function isValue(said: readonly Token[], i: number): boolean {
  const token = said[i];
  if (token === undefined || STATING.has(token.word)) return false;
  if (token.name === "number") return !isTime(said, i);
  if (OF_OCCUPATIONS.has(token.word) && isOccupation(said, i + 1)) return false;
  return VALUES.has(token.name) || OCCUPATIONS.has(token.word) || isTelling(token);
}

/** "Software engineer" is one occupation. */
function isOccupation(said: readonly Token[], from: number): boolean {
  const word = said.slice(from).find((token) => !OF_OCCUPATIONS.has(token.word) || OCCUPATIONS.has(token.word))?.word;
  return word !== undefined && OCCUPATIONS.has(word);
}

function isTime(said: readonly Token[], i: number): boolean {
  const [before, { word = "" } = {}, after] = [said[i - 1], said[i], said[i + 1]];
  if (word === "0000" && YEARS.has(before?.word ?? "")) return true;
  return /:/u.test(word) || before?.name === "time" || after?.name === "time" || SINCE_WORDS.has(before?.word ?? "");
}

/** "I work at Bosch as a welder": who starts elsewhere, or as something else, leaves both. */
function isEmployment(said: readonly Token[], values: readonly Value[]): boolean {
  const [occupations, others] = [
    values.filter(({ token }) => OCCUPATIONS.has(token.word)),
    values.filter(({ token }) => !OCCUPATIONS.has(token.word)),
  ];
  const [employer] = others;
  if (occupations.length !== 1 || others.length !== 1 || employer?.token.name !== "Name") return false;
  return EMPLOYED.has(said[employer.start - 1]?.word ?? "");
}

/** What has a value stands before "的" and "是" ("我最喜欢的颜色是绿色"). */
function isOneHanValue(said: readonly Token[]): boolean {
  const of = said.findIndex(({ word }) => word === "的");
  const is = said.findIndex(({ word }, i) => of >= 0 && i > of && word === "是");
  return [said.slice(0, Math.max(0, is)), said.slice(Math.max(0, is))].every((tokens) => tellingHan(tokens) <= MOST_HAN);
}

/** The number of Chinese characters of a value. An occupation is a whole one, and a word of health says as much as the two characters of a word. */
function tellingHan(tokens: readonly Token[]): number {
  const words = tokens.map(({ word }) => word);
  let [count, i] = [0, 0];
  while (i < tokens.length) {
    const token = tokens[i];
    const occupation = HAN_OCCUPATIONS.find((characters) => characters.every((character, at) => words[i + at] === character));
    const known = token?.isHan === true ? hanClassAt(words, i) : null;
    if (occupation !== undefined) count += MOST_HAN;
    else if (known?.name === "health") count += 2;
    else if (known === null && token?.isHan === true && isTelling(token) && !STATING.has(token.word)) count++;
    i += occupation?.length ?? known?.length ?? 1;
  }
  return count;
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
