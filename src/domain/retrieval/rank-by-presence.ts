import { bestFirst } from "#core/rank/ranking";
import type { HitKind, WordHit } from "./hit.ts";
import { ascending, at, holds, type IdList, lowerBound, NO_IDS, union } from "./postings.ts";

/** Chunk ids are `session × 2^22 + seq`. */
export const SESSION_STRIDE = 2 ** 22;

export type PresenceConstants = {
  /** Saturation of BM25; chunks are short, so there is no length normalisation (b = 0). */
  k1: number;
  /** How much a term in a neighbouring chunk counts, in occurrences. */
  previous: number;
  beforePrevious: number;
  next: number;
  afterNext: number;
  /** Weight of the session's score beside the chunk's own. */
  session: number;
  /** Saturation of the session's score, in chunks that hold the term. */
  sessionK: number;
};

/** Chosen on LoCoMo with the tested conversation left out; recall moves less than .01 when any of them moves by a third. */
export const PRESENCE: PresenceConstants = {
  k1: 0.5,
  previous: 0.5,
  beforePrevious: 0.25,
  next: 0.15,
  afterNext: 0.1,
  session: 0.5,
  sessionK: 3,
};

type PresenceInput = {
  /** The weight of each term (`termValues`). */
  values: readonly number[];
  /** The chunks that contain each term, in the order of `values`. */
  postings: readonly ArrayLike<number>[];
  limit: number;
};

/** A chunk with its score by term and the part of the score that comes from its session. */
export type RankedChunk = WordHit & { session: number };

type Term = { value: number; ids: IdList; index: number };

/**
 * BM25 over binary presence, where a term's frequency at a chunk is its own plus a share of its neighbours' in the same session,
 * before saturation. A chunk without a term is a candidate when its neighbours have one; such an id may not exist.
 */
export function rankByPresence(input: PresenceInput, constants: PresenceConstants = PRESENCE): RankedChunk[] {
  const terms = readTerms(input);
  const ids = withNeighbours(union(terms.map((term) => term.ids)));
  const starts = sessionStarts(ids);
  const scores = new Float64Array(ids.length);
  const frequency = new Float32Array(ids.length);
  for (const term of terms) {
    frequency.fill(0);
    spread(term.ids, ids, frequency, constants);
    addGains(term.value, frequency, scores, constants);
    addSessions(term, ids, starts, scores, constants);
  }
  return best(ids, scores, input.limit).map((id) => explain(id, terms, input.values.length, constants));
}

/** Terms without weight and terms that no chunk contains are left out. */
function readTerms({ values, postings }: PresenceInput): Term[] {
  return values.flatMap((value, index) => {
    const ids = ascending(postings[index] ?? []);
    return ids.length === 0 || value <= 0 ? [] : [{ value, ids, index }];
  });
}

function gain(value: number, frequency: number, { k1 }: PresenceConstants): number {
  return (value * frequency * (1 + k1)) / (frequency + k1);
}

/** Every id with the two before and the two after it in its session, so that the place of id + 1 is always the next place. */
function withNeighbours(ids: IdList): IdList {
  const out = new Float64Array(ids.length * 5);
  let n = 0;
  let last = -1;
  for (let i = 0; i < ids.length; i++) {
    const id = at(ids, i);
    const seq = id % SESSION_STRIDE;
    const end = id + Math.min(2, SESSION_STRIDE - 1 - seq);
    for (let next = Math.max(last + 1, id - Math.min(2, seq)); next <= end; next++) out[n++] = next;
    last = Math.max(last, end);
  }
  return out.subarray(0, n);
}

function sessionStarts(ids: IdList): number[] {
  const starts: number[] = [];
  let end = 0;
  for (let i = 0; i < ids.length; i++) {
    if (at(ids, i) < end) continue;
    starts.push(i);
    end = (Math.floor(at(ids, i) / SESSION_STRIDE) + 1) * SESSION_STRIDE;
  }
  return starts;
}

function spread(holders: IdList, ids: IdList, frequency: Float32Array, constants: PresenceConstants): void {
  let place = 0;
  for (let i = 0; i < holders.length; i++) {
    const id = at(holders, i);
    while (at(ids, place) < id) place++;
    const seq = id % SESSION_STRIDE;
    frequency[place] = at(frequency, place) + 1;
    if (seq > 0) frequency[place - 1] = at(frequency, place - 1) + constants.next;
    if (seq > 1) frequency[place - 2] = at(frequency, place - 2) + constants.afterNext;
    if (seq < SESSION_STRIDE - 1) frequency[place + 1] = at(frequency, place + 1) + constants.previous;
    if (seq < SESSION_STRIDE - 2) frequency[place + 2] = at(frequency, place + 2) + constants.beforePrevious;
  }
}

function addGains(value: number, frequency: Float32Array, scores: Float64Array, constants: PresenceConstants): void {
  for (let i = 0; i < scores.length; i++) {
    const f = at(frequency, i);
    if (f !== 0) scores[i] = at(scores, i) + gain(value, f, constants);
  }
}

/** Adds the session's score of a term to each of its chunks: idf × n ÷ (n + K) for n chunks that contain it. */
function addSessions(
  term: Term,
  ids: IdList,
  starts: readonly number[],
  scores: Float64Array,
  constants: PresenceConstants,
): void {
  let place = 0;
  for (let s = 0; s < starts.length; s++) {
    const from = starts[s] ?? 0;
    const to = starts[s + 1] ?? ids.length;
    const last = at(ids, to - 1);
    const before = place;
    while (place < term.ids.length && at(term.ids, place) <= last) place++;
    if (place === before) continue;
    const share = sessionGain(term.value, place - before, constants);
    for (let i = from; i < to; i++) scores[i] = at(scores, i) + share;
  }
}

function sessionGain(value: number, holders: number, { session, sessionK }: PresenceConstants): number {
  return (session * value * holders) / (holders + sessionK);
}

/**
 * The ids of the `limit` highest scores, best first; of equals, the newer. One pass; most scores are rejected by comparing with the lowest
 * one kept.
 */
function best(ids: IdList, scores: Float64Array, limit: number): number[] {
  const order = (a: number, b: number) => at(scores, b) - at(scores, a) || at(ids, b) - at(ids, a);
  let kept: number[] = [];
  let bar = 0;
  for (let i = 0; i < scores.length; i++) {
    if (at(scores, i) < bar) continue;
    kept.push(i);
    if (kept.length < limit * 4 + 64) continue;
    kept = kept.sort(order).slice(0, limit);
    bar = at(scores, kept[limit - 1] ?? 0);
  }
  return kept
    .sort(order)
    .slice(0, limit)
    .map((place) => at(ids, place));
}

/** Scores one chunk again, term by term: only the few that are returned need the explanation. */
function explain(id: number, terms: readonly Term[], termCount: number, constants: PresenceConstants): RankedChunk {
  const parts: number[] = new Array<number>(termCount).fill(0);
  const seq = id % SESSION_STRIDE;
  const firstOfSession = id - seq;
  let session = 0;
  for (const { value, ids, index } of terms) {
    const has = (other: number) =>
      other >= firstOfSession && other < firstOfSession + SESSION_STRIDE && holds(ids, other) ? 1 : 0;
    const near =
      constants.previous * has(id - 1) +
      constants.beforePrevious * has(id - 2) +
      constants.next * has(id + 1) +
      constants.afterNext * has(id + 2);
    parts[index] = gain(value, has(id) + near, constants);
    session += sessionGain(value, lowerBound(ids, firstOfSession + SESSION_STRIDE) - lowerBound(ids, firstOfSession), constants);
  }
  const score = parts.reduce((sum, part) => sum + part, session);
  return { kind: "episode", id, score, terms: parts, session, isAboutNamed: false };
}

/** The score of a memory that is about a named person and shares no word with the question, as a fraction of the ideal score. */
const ABOUT_ONLY = 0.1;

/**
 * BM25 over binary presence, on the scale of `rankByPresence`: the sum of the weights of the terms that a memory, or a passage of a document,
 * contains. It has no neighbours.
 */
export function rankWhole({
  kind,
  values,
  postings,
  about = NO_IDS,
  limit,
}: Omit<PresenceInput, "postings"> & { kind: HitKind; postings: readonly IdList[]; about?: IdList }): WordHit[] {
  const aboutOnly = sum(values) * ABOUT_ONLY;
  const ranked: WordHit[] = [];
  for (const id of union([...postings, about])) {
    const terms = values.map((value, term) => (holds(postings[term] ?? NO_IDS, id) ? value : 0));
    ranked.push({ kind, id, score: sum(terms) || aboutOnly, terms, isAboutNamed: holds(about, id) });
  }
  return ranked.sort(bestFirst).slice(0, limit);
}

export function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}
