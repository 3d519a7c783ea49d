import { piecesOf } from "#core/language/forget-clauses";
import type { ForgetRequest } from "#core/language/forget-requests";
import { scoreOf } from "#core/linear/model";
import { scoreNamed } from "#core/linear/named";
import type { Span } from "#core/text/redacted";
import {
  type Asked,
  askedOf,
  type Candidate,
  isContinuing,
  isStatement,
  type Likeness,
  ordinalIn,
  type Similarity,
} from "./asked.ts";
import { choosesClauses } from "./choose-clauses.ts";
import { requestFeaturesIn } from "./context-features.ts";
import { kindNamed, statesKind } from "./kinds.ts";
import { countIn, topicOf } from "./match-topic.ts";
import { messageFeatures } from "./message-features.ts";
import { MODELS } from "./models.ts";
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
const ASKS = 0;
const ASKS_SURELY = 0.3;
/** Orders are about texts and questions, requests about what a user states, which is worth keeping; that makes few surer. */
const WEIGHT_OF_WORTH = 0.6;
const LEAST_WORTH = -1.5;
const MOST_WORTH = 1;
/** Messages of the session that a request may mean without a word of theirs. */
const NEAR = 6;
/** Messages that it may mean at most, unless it is of all that was said about something. */
const MOST = 24;

/** How each text resembles a request, the log odds that a text is worth keeping, and what is learned from it by rules. */
export type Meaning = Likeness & {
  worth: (text: string) => number;
  /** The keys of what a text states. */
  keysOf: (text: string) => readonly string[];
};

/**
 * Which words a request means: the message of the user that a learned ranking puts first, and of that the clauses that are meant. Empty for
 * what may be an order of another kind.
 */
export function chooseWords(request: ForgetRequest, said: readonly Said[], meaning: Meaning): Chosen[] {
  const { chosen, isCertain } = meantBy(request, said, meaning);
  if (isCertain) return chosen;
  const context = said.filter(({ isHere }) => isHere).map(({ text }) => text);
  // What was said before says little of a message that only points at it.
  const likelihood = request.isBare && request.stated.length === 0 ? request.score : likelihoodOf(request, context);
  const worths = chosen.map(({ of }) => meaning.worth(of === null ? textOf(request) : (said[of]?.text ?? "")));
  const most = Math.min(MOST_WORTH, Math.max(LEAST_WORTH, ...worths));
  return likelihood + WEIGHT_OF_WORTH * most < (speaksOf(request, said) ? ASKS : ASKS_SURELY) ? [] : chosen;
}

type Meant = { chosen: Chosen[]; isCertain: boolean };
const NONE: Meant = { chosen: [], isCertain: false };

/** The same for what surely is a request, and whether the rules alone say that it is one and what it means. */
function meantBy(request: ForgetRequest, said: readonly Said[], { keysOf, ...likeness }: Meaning): Meant {
  // What stands beside a limit in the same message was not learned from it either: it is surely meant.
  if (request.own.length > 0) return { chosen: [{ of: null, spans: request.own }], isCertain: false };
  const { named, beside, around } = topicOf(request);
  // All that is known of the user is erased elsewhere, and not in part here.
  if (request.isAll && named.length === 0 && beside.length + around.length === 0) return NONE;
  const found = kindNamed(named.length > 0 ? named : beside);
  // The words that ask for a job speak of much beside it ("my boss").
  const isSaid = found === "job" && said.some(({ text }) => countIn(named, tellingWords(text)) > 0);
  const kind = isSaid ? null : found;
  const ofKind = (text: string) => kind !== null && statesKind(kind, text, keysOf);
  const kept = request.kept.flatMap((one) => kindNamed([...tellingWords(one)]) ?? []);
  const keeps = (text: string) => kept.some((one) => statesKind(one, text, keysOf));
  const candidates = candidatesOf(request, said, ofKind);
  const states = ({ text }: Placed) => ofKind(text) || countIn(named, tellingWords(text)) > 0;
  const isOf = ({ text }: Placed) => found !== null || isOfNamed(named, text);
  // It names what was not stated: "forget my address", "forget that Hal lives in Wels" by who lives in Linz.
  if (candidates.length === 0 || (request.isPlain && !candidates.some((one) => (found === null || states(one)) && isOf(one))))
    return NONE;
  const asked = askedOf(
    request,
    candidates.filter(({ back }) => back > 0),
    likeness,
  );
  const pointed = pointedAt(asked, candidates, ofKind);
  const chosen = chooseMessages(asked, request.isAll ? candidates : (pointed ?? candidates)).flatMap((candidate) => {
    const spans = chooseSpans(asked, candidate, { ofKind, keeps });
    return spans.length === 0 ? [] : [{ of: candidate.of, spans }];
  });
  return { chosen, isCertain: request.isPlain && pointed !== null };
}

/** Whether a text has the first of the words that a request names, whom it is about, or most of them. One word alone may say otherwise what was stated. */
function isOfNamed(named: readonly string[], text: string): boolean {
  const words = tellingWords(text);
  return named.length < 2 || countIn(named.slice(0, 1), words) > 0 || countIn(named, words) * 2 > named.length;
}

/**
 * The statements that a request points at by the rules, or null: those of the kind that it names, those that share most with a plain request,
 * or the latest for one that names nothing.
 */
function pointedAt(asked: Asked, candidates: readonly Placed[], ofKind: (text: string) => boolean): Placed[] | null {
  const before = candidates.filter(({ back }) => back > 0);
  const kindred = before.filter(({ text }) => ofKind(text));
  if (kindred.length > 0) return kindred;
  const stated = before.filter(({ pieces }) => pieces.some(isStatement));
  const shared = ({ text }: Placed) => countIn(asked.words.named, tellingWords(text));
  const most = Math.max(0, ...stated.map(shared));
  if (most === 0) return latestOf(asked, stated);
  if (!asked.request.isPlain) return null;
  const best = stated.filter((one) => shared(one) === most);
  const rest = asked.words.named.filter((word) => best.every(({ text }) => countIn([word], tellingWords(text)) === 0));
  const namesOnly = best.every(({ text }) => tellingWords(text).size <= most + 1);
  return namesOnly && rest.length > 0 ? [nearest(asked.similarity, rest.join(" "), stated) ?? best].flat() : best;
}

/** The latest statement of the session for a request that names nothing, unless the rest of its message is clearly nearer to an older one. */
function latestOf({ request, words, similarity }: Asked, stated: readonly Placed[]): Placed[] | null {
  const here = stated.filter(({ isHere }) => isHere).toSorted((a, b) => a.back - b.back);
  const [latest] = here;
  const others = [...words.beside, ...words.around];
  const isNowhere = words.named.length === 0 && stated.every(({ text }) => countIn(others, tellingWords(text)) === 0);
  if (request.spans.length === 0 || !isNowhere || latest === undefined || ordinalIn(request) >= 0) return null;
  const nearer = others.length === 0 ? undefined : nearest(similarity, `${request.beside} ${request.around}`, here);
  return nearer === undefined || nearer === latest ? [latest] : null;
}

/** By how much a text resembles a query more than all others do, if that says something. */
const CLEARLY_NEARER = 0.08;

function nearest(similarity: Similarity | undefined, query: string, among: readonly Placed[]): Placed | undefined {
  const likenesses =
    similarity?.(
      query,
      among.map(({ text }) => text),
    ) ?? [];
  const [first = 0, second = 0] = [...likenesses].sort((a, b) => b - a);
  return first - second >= CLEARLY_NEARER ? among[likenesses.indexOf(first)] : undefined;
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
function candidatesOf(request: ForgetRequest, said: readonly Said[], ofKind: (text: string) => boolean): Placed[] {
  const { named, beside, around } = topicOf(request);
  const words = [...named, ...beside, ...around];
  const near = said
    .map((one, of) => ({ ...one, of }))
    .filter(({ isHere, of, text, isList }) => {
      if (isList && !request.isSure) return false;
      return (isHere && of < NEAR) || countIn(words, tellingWords(text)) > 0 || ofKind(text);
    })
    .slice(0, request.isAll ? said.length : MOST);
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
  return most === 0 ? [best] : candidates.filter(({ text, back }) => back > 0 && named(text) * 2 >= most);
}

/** Whether a text states what a request names, or what may stay, by its kind. */
type Kinds = { ofKind: (text: string) => boolean; keeps: (text: string) => boolean };

/** The clauses of a message that a request means: at least one. Neighbours are one stretch, with what stands between them. */
function chooseSpans(asked: Asked, candidate: Placed, { ofKind, keeps }: Kinds): Span[] {
  const { pieces, text, of } = candidate;
  const stays = pieces.map((piece) => keeps(piece.text) && !ofKind(piece.text));
  const mayGo = stays.every(Boolean) ? pieces.map(() => true) : stays.map((isKept) => !isKept);
  const isKindred: boolean[] = [];
  for (const [i, piece] of pieces.entries()) {
    // "12 Oak Lane, Leeds".
    const isMore = isKindred[i - 1] === true && pieces[i - 1]?.sentence === piece.sentence && isContinuing(piece.text);
    isKindred.push(ofKind(piece.text) || (isMore && mayGo[i] === true));
  }
  const hasKindred = isKindred.some(Boolean);
  const isOfAll = pieces.map((piece) => asked.request.isAll && countIn(asked.words.named, tellingWords(piece.text)) > 0);
  const meant = hasKindred ? isKindred : choosesClauses(asked, candidate, mayGo);
  const goes = pieces.map((_, i) => isOfAll[i] === true || meant[i] === true);
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
