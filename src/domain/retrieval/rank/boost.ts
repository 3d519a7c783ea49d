import { analyse } from "#core/text/analyse";
import type { QueryAnalysis } from "#core/text/query";
import { STOP_WORDS } from "#core/text/stop-words";
import { namedDates, type Period } from "./named-dates.ts";

export type Candidate = {
  id: number;
  /** Of `rankByPresence`: the factors are chosen for its scale, and are too strong for fused ranks. */
  score: number;
  text: string;
  speaker: string | null;
  role: string;
  /** Unix milliseconds. */
  occurredAt: number;
  /** `parts.terms` of `rankByPresence`, in the order of the question's terms; without it, names of speakers keep their weight. */
  terms?: readonly number[];
};

export type Factor = { name: string; value: number };

export type BoostOptions = {
  adjust: boolean;
  /** Unix milliseconds. */
  now: number;
};

export type Boosted<C extends Candidate> = C & { factors: Factor[] };

export type BoostConstants = typeof BOOST;

/** Chosen on LoCoMo with the tested conversation left out. */
export const BOOST = {
  /** A turn that asks seldom holds the answer. */
  question: 0.9,
  time: 1.7,
  vagueTime: 1.4,
  firstPerson: 1.1,
  speaker: 1.5,
  place: 1.3,
  day: 2,
  month: 1.1,
  /** The asker's own words, for "what is my …": plausible, not measured (LoCoMo asks in the third person). */
  ownWords: 1.1,
  recencyNow: 0.2,
  recency: 0.02,
  recencyHalfLifeDays: 60,
};

const DAY_MS = 86_400_000;
const QUESTION = /[?？؟]/;
/** Words that place what happened beside the day of the talk. */
const TIME =
  /\b(?:yesterday|today|tonight|tomorrow|ago|recently|(?:last|next|this) (?:morning|night|week|weekend|month|year|spring|summer|fall|autumn|winter|january|february|march|april|may|june|july|august|september|october|november|december)|(?:mon|tues|wednes|thurs|fri|satur|sun)day|(?:19|20)\d\d|gestern|heute|morgen|letzte[nrs]?|hier|demain|ayer|mañana)\b|[昨今明前去]天|[昨今明]日|[上下]周|[上下]个|[去今明]年|[先来]週|[先来]月|เมื่อวาน|พรุ่งนี้|أمس|غدا|вчера|завтра/iu;
/** Words that are as often about something else. */
const VAGUE_TIME =
  /\b(?:days?|weeks?|weekend|months?|years?|morning|evening|last|next|just|since|january|february|march|april|may|june|july|august|september|october|november|december)\b|[年月日]/iu;
const FIRST_PERSON =
  /(?<!\p{L})(?:i|me|my|we|our|ich|mein\p{L}*|wir|je|mon|ma|mes|yo|mi|mis|я|мой|моя|мы)(?!\p{L})|我|私|僕|ฉัน|ผม|أنا/iu;
const PLACE =
  /\b(?:in|at|to|from|near|visit\w*)\s+(?:the\s+)?\p{Lu}|\b(?:home|park|beach|store|shop|cafe|restaurant|school|city|country|town|house)\b/u;

/**
 * Multiplies each candidate's score by what its text, speaker and time have to do with the question, and sorts by the product
 * (of equals, the newer id). Each factor other than 1 is named. Without `adjust` the scores stay as they are.
 */
export function boost<C extends Candidate>(
  question: QueryAnalysis,
  candidates: readonly C[],
  { adjust, now }: BoostOptions,
  constants: BoostConstants = BOOST,
): Boosted<C>[] {
  const asked = adjust ? readQuestion(question, candidates) : null;
  return candidates
    .map((candidate): Boosted<C> => {
      if (asked === null) return { ...candidate, factors: [] };
      const factors = factorsOf(candidate, asked, now, constants).filter(({ value }) => value !== 1);
      return { ...candidate, factors, score: factors.reduce((score, { value }) => score * value, candidate.score) };
    })
    .sort((a, b) => b.score - a.score || b.id - a.id);
}

type Asked = {
  question: QueryAnalysis;
  /** Names of the question that are a speaker's, and the speakers who bear one. */
  names: ReadonlySet<string>;
  speakers: ReadonlySet<string>;
  /** For each term, whether it names a speaker. */
  nameTerms: readonly boolean[];
  periods: readonly Period[];
  where: boolean;
};

function readQuestion(question: QueryAnalysis, candidates: readonly Candidate[]): Asked {
  const words = new Set(question.words);
  const named = [...new Set(candidates.flatMap(({ speaker }) => speaker ?? []))]
    .map((speaker) => ({ speaker, names: analyse(speaker).filter((name) => words.has(name) && !STOP_WORDS.has(name)) }))
    .filter((entry) => entry.names.length > 0);
  const names = new Set(named.flatMap((entry) => entry.names));
  const nameTerms = question.terms.map(({ term }) => names.has(term));
  return {
    question,
    names,
    speakers: new Set(named.map(({ speaker }) => speaker)),
    nameTerms: nameTerms.every(Boolean) ? nameTerms.map(() => false) : nameTerms,
    periods: namedDates(question.words),
    where: words.has("where"),
  };
}

function factorsOf(candidate: Candidate, asked: Asked, now: number, c: BoostConstants): Factor[] {
  const { text, role, occurredAt } = candidate;
  const { question, periods } = asked;
  const when = (name: string, holds: boolean, value: number): Factor => ({ name, value: holds ? value : 1 });
  return [
    { name: "name", value: withoutNames(candidate, asked) },
    when("question", QUESTION.test(text), c.question),
    { name: "time", value: question.asksWhen ? timeFactor(text, c) : 1 },
    when("firstPerson", FIRST_PERSON.test(text), c.firstPerson),
    when("speaker", asked.speakers.size === 1 && candidate.speaker !== null && asked.speakers.has(candidate.speaker), c.speaker),
    when("place", asked.where && PLACE.test(text), c.place),
    when("ownWords", question.firstPerson && role === "user", c.ownWords),
    { name: "date", value: periods.reduce((best, period) => Math.max(best, dateFactor(period, occurredAt, c)), 1) },
    { name: "recency", value: recency(question, periods, now - occurredAt, c) },
  ];
}

/** The share of the score that is left when the names of speakers count for nothing: a name in a text is an address, not a topic. */
function withoutNames({ score, terms }: Candidate, { nameTerms }: Asked): number {
  if (terms === undefined || score <= 0) return 1;
  const named = terms.reduce((sum, part, i) => sum + (nameTerms[i] === true ? part : 0), 0);
  return Math.max(0, 1 - named / score);
}

function timeFactor(text: string, c: BoostConstants): number {
  if (TIME.test(text)) return c.time;
  return VAGUE_TIME.test(text) ? c.vagueTime : 1;
}

function dateFactor({ from, to, unit }: Period, occurredAt: number, c: BoostConstants): number {
  return occurredAt >= from && occurredAt < to && unit !== "year" ? c[unit] : 1;
}

function recency(question: QueryAnalysis, periods: readonly Period[], ageMs: number, c: BoostConstants): number {
  if (question.asksWhen || periods.length > 0) return 1;
  const halved = 2 ** (-Math.max(0, ageMs) / (c.recencyHalfLifeDays * DAY_MS));
  return 1 + (question.namesNow ? c.recencyNow : c.recency) * halved;
}
