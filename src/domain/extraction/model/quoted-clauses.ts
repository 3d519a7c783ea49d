import { readClauses } from "#core/language/clause-reader";
import { lowerCase } from "#core/language/folded";
import { requestIn } from "#core/language/frames";
import { classOf, hanClassAt } from "#core/language/word-classes";
import { fold, nameKey } from "#core/text/normalize";
import { containsWords } from "./conversation.ts";

/** A clause of a message, and whether the speaker asserts it. */
export type MessageClause = {
  /** Its words as they were written, quotations included. */
  text: string;
  /** The same as `nameKey` makes it. */
  key: string;
  /** The index of its sentence. */
  sentence: number;
  isAsserted: boolean;
};

/** The clauses of a message; only the speaker's own, serious, present statements are asserted. */
export function messageClauses(message: string): MessageClause[] {
  const clauses = readClauses(message);
  return clauses.map((clause, i) => {
    const { start, end, sentence, standing, isQuestion } = clause;
    const endsQuestion = isQuestion && clauses[i + 1]?.sentence !== sentence;
    const isRequest = requestIn(lowerCase(clause.text)) > 0;
    const isOwn = isRequest || (standing === "own" && !endsQuestion && !isOneTimeRequest(clause.text));
    const text = message.slice(start, end);
    return { text, key: nameKey(text), sentence, isAsserted: isOwn };
  });
}

const POLITE = /^(?:please|pls|ok|okay|hey|hi|so|and|then|now|just|bitte|por favor|s'il te plait|请)[\s,]+/u;

/** Whether a clause orders the assistant to do something once ("recommend a restaurant", "convert 45 miles"). */
function isOneTimeRequest(clause: string): boolean {
  const plain = fold(clause).replace(POLITE, "").replace(POLITE, "");
  const words = plain.match(/[\p{L}']+/gu) ?? [];
  const characters = [...plain].slice(0, MAX_HAN_ORDER);
  const begins = classOf(words[0] ?? "") === "order" || hanClassAt(characters, 0)?.name === "order";
  return begins && !words.slice(1).some((word) => LASTING.has(classOf(word) ?? ""));
}

const MAX_HAN_ORDER = 4;
/** Classes of words that make an order a habit or a standing instruction. */
const LASTING: ReadonlySet<string> = new Set(["always", "time"]);

/** The clauses that a quote is part of, contains or overlaps. */
export function clausesQuoted(quote: string, clauses: readonly MessageClause[]): MessageClause[] {
  const parts = partsOfQuote(quote);
  return clauses.filter(({ key }) =>
    parts.some((part) => containsWords(key, part) || containsWords(part, key) || overlaps(key, part)),
  );
}

/** Whether the quote begins or ends inside the clause, with more than one word of it. */
function overlaps(clause: string, quote: string): boolean {
  const words = clause.split(" ");
  return words.some((_, i) => {
    const [from, until] = [words.slice(i).join(" "), words.slice(0, i + 1).join(" ")];
    return (words.length - i > 1 && quote.startsWith(`${from} `)) || (i > 0 && quote.endsWith(` ${until}`));
  });
}

/** The parts of a quote between ellipses, which stand for omitted words, as `nameKey` makes them. */
export function partsOfQuote(quote: string): string[] {
  return quote
    .split(/\.{3,}|…/u)
    .map(nameKey)
    .filter((part) => part !== "");
}
