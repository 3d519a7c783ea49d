import { sensitivityOf } from "#core/safety/sensitivity";
import { type Piece, states, textOf } from "./forget-clauses.ts";
import { OF_EARLIER, YET } from "./forget-signs.ts";

/**
 * The clauses of the message itself that a request without a name points at: those that it limits ("…, but forget that") or announces ("don't
 * keep this: …"); else what is stated last before it, if that looks private and not like the reason for the request.
 */
export function ownOf(
  message: string,
  clauses: readonly Piece[],
  { isAsking, kept }: { isAsking: ReadonlySet<Piece>; kept: ReadonlySet<Piece> },
): { start: number; end: number }[] {
  const at = clauses.findIndex((clause) => isAsking.has(clause));
  const [asking, next] = [clauses[at], clauses[at + 1]];
  if (asking === undefined) return [];
  const mayBe = (clause: Piece) => !isAsking.has(clause) && !kept.has(clause) && !clause.isQuestion;
  const inSentence = (sentence: number, part: readonly Piece[]) =>
    part.filter((clause) => clause.sentence === sentence && mayBe(clause));
  const isAnnounced = next !== undefined && /^[\s"']*[:：]/u.test(message.slice(asking.end, next.start));
  const announced = isAnnounced ? inSentence(next.sentence, clauses.slice(at + 1)) : [];
  if (states(announced)) return spanOf(announced);
  const before = clauses.slice(0, at);
  const stated = [...new Set(before.map(({ sentence }) => sentence))]
    .toReversed()
    .map((sentence) => inSentence(sentence, before))
    .find(states);
  if (stated === undefined || OF_EARLIER.test(textOf(stated))) return [];
  const isLimited = stated[0]?.sentence === asking.sentence && YET.test(asking.text);
  return isLimited || looksPrivate(textOf(stated)) ? spanOf(stated) : [];
}

function spanOf(clauses: readonly Piece[]): { start: number; end: number }[] {
  const [first, last] = [clauses[0], clauses.at(-1)];
  return first === undefined || last === undefined ? [] : [{ start: first.start, end: last.end }];
}

/** By its words, or by a number of the length of a code. */
function looksPrivate(text: string): boolean {
  return sensitivityOf(text) === "sensitive" || /\d{3}/u.test(text);
}
