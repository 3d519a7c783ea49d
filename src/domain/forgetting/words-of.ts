import { readClauses } from "#core/language/clause-reader";
import { lowerCase } from "#core/language/folded";
import { asksToForget } from "#core/language/forget-requests";
import { plainOf } from "#core/language/sentences";
import { analyse } from "#core/text/analyse";
import { isRedacted, type Span } from "#core/text/redacted";
import { STOP_WORDS } from "#core/text/stop-words";
import type { EpisodeWords } from "#domain/sessions";

/** The words of a text that carry its meaning, as the index has them. */
export function tellingWords(text: string): Set<string> {
  return new Set(analyse(text).filter((word) => !STOP_WORDS.has(word)));
}

/** The share of a clause's words that a statement must have, so that the clause is one of those it was learned from. */
const OF_CLAUSE = 0.6;
/** The share of a statement's words that these clauses must have together. */
const OF_STATEMENT = 0.6;

/**
 * The parts of a message that state what a memory states: its own words, else the clauses that share most of their words with it; none where
 * they are not most of the statement.
 */
export function spansStating(text: string, content: string): Span[] {
  const plain = plainOf(text, 0, text.length);
  const wanted = lowerCase(plainOf(content, 0, content.length).text.trim());
  const at = wanted === "" ? -1 : lowerCase(plain.text).indexOf(wanted);
  if (at >= 0) return [{ start: plain.at[at] ?? 0, end: (plain.at[at + wanted.length - 1] ?? 0) + 1 }];
  const said = tellingWords(content);
  const clauses = readClauses(text).filter(({ text: clause }) => {
    const words = [...tellingWords(clause)];
    return words.length > 0 && words.filter((word) => said.has(word)).length >= words.length * OF_CLAUSE;
  });
  const found = new Set(clauses.flatMap((clause) => [...tellingWords(clause.text)]));
  const covered = [...said].filter((word) => found.has(word)).length;
  return covered > 0 && covered >= said.size * OF_STATEMENT ? clauses.map(({ start, end }) => ({ start, end })) : [];
}

/** What was redacted from an episode: words that stand nowhere in what is left of it, and whether nothing is left. */
export type Lost = { words: ReadonlySet<string>; isAll: boolean };

/** What a redaction takes from the messages that it touches; `others` adds messages whose words are still said. */
export function lostWords(
  before: EpisodeWords,
  after: { messages: EpisodeWords["messages"] },
  others: readonly { text: string }[] = [],
): Lost {
  const touched = before.messages.flatMap(({ text }, i) => {
    const left = after.messages[i]?.text ?? "";
    return left === text ? [] : [{ text, left }];
  });
  const wordsIn = (texts: readonly string[]) => new Set(texts.flatMap((text) => [...tellingWords(text)]));
  const [left, elsewhere] = [wordsIn(touched.map((one) => one.left)), wordsIn(others.map(({ text }) => text))];
  const cut = [...wordsIn(touched.map((one) => one.text))].filter((word) => !left.has(word));
  const spoken = after.messages.filter(({ role }) => role === "user");
  return {
    words: new Set(cut.filter((word) => !elsewhere.has(word))),
    isAll: touched.length > 0 && spoken.every(({ text }) => isRedacted(text)),
  };
}

/** What a redaction takes from an episode: what its users still say in another message is not lost, unless it asks for the redaction. */
export function lostOf(before: EpisodeWords, after: { messages: EpisodeWords["messages"] }): Lost {
  const stating = after.messages.filter(({ role, text }) => role === "user" && !asksToForget(text));
  return lostWords(before, after, stating);
}

/** Whether most of a text's words are among those that were redacted. */
export function isMostly(text: string, words: ReadonlySet<string>): boolean {
  const telling = [...tellingWords(text)];
  return telling.length > 0 && telling.filter((word) => words.has(word)).length >= telling.length * OF_STATEMENT;
}

/** Whether a value that was stated in an episode tells what was redacted there. */
export function tells(content: string, { words, isAll }: Pick<Lost, "words" | "isAll">): boolean {
  return isAll || [...tellingWords(content)].some((word) => words.has(word));
}
