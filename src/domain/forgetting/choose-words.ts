import { type ForgetRequest, piecesOf } from "#core/language/forget-requests";
import { scoreOf } from "#core/linear/model";
import type { Span } from "#core/text/redacted";
import { requestFeaturesIn } from "./context-features.ts";
import { countIn, topicOf } from "./match-topic.ts";
import { MODELS } from "./models.ts";
import {
  type Asked,
  askedOf,
  type Candidate,
  messageFeatures,
  pieceFeatures,
  type Similarity,
  scoreNamed,
} from "./target-features.ts";
import { tellingWords } from "./words-of.ts";

/** A message of the user who asks, before they ask; the latest first. */
export type Said = {
  text: string;
  /** In the session in which it is asked. */
  isHere: boolean;
  /** It states a list, whose items are taken off by editing it. */
  isList: boolean;
};

/** What is to be redacted of the message `of`, by its position among those given; null is the message that asks. */
export type Chosen = { of: number | null; spans: Span[] };

/**
 * The log odds at which a message is a request, given what was said before it and how worth keeping is what it may mean: for one that speaks
 * of what was said, and for others. Measured on authors left out; see scripts/train-forget.ts.
 */
const ASKS = -0.28;
const ASKS_SURELY = 0.3;
/** The score from which a clause goes with the one that is surely meant: to leave words that should go is worse than to take some more. */
const GOES = -0.3;
/** Orders are about texts and questions, requests about what a user states, which is worth keeping; that makes few surer. */
const WEIGHT_OF_WORTH = 0.3;
const LEAST_WORTH = -1.5;
const MOST_WORTH = 1;
/** Messages of the session that a request may mean without a word of theirs. */
const NEAR = 6;
/** Messages that it may mean at most. */
const MOST = 24;

/** How each text resembles a request, and the log odds that a text is worth keeping. */
export type Meaning = { similarity: Similarity | undefined; worth: (text: string) => number };

/**
 * Which words a request means: the message of the user that a learned ranking puts first, and of that the clauses that are meant. Empty for
 * what may be an order of another kind.
 */
export function chooseWords(request: ForgetRequest, said: readonly Said[], { similarity, worth }: Meaning): Chosen[] {
  const context = said.filter(({ isHere }) => isHere).map(({ text }) => text);
  const likelihood = likelihoodOf(request, context);
  const chosen = meantBy(request, said, similarity);
  const worths = chosen.map(({ of }) => worth(of === null ? textOf(request) : (said[of]?.text ?? "")));
  const most = Math.min(MOST_WORTH, Math.max(LEAST_WORTH, ...worths));
  return likelihood + WEIGHT_OF_WORTH * most < (speaksOf(request, said) ? ASKS : ASKS_SURELY) ? [] : chosen;
}

/** The same for what surely is a request. */
function meantBy(request: ForgetRequest, said: readonly Said[], similarity?: Similarity): Chosen[] {
  // What stands beside a limit in the same message was not learned from it either: it is surely meant.
  if (request.own.length > 0) return [{ of: null, spans: request.own }];
  const candidates = candidatesOf(request, said);
  if (candidates.length === 0) return [];
  const asked = askedOf(
    request,
    candidates.filter(({ back }) => back > 0),
    similarity,
  );
  return chooseMessages(asked, candidates).flatMap((candidate) => {
    const spans = chooseSpans(asked, candidate);
    return spans.length === 0 ? [] : [{ of: candidate.of, spans }];
  });
}

/** Whether it has a word of what was said, or speaks of something said. */
function speaksOf(request: ForgetRequest, said: readonly Said[]): boolean {
  const { named, beside, around } = topicOf(request);
  const words = [...named, ...beside, ...around];
  return request.refers || request.isBare || said.some(({ text }) => countIn(words, tellingWords(text)) > 0);
}

/** Half of it is what the message says alone: a model that knows only one of both is mistaken more often. */
export function likelihoodOf(request: ForgetRequest, context: readonly string[]): number {
  return (request.score + scoreOf(MODELS.asks, requestFeaturesIn(request, context))) / 2;
}

type Placed = Candidate & { of: number | null };

/** The message that asks, the latest of the session, and those that share words with it. */
function candidatesOf(request: ForgetRequest, said: readonly Said[]): Placed[] {
  const { named, beside, around } = topicOf(request);
  const words = [...named, ...beside, ...around];
  const near = said
    .map((one, of) => ({ ...one, of }))
    .filter(({ isHere, of, text, isList }) => {
      if (isList && !request.isSure) return false;
      return (isHere && of < NEAR) || countIn(words, tellingWords(text)) > 0;
    })
    .slice(0, MOST);
  const before = near.map(({ of, text, isHere }) => ({
    ...{ of, text, isHere, pieces: piecesOf(text), back: isHere ? of + 1 : said.length },
  }));
  const own = { of: null, text: textOf(request), isHere: true, pieces: request.stated, back: 0 };
  return [own, ...before].filter(({ pieces }) => pieces.length > 0);
}

function textOf({ stated }: ForgetRequest): string {
  return stated.map(({ text }) => text).join(" ");
}

function chooseMessages(asked: Asked, candidates: readonly Placed[]): Placed[] {
  const scores = messageFeatures(asked, candidates).map((features) => scoreNamed(MODELS.message, features));
  const best = candidates[scores.indexOf(Math.max(...scores))];
  if (best === undefined) return [];
  if (!asked.request.isAll) return [best];
  const named = (text: string) => countIn(asked.words.named, tellingWords(text));
  const most = Math.max(...candidates.map(({ text, back }) => (back === 0 ? 0 : named(text))));
  return most === 0 ? [best] : candidates.filter(({ text, back }) => back > 0 && named(text) === most);
}

/** The clauses of a message that a request means: at least one. Neighbours are one stretch, with what stands between them. */
function chooseSpans(asked: Asked, candidate: Placed): Span[] {
  const { pieces, text, of } = candidate;
  const scores = pieceFeatures(asked, candidate).map((features) => scoreNamed(MODELS.clause, features));
  const best = Math.max(...scores);
  const goes = scores.map((score) => score > GOES || score === best);
  // A message of which nothing stays goes whole, with its marks.
  if (of !== null && goes.every(Boolean)) return [{ start: 0, end: text.length }];
  const spans: Span[] = [];
  for (const [i, { start, end }] of pieces.entries()) {
    const last = spans.at(-1);
    if (goes[i] !== true) continue;
    if (goes[i - 1] === true && last !== undefined) last.end = end;
    else spans.push({ start, end });
  }
  return spans;
}
