import type { Piece } from "#core/language/forget-clauses";
import { type ForgetRequest, parseForgetRequest, readForgetRequest, VAGUE_WORDS } from "#core/language/forget-requests";
import { analyse } from "#core/text/analyse";
import type { Span } from "#core/text/redacted";
import { STOP_WORDS } from "#core/text/stop-words";
import { judge } from "./judge/judge.ts";
import { overridesModel } from "./model/instruction.ts";
import type { EpisodeToRead } from "./read-episodes.ts";
import { takeStatements } from "./take-statements.ts";

/** The part of a message that states something beside its request to forget, in UTF-16 units. */
type Shown = { message: number; start: number; end: number };

/** An episode in which somebody asks for something to be forgotten, as a job `episodes.forget` names it. */
export type EpisodeToForgetIn = { id: number; by: number | null; shown: Shown[] };

type SaidByOne = { messages: readonly { message: { text: string }; index: number }[] };

/** What the speakers of an episode ask to be forgotten; null if they ask for nothing. */
export function requestsIn(
  { id, by }: Pick<EpisodeToRead, "id" | "by">,
  bySpeaker: readonly SaidByOne[],
): EpisodeToForgetIn | null {
  const asking = bySpeaker.flatMap(({ messages }) => messages.filter(({ message }) => requestIn(message.text) !== null));
  if (asking.length === 0) return null;
  return { id, by, shown: asking.flatMap(({ message, index }) => shownOf(message.text, index) ?? []) };
}

/**
 * What tells a model to ignore its rules is no request: without that part, the rest would be read as a wish. Nor is what is not surely one and
 * states a standing wish ("address me as Mrs Ashdown, not by my Christian name").
 */
function requestIn(text: string): ForgetRequest | null {
  const request = overridesModel(text) ? null : readForgetRequest(text);
  return request === null || request.isSure || !statesWish(text) ? request : null;
}

function statesWish(text: string): boolean {
  return judge(text).some(({ isInstruction, isOwn }) => isInstruction && isOwn);
}

/** The longest stretch of what it states that has no part of the request inside. */
function shownOf(text: string, message: number): Shown | null {
  const taken = takeStatements([{ role: "user", text: withoutRequest(text) }]);
  const asking = requestSpans(text);
  const stretches: Span[] = [];
  for (const { start, end } of taken) {
    const last = stretches.at(-1);
    const isApart = last === undefined || asking.some((span) => span.start >= last.end && span.start < start);
    if (isApart) stretches.push({ start, end });
    else last.end = Math.max(last.end, end);
  }
  const [longest] = stretches.toSorted((a, b) => b.end - b.start - (a.end - a.start));
  return longest === undefined ? null : { message, ...longest };
}

/** The message with blanks in place of a request to forget and of what it points at: what is to go states nothing. */
export function withoutRequest(text: string): string {
  return requestSpans(text).reduce(
    (left, { start, end }) => `${left.slice(0, start)}${".".padEnd(end - start)}${left.slice(end)}`,
    text,
  );
}

/** An order that no classifier takes for a request, as "forget the counselling", states nothing either. */
function orderIn(text: string): ForgetRequest | null {
  if (text.length > MAX_ORDER_UNITS || overridesModel(text)) return null;
  const order = parseForgetRequest(text);
  return order.isSure && order.spans.length > 0 ? order : null;
}

/** Longer messages are texts that may speak of anything. */
const MAX_ORDER_UNITS = 500;

function requestSpans(text: string): Span[] {
  const request = requestIn(text) ?? orderIn(text);
  if (request === null) return namesNothing(text) ? [{ start: 0, end: text.length }] : [];
  const beside = request.isSure ? request.stated.filter((piece) => isOfRequest(text, piece, request)) : [];
  return [...request.spans, ...request.own, ...beside];
}

const VAGUE: ReadonlySet<string> = new Set(analyse(VAGUE_WORDS));

function tellingWords(text: string): string[] {
  return analyse(text).filter((word) => !STOP_WORDS.has(word));
}

/** "That's private". */
function namesNothing(text: string): boolean {
  const telling = text.length > MAX_ORDER_UNITS ? [] : tellingWords(text);
  return telling.length > 0 && telling.every((word) => VAGUE.has(word));
}

const SENTENCE_END = /[.!?。！？\n]/u;

/**
 * What stands beside a request and only says more of it: it names nothing ("that's private"), or stands in its sentence and calls what is to
 * go a thing ("the thing about my test") or is what "that" points back at.
 */
function isOfRequest(text: string, piece: Piece, { spans, isBare }: ForgetRequest): boolean {
  if (namesNothing(piece.text)) return true;
  const [first = ""] = tellingWords(piece.text);
  return spans.some(({ start, end }) => {
    const isBefore = piece.end <= start;
    if (SENTENCE_END.test(isBefore ? text.slice(piece.end, start) : text.slice(end, piece.start))) return false;
    return VAGUE.has(first) || (isBare && isBefore);
  });
}
