import { type ForgetRequest, readForgetRequest } from "#core/language/forget-requests";
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

/** What tells a model to ignore its rules is no request: without that part, the rest would be read as a wish. */
function requestIn(text: string): ForgetRequest | null {
  return overridesModel(text) ? null : readForgetRequest(text);
}

function shownOf(text: string, message: number): Shown | null {
  const stated = takeStatements([{ role: "user", text: withoutRequest(text) }]);
  if (stated.length === 0) return null;
  return { message, start: Math.min(...stated.map(({ start }) => start)), end: Math.max(...stated.map(({ end }) => end)) };
}

/** The message with blanks in place of a request to forget and of what it points at: what is to go states nothing. */
export function withoutRequest(text: string): string {
  const request = requestIn(text);
  const spans = request === null ? [] : [...request.spans, ...request.own];
  return spans.reduce((left, { start, end }) => `${left.slice(0, start)}${".".padEnd(end - start)}${left.slice(end)}`, text);
}
