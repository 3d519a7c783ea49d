import { asksToForget, readForgetRequests } from "#core/language/forget-requests";
import { overridesModel } from "./model/instruction.ts";
import type { EpisodeToRead } from "./read-episodes.ts";

/** An episode in which somebody asks for something to be forgotten, as a job `episodes.forget` names it. */
export type EpisodeToForgetIn = { id: number; by: number | null };

type SaidByOne = { messages: readonly { message: { text: string } }[] };

/** The episode, if one of its speakers asks for something to be forgotten. */
export function requestsIn(
  { id, by }: Pick<EpisodeToRead, "id" | "by">,
  bySpeaker: readonly SaidByOne[],
): EpisodeToForgetIn | null {
  const asks = bySpeaker.some(({ messages }) => messages.some(({ message }) => asksToForget(message.text)));
  return asks ? { id, by } : null;
}

/**
 * The message with blanks in place of the sentences that ask for something to be forgotten, which state nothing. What tells a model to ignore
 * its rules stays whole: without that part, the rest would be read as a wish.
 */
export function withoutRequest(text: string): string {
  if (overridesModel(text)) return text;
  return readForgetRequests(text).reduce(
    (left, { start, end }) => `${left.slice(0, start)}${".".padEnd(end - start)}${left.slice(end)}`,
    text,
  );
}
