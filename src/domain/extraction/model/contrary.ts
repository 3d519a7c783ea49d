import { isAdverse, isNegated } from "#core/text/negation";
import { nameKey } from "#core/text/normalize";
import { holds } from "./conversation.ts";
import { weighty } from "./support.ts";

/** A quote of fewer words rests on what stands round it; a script without blanks has characters instead. */
const MIN_WORDS = 3;
const MIN_CHARACTERS = 4;
const UNSPACED = /^[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\s]+$/u;

const BORDER =
  /[.!?;:\n…()。！？；：，、]+|[,–—]\s+|\s-\s|\s(?:but|and|so|because|though|although|aber|sondern|und|weil|pero|sino|porque|y|mais|car|et)\s|但是?/iu;

/** The clauses of a message, as it was written, that a quote stands in or takes in. */
export function clausesRound(quote: string, message: string): string[] {
  const parts = partsOf(quote);
  return message.split(BORDER).filter((clause) => {
    const key = nameKey(clause);
    return key !== "" && parts.some((part) => holds(key, part) || holds(part, key) || overlaps(key, part));
  });
}

/** A quote may begin in one clause and end in the next. */
function overlaps(clause: string, quote: string): boolean {
  const words = clause.split(" ");
  return words.some((_, i) => {
    const [from, until] = [words.slice(i).join(" "), words.slice(0, i + 1).join(" ")];
    return (
      (quote.startsWith(`${from} `) || quote.endsWith(` ${until}`)) &&
      weighty(quote.startsWith(`${from} `) ? from : until).length > 0
    );
  });
}

function partsOf(quote: string): string[] {
  return quote
    .split(/\.{3,}|…/u)
    .map(nameKey)
    .filter((part) => part !== "");
}

/** Whether a quote carries a statement: it is long enough, is all of what was said, or has every word of the statement. */
export function isQuoteEnough(quote: string, { content, clauses }: { content: string; clauses: readonly string[] }): boolean {
  const words = nameKey(quote).split(" ");
  if (UNSPACED.test(quote) ? quote.replace(/\s/gu, "").length >= MIN_CHARACTERS : words.length >= MIN_WORDS) return true;
  const quoted = new Set(weighty(quote));
  const whole = [...clauses, clauses.join(" ")];
  return whole.some((clause) => nameKey(clause) === nameKey(quote)) || weighty(content).every((word) => quoted.has(word));
}

/**
 * Whether a statement says the contrary of the clauses on which it rests: "is not married" of "I am happily married", or "likes olives"
 * of "I don't like olives". What the negated clause does not speak of may follow from it: "I don't eat meat" from a vegetarian.
 */
export function isContrary(content: string, clauses: readonly string[]): boolean {
  if (clauses.length === 0) return false;
  if (isNegated(content)) return !clauses.some(isAdverse);
  if (isAdverse(content)) return false;
  const words = new Set(weighty(content));
  const alike = clauses.filter((clause) => weighty(clause).some((word) => words.has(word)));
  return alike.length > 0 && alike.every(isNegated);
}
