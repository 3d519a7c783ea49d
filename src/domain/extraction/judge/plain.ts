import type { Clause } from "#core/language/clause-reader";
import { lowerCase } from "#core/language/folded";
import { fillersIn, isStandingOrder, laughs } from "#core/language/frames";
import { signsOfKind } from "#core/language/signs";
import { type Token, tokensOf } from "#core/language/tokens";

/** Messages of more words say more than one plain thing. */
const MAX_WORDS = 30;
/** A greeting, thanks or a name alone; and a question so short asks for the same of the assistant. */
const FEW_WORDS = 4;

/**
 * Whether a message says nothing else than plain statements of its speaker, beside greetings and questions to the assistant about itself: no
 * task, no quotation, no story, no laughter. The judge, which learned from messages that are hard on purpose, is too careful there.
 * @param clauses of the whole message
 */
export function isPlain(clauses: readonly Clause[], text: string): boolean {
  if (laughs(lowerCase(text)) || MARKUP.test(text)) return false;
  const words = clauses.reduce((sum, clause) => sum + wordsOf(clause.text).length, 0);
  return words <= MAX_WORDS && clauses.every((_, at) => isPlainClause(clauses, at));
}

/** Quoted words, code and addresses. */
const MARKUP = /["“”«»„\u300c\uFFFC<>{}=@]|https?:/u;

function isPlainClause(clauses: readonly Clause[], at: number): boolean {
  const clause = clauses[at] as Clause;
  const { standing, isQuestion, text, sentence } = clause;
  const tokens = wordsOf(text);
  // A question is asked in its last clause; those before it may state something.
  if (standing === "asked" || (isQuestion && clauses[at + 1]?.sentence !== sentence))
    return tokens.length < FEW_WORDS || tokens.some(({ name }) => name === "you") || isGreeting(text, tokens);
  if (standing !== "own" && standing !== "past") return false;
  if (tokens.some(({ name }) => name === "text") || isStandingOrder(lowerCase(text))) return false;
  return statesOwn(clause) || isGreeting(text, tokens) || clauses[at - 1]?.sentence === sentence;
}

/** Whether the speaker, or somebody or something of theirs, is the subject of a clause. */
export function statesOwn({ text }: Clause): boolean {
  const bare = text.slice(fillersIn(lowerCase(text)));
  const [first, second] = wordsOf(bare);
  if (first === undefined || first.name === "ask" || first.name === "order") return false;
  const isSpeaker = (token: Token | undefined) => token?.name === "me" || token?.name === "us" || ELIDED.test(token?.word ?? "");
  if (isSpeaker(first) || ((first.name === "not" || first.name === "time") && isSpeaker(second))) return true;
  return signsOfKind(bare).has("likes");
}

/** French "I" before a vowel. */
const ELIDED = /^j'/u;

function isGreeting(text: string, tokens: readonly Token[]): boolean {
  return tokens.length <= FEW_WORDS && (tokens.some(({ name }) => name === "thanks") || fillersIn(lowerCase(text)) >= text.length - 1);
}

function wordsOf(text: string): Token[] {
  return tokensOf(text).filter(({ word }) => /[\p{L}\p{N}]/u.test(word));
}
