import { analyse } from "#core/text/analyse";
import type { Span } from "#core/text/redacted";
import { STOP_WORDS } from "#core/text/stop-words";
import { lowerCase } from "./folded.ts";
import type { ForgetWords } from "./forget-words.ts";
import type { LanguagePack } from "./pack.ts";
import { PACKS } from "./packs.ts";
import { sourceOf } from "./patterns.ts";
import { QUOTED, stripQuotedText } from "./quoted-text.ts";
import { plainOf, sentencesOf } from "./sentences.ts";
import { namesClass } from "./word-classes.ts";

/** A sentence that asks for something to be forgotten. */
export type ForgetRequest = Span & {
  /** What it names, by the words of the index: each part ("my sister", "the treatment") has to be known. None for the message before. */
  parts: readonly (readonly string[])[];
  /** The words of what may stay. */
  kept: readonly string[];
  /** It means only what was stated as a fact: "delete my address". */
  onlyFacts: boolean;
  /** It could be an edit of a text or a list that is being worked on. */
  mayEdit: boolean;
};

/** Whether a message or a sentence asks for something to be forgotten. */
export function asksToForget(message: string): boolean {
  return readForgetRequests(message).length > 0;
}

/** Whether a word names illnesses or money in general, which are stated without it. */
export function subjectOf(word: string): "health" | "money" | null {
  if (LANGUAGES.some(({ health }) => health.has(word))) return "health";
  return LANGUAGES.some(({ money }) => money.has(word)) ? "money" : null;
}

/** Other words by which what a word names is stated. */
export function alikeTo(word: string): string[] {
  return LANGUAGES.flatMap(({ alike }) => alike.filter((group) => group.has(word)).flatMap((group) => [...group]));
}

/** Whether a message speaks of texts, lists, files or programs that are worked on. */
export function isOfWork(message: string): boolean {
  const text = lowerCase(message);
  return namesClass(text, "text") || LANGUAGES.some(({ pieces }) => pieces.test(text));
}

/** Longer messages are texts to work on. */
const MAX_UNITS = 2_000;
const MAX_REASON_WORDS = 8;
const LISTED_WORDS = 4;

const KINDS = ["forgets", "deletes", "drops"] as const;
type Kind = (typeof KINDS)[number];

const LANGUAGES = PACKS.flatMap((pack) => (pack.forget === undefined ? [] : [compile(pack, pack.forget)]));
type Language = ReturnType<typeof compile>;

function compile(pack: LanguagePack, words: ForgetWords) {
  const word = (text: string) => (pack.spaced ? `(?<!\\p{L})(?:${sourceOf(text)})(?!\\p{L})` : `(?:${sourceOf(text)})`);
  const anywhere = (text: string) => new RegExp(sourceOf(text));
  const atStart = (text: string) => new RegExp(`^(?:${sourceOf(text)})`);
  const index = (text: string) => new Set(pack.spaced ? analyse(text) : text.split(" "));
  const before = pack.spaced ? `\\s(?=${word(words.breaks)})` : `(?=${sourceOf(words.breaks)})`;
  return {
    lead: new RegExp(`${word(`${words.lead}|${words.polite}`)}\\s{0,9}`, "yu"),
    polite: new RegExp(word(words.polite), "u"),
    orders: KINDS.flatMap((kind) =>
      (words[kind] ?? []).map((text) => ({ kind, pattern: new RegExp(`(?:${sourceOf(text)})`, "y") })),
    ),
    said: anywhere(words.said),
    about: anywhere(words.about),
    pieces: anywhere(words.pieces),
    places: new RegExp(`${word(words.places)}\\s{0,2}(?:[\\p{L}']{1,20} ){0,2}(?:${sourceOf(words.pieces)})`, "u"),
    last: atStart(words.last),
    own: atStart(words.own),
    ownInside: new RegExp(`(?<!\\p{L})(?:${sourceOf(words.own)})`, "u"),
    goesOn: atStart(words.goesOn),
    reasons: atStart(words.reasons),
    points: new RegExp(`^${word(words.points)}`, "u"),
    keeps: words.keeps.map(atStart),
    joins: new RegExp(`[,;，；、&]|${pack.spaced ? `\\s${word(words.joins)}\\s` : sourceOf(words.joins)}`, "u"),
    clauseEnd: new RegExp(
      `[,，](?!\\d|\\s{0,3}(?:${sourceOf(words.together ?? "(?!)")}))|[;；()（）…—–!?。！？]|[.:：](?!\\d)|\\s-{1,3}\\s|${before}`,
      "u",
    ),
    spaced: pack.spaced,
    runsOn: words.runsOn === undefined ? null : new RegExp(`(?<=\\S\\s)${word(words.runsOn)}`, "u"),
    vague: index(words.vague),
    health: index(words.health),
    money: index(words.money),
    alike: words.alike.map(index),
  };
}

const SEGMENTS = new Intl.Segmenter("zh", { granularity: "word" });
const MARKS_BEFORE = /^[^\p{L}\p{N}]+/u;

type Sentence = Span & { text: string; isQuestion: boolean };
/** What a sentence asks for; `isAsked`: with "please", or of the assistant. */
type Reading = { kind: Kind; object: string; isAsked: boolean; kept: string };

/**
 * The requests to forget something in a user's message: sentences that order or ask to forget, delete or not to keep what they name, and state
 * nothing. None where the rest of the message states something of what is named, and none in case of doubt.
 */
export function readForgetRequests(message: string): ForgetRequest[] {
  if (message.length > MAX_UNITS) return [];
  const stripped = stripQuotedText(message);
  const sentences = sentencesOf(stripped).map(({ start, end, isQuestion }) => {
    const { text } = plainOf(stripped, start, end);
    return { start, end, isQuestion, text: lowerCase(text).trim() };
  });
  for (const language of LANGUAGES) {
    const requests = requestsOf(language, sentences);
    if (requests.length > 0) return requests;
  }
  return [];
}

function requestsOf(language: Language, sentences: readonly Sentence[]): ForgetRequest[] {
  const read = sentences.map((sentence) => ({ sentence, readings: readSentence(language, sentence) }));
  const others = read.flatMap(({ sentence, readings }) => (readings.length === 0 ? [sentence] : []));
  const kept = others.map(({ text }) => keptIn(language, text) ?? "").join(" ");
  return read.flatMap(({ sentence, readings }) => {
    const requests = readings.map((reading) => requestOf(language, { sentence, reading, others, kept }));
    const sure = requests.flatMap((request) => request ?? []);
    return sure.length < requests.length ? [] : sure;
  });
}

type Asking = { sentence: Sentence; reading: Reading; others: readonly Sentence[]; kept: string };

function requestOf(language: Language, { sentence, reading, others, kept }: Asking): ForgetRequest | null {
  const { kind, object, isAsked } = reading;
  const said = language.said.exec(object);
  const meansLast = language.last.test(object);
  const isAbout = language.about.test(object);
  const head = said === null ? object : object.slice(0, said.index);
  if (object.includes(QUOTED) || language.places.test(object) || (kind !== "forgets" && language.pieces.test(head))) return null;
  const isOwn = language.own.test(object) || (kind === "forgets" && language.ownInside.test(object));
  const mayMean = said !== null || meansLast || isAbout || isOwn || (kind === "forgets" && isAsked);
  if (!mayMean || (kind === "drops" && (said === null || meansLast))) return null;
  const parts = object
    .split(language.joins)
    .map((part) => namingWords(language, part))
    .filter((words) => words.length > 0);
  if (parts.length === 0 && !meansLast) return null;
  const about = { named: new Set(parts.flat()), isFirm: said !== null || meansLast || isAbout || isAsked };
  if (others.some((other) => statesMore(language, other, about))) return null;
  const { start, end } = sentence;
  const mayEdit = kind !== "forgets" && said === null && !meansLast;
  return {
    mayEdit,
    start,
    end,
    parts,
    kept: namingWords(language, `${reading.kept} ${kept}`),
    onlyFacts: said === null && !meansLast && !(isAbout && kind === "forgets"),
  };
}

/** The words of a text that say what it is about, as the index has them. */
function namingWords({ vague, spaced }: Language, text: string): string[] {
  const words = spaced ? analyse(text) : segmentsOf(text);
  return [...new Set(words)].filter((word) => !STOP_WORDS.has(word) && !vague.has(word));
}

/** The words of a text without spaces, by the dictionary; single characters say too little. */
function segmentsOf(text: string): string[] {
  return [...SEGMENTS.segment(text)].flatMap(({ segment, isWordLike }) =>
    isWordLike === true && segment.length > 1 ? [segment] : [],
  );
}

/** Whether another sentence of the message may state something new of what is named, or anything where the request is not firm. */
function statesMore(
  language: Language,
  { text, isQuestion }: Sentence,
  { named, isFirm }: { named: ReadonlySet<string>; isFirm: boolean },
): boolean {
  const words = namingWords(language, text);
  if (words.length === 0 || keptIn(language, text) !== null || isReason(language, text)) return false;
  if (!isFirm) return true;
  return !isQuestion && (words.some((word) => named.has(word)) || language.points.test(text));
}

/** The requests of a sentence, which states nothing beside. */
function readSentence(language: Language, { text }: Sentence): Reading[] {
  const readings: Reading[] = [];
  let topic = "";
  let isOpen = false;
  for (const part of text.split(language.clauseEnd)) {
    const clause = part.trim().replace(MARKS_BEFORE, "");
    if (clause === "") continue;
    const order = orderIn(language, clause);
    if (order !== null && statesSomething(language, order.rest)) return [];
    const last = readings.at(-1);
    if (order !== null) {
      const isNamed = namingWords(language, order.object).length > 0;
      readings.push({
        ...order,
        object: isNamed ? order.object : `${topic} ${order.object}`.trim(),
        isAsked: order.isAsked || language.polite.test(text),
      });
      isOpen = true;
    } else if (last === undefined) {
      if (language.said.test(clause) || language.goesOn.test(clause)) topic = `${topic} ${clause}`;
      else if (statesSomething(language, clause)) return [];
    } else if (isOpen && !isReason(language, clause) && goesOn(language, last.object, clause)) last.object += `, ${clause}`;
    else {
      isOpen = false;
      const kept = keptIn(language, clause);
      if (kept !== null) last.kept += ` ${kept}`;
      else if (statesSomething(language, clause)) return [];
    }
  }
  return readings;
}

/** The request that a clause begins with, behind fillers and politeness. */
function orderIn({ lead, orders, runsOn }: Language, clause: string): (Reading & { rest: string }) | null {
  const places = leadsIn(lead, clause);
  for (const { kind, pattern } of orders) {
    const found = places.map((at) => matchAt(pattern, clause, at)).find((match) => match !== null);
    if (found === undefined || found === null) continue;
    const { object: named = "", more = "" } = found.groups ?? {};
    const around = found[0].replace(named, " ");
    const whole = `${named.trim().slice(leadsIn(lead, named.trim()).at(-1))} ${more}`.trim();
    const end = runsOn === null ? -1 : whole.search(runsOn);
    const object = end < 0 ? whole : whole.slice(0, end);
    const isAsked = namesClass(around, "you") || namesClass(around, "me");
    return { kind, object, isAsked, kept: "", rest: end < 0 ? "" : whole.slice(end) };
  }
  return null;
}

/** Where the fillers and politeness end that a text begins with: after each of them. */
function leadsIn(lead: RegExp, text: string): number[] {
  const places = [0];
  for (lead.lastIndex = 0; lead.test(text); lead.lastIndex = places.at(-1) ?? 0) places.push(lead.lastIndex);
  return places;
}

function matchAt(pattern: RegExp, text: string, at: number): RegExpExecArray | null {
  pattern.lastIndex = at;
  return pattern.exec(text);
}

function keptIn({ keeps }: Language, clause: string): string | null {
  const found = keeps.map((pattern) => pattern.exec(clause)).find((match) => match !== null);
  return found === undefined ? null : (found?.groups?.kept ?? "");
}

function statesSomething(language: Language, clause: string): boolean {
  return namingWords(language, clause).length > 0 && !isReason(language, clause);
}

/** A clause that says why, or what may happen if not. */
function isReason(language: Language, clause: string): boolean {
  return language.reasons.test(clause) && namingWords(language, clause).length <= MAX_REASON_WORDS;
}

/** "…, was ich dir über sie gesagt habe", or one more thing. */
function goesOn(language: Language, object: string, clause: string): boolean {
  const isJoined = language.joins.test(` ${clause}`.slice(0, clause.indexOf(" ") + 2));
  const isOpen = namingWords(language, object).length === 0 || isJoined;
  return (isOpen && language.goesOn.test(clause)) || ((isJoined || language.own.test(clause)) && isListed(language, clause));
}

/** One more thing: "my code" after "my address". */
function isListed(language: Language, clause: string): boolean {
  if (clause.split(" ").length > LISTED_WORDS || !statesSomething(language, clause) || keptIn(language, clause) !== null)
    return false;
  return !(["be", "have", "me", "us", "third"] as const).some((name) => namesClass(clause, name));
}
