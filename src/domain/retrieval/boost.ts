import { bestFirst } from "#core/rank/ranking";
import { analyse } from "#core/text/analyse";
import type { QueryAnalysis } from "#core/text/query";
import { STOP_WORDS } from "#core/text/stop-words";
import { namedDates, type Period } from "./named.ts";

/** What the factors of a passage depend on. Times are Unix milliseconds. */
export type EpisodeCandidate = {
  kind: "episode";
  id: number;
  /** From `rankByPresence`: the factors are chosen for its scale, and are too strong for fused scores. */
  score: number;
  text: string;
  speaker: string | null;
  role: string;
  occurredAt: number;
  /** The score by term, in the order of the question's terms; if absent, names of speakers keep their weight. */
  terms?: readonly number[];
};

/** What the factors of a memory depend on. */
export type MemoryCandidate = {
  kind: "memory";
  id: number;
  score: number;
  type: string;
  confidence: number;
  /** How often it was stated. */
  seenCount: number;
  lastSeenAt: number;
  /** Whether it is about a person whom the question names. */
  isAboutNamed: boolean;
};

/** What the factors of a passage of a document depend on. */
export type ChunkCandidate = {
  kind: "chunk";
  id: number;
  score: number;
  /** The score by term, in the order of the question's terms. */
  terms: readonly number[];
  /** The title and the headings above it. */
  heading: string;
};

export type Candidate = EpisodeCandidate | MemoryCandidate | ChunkCandidate;

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
  /** A message that asks a question seldom contains the answer. */
  question: 0.9,
  time: 1.7,
  vagueTime: 1.4,
  firstPerson: 1.1,
  speaker: 1.5,
  place: 1.3,
  day: 2,
  month: 1.1,
  /** The asker's own messages, for "what is my …": plausible, not measured (LoCoMo asks in the third person). */
  ownWords: 1.1,
  recencyNow: 0.2,
  recency: 0.02,
  recencyHalfLifeDays: 60,
};

/**
 * Factors of memories. They are small, so that they order memories that match equally well and never outweigh the match. Not measured: the
 * questions that search is measured with have no memories that answer them.
 */
const MEMORY_BOOST = {
  /** A memory states in one sentence what an exchange says among other things, and has no neighbours that raise its score. */
  kept: 1.3,
  aboutNamed: 1.15,
  /** For each doubling of how often it was stated, and at most. */
  reinforced: 0.05,
  mostReinforced: 1.2,
  /** The share of its score that a memory of confidence 0 loses. */
  doubt: 0.2,
  /** The most that age takes from an ephemeral memory. */
  fading: 0.25,
};

/**
 * A passage of a document under a heading that has all of the question's words counts so much more. Plausible, not measured: it decides
 * between passages with the same words of the question.
 */
const HEADING_BOOST = 0.3;

/** Days after which half of the possible loss has happened; types without an entry do not lose weight. */
const HALF_LIFE_DAYS: Readonly<Record<string, number>> = { context: 3, observation: 1.5, task: 7, event: 15 };

const TYPE_WEIGHT: Readonly<Record<string, number>> = { observation: 0.9, context: 0.95 };

const DAY_MS = 86_400_000;
const QUESTION = /[?？؟]/;
/** Words that date an event relative to the day of the conversation. */
const TIME =
  /\b(?:yesterday|today|tonight|tomorrow|ago|recently|(?:last|next|this) (?:morning|night|week|weekend|month|year|spring|summer|fall|autumn|winter|january|february|march|april|may|june|july|august|september|october|november|december)|(?:mon|tues|wednes|thurs|fri|satur|sun)day|(?:19|20)\d\d|gestern|heute|morgen|letzte[nrs]?|hier|demain|ayer|mañana)\b|[昨今明前去]天|[昨今明]日|[上下]周|[上下]个|[去今明]年|[先来]週|[先来]月|เมื่อวาน|พรุ่งนี้|أمس|غدا|вчера|завтра/iu;
/** Words that are as often used in another sense. */
const VAGUE_TIME =
  /\b(?:days?|weeks?|weekend|months?|years?|morning|evening|last|next|just|since|january|february|march|april|may|june|july|august|september|october|november|december)\b|[年月日]/iu;
const FIRST_PERSON =
  /(?<!\p{L})(?:i|me|my|we|our|ich|mein\p{L}*|wir|je|mon|ma|mes|yo|mi|mis|я|мой|моя|мы)(?!\p{L})|我|私|僕|ฉัน|ผม|أنا/iu;
const PLACE =
  /\b(?:in|at|to|from|near|visit\w*)\s+(?:the\s+)?\p{Lu}|\b(?:home|park|beach|store|shop|cafe|restaurant|school|city|country|town|house)\b/u;

/**
 * Multiplies each candidate's score by its factors, and sorts by the product. Factors of a passage depend on how its text, speaker and time
 * relate to the question; those of a memory on its own data. Each factor other than 1 is named. Without `adjust` the scores stay as they
 * are.
 */
export function boost<C extends Candidate>(
  question: QueryAnalysis,
  candidates: readonly C[],
  { adjust, now }: BoostOptions,
  constants: BoostConstants = BOOST,
): Boosted<C>[] {
  const asked = readQuestion(question, candidates);
  return candidates
    .map((candidate): Boosted<C> => {
      const all = adjust ? factorsOf(candidate, asked, now, constants) : [];
      const factors = all.filter(({ value }) => value !== 1);
      const score = factors.reduce((product, { value }) => product * value, candidate.score);
      return Object.assign({}, candidate, { score, factors });
    })
    .sort(bestFirst);
}

function factorsOf(candidate: Candidate, asked: Asked, now: number, constants: BoostConstants): Factor[] {
  switch (candidate.kind) {
    case "episode":
      return episodeFactors(candidate, asked, now, constants);
    case "memory":
      return memoryFactors(candidate, asked.question, now);
    case "chunk":
      return [{ name: "heading", value: 1 + HEADING_BOOST * shareInHeading(candidate, asked.question) }];
  }
}

/** The share of the score that words of the headings have. */
function shareInHeading({ heading, score, terms }: ChunkCandidate, question: QueryAnalysis): number {
  if (score <= 0) return 0;
  const words = new Set(analyse(heading));
  return question.terms.reduce((sum, { term }, i) => sum + (words.has(term) ? (terms[i] ?? 0) : 0), 0) / score;
}

type Asked = {
  question: QueryAnalysis;
  /** Words of the question that occur in a speaker's name, and the speakers with such a name. */
  names: ReadonlySet<string>;
  speakers: ReadonlySet<string>;
  /** For each term, whether it names a speaker. */
  nameTerms: readonly boolean[];
  periods: readonly Period[];
  where: boolean;
};

function readQuestion(question: QueryAnalysis, candidates: readonly Candidate[]): Asked {
  const words = new Set(question.words);
  const named = [...new Set(candidates.flatMap((candidate) => (candidate.kind === "episode" ? (candidate.speaker ?? []) : [])))]
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

function episodeFactors(candidate: EpisodeCandidate, asked: Asked, now: number, c: BoostConstants): Factor[] {
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

/** The share of the score that is left without names of speakers: in a message a name addresses somebody, and is not its topic. */
function withoutNames({ score, terms }: EpisodeCandidate, { nameTerms }: Asked): number {
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

function memoryFactors(memory: MemoryCandidate, question: QueryAnalysis, now: number): Factor[] {
  const c = MEMORY_BOOST;
  return [
    { name: "kept", value: c.kept },
    { name: "about", value: memory.isAboutNamed ? c.aboutNamed : 1 },
    { name: "type", value: TYPE_WEIGHT[memory.type] ?? 1 },
    { name: "reinforced", value: Math.min(c.mostReinforced, 1 + c.reinforced * Math.log2(Math.max(1, memory.seenCount))) },
    { name: "confidence", value: 1 - c.doubt * (1 - memory.confidence) },
    { name: "fading", value: question.asksWhen ? 1 : fading(memory, now) },
  ];
}

/** An ephemeral memory loses weight with the time since it was last stated, by the half-life of its type. */
function fading({ type, lastSeenAt }: MemoryCandidate, now: number): number {
  const halfLife = HALF_LIFE_DAYS[type];
  if (halfLife === undefined) return 1;
  const left = 2 ** (-Math.max(0, now - lastSeenAt) / (halfLife * DAY_MS));
  return 1 - MEMORY_BOOST.fading * (1 - left);
}
