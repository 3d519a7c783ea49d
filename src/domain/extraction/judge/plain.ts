import type { Clause } from "#core/language/clause-reader";
import { lowerCase } from "#core/language/folded";
import { fillersIn, isStandingOrder, laughs } from "#core/language/frames";
import { signsOfKind } from "#core/language/signs";
import { type Token, tokensOf } from "#core/language/tokens";

/** Messages of more words say more than one plain thing. */
const MAX_WORDS = 30;
/** A greeting, thanks or a name alone; and a question so short asks for the same of the assistant. */
const FEW_WORDS = 4;

/** Whether a message laughs, or has quoted words, code or addresses. */
export function isMixed(text: string): boolean {
  return laughs(lowerCase(text)) || MARKUP.test(text);
}

/**
 * Whether what is not mixed says nothing else than plain statements of its speaker, beside greetings and questions to the assistant about itself: no
 * task, no quotation, no story, no laughter. The judge, which learned from messages that are hard on purpose, is too careful there.
 */
export function isPlain(clauses: readonly Clause[]): boolean {
  const words = clauses.reduce((sum, clause) => sum + wordsOf(clause.text).length, 0);
  return words <= MAX_WORDS && clauses.every((_, at) => isPlainClause(clauses, at));
}

const MARKUP = /["“”«»„\u300c\uFFFC<>{}=@]|https?:/u;

function isPlainClause(clauses: readonly Clause[], at: number): boolean {
  const clause = clauses[at] as Clause;
  const { standing, isQuestion, text, sentence } = clause;
  const tokens = wordsOf(text);
  // A question is asked in its last clause; those before it may state something.
  if (standing === "asked" || (isQuestion && clauses[at + 1]?.sentence !== sentence))
    return tokens.length < FEW_WORDS || tokens.some(({ name }) => name === "you") || isGreeting(text, tokens);
  if (standing !== "own" && standing !== "past") return false;
  if (isStandingOrder(lowerCase(text))) return false;
  if (isGreeting(text, tokens)) return true;
  if (tokens.some(({ name }) => NOT_PLAIN.has(name))) return false;
  if (statesOwn(clause)) return true;
  // The rest of a sentence may be without a subject, unless it asks something for the speaker ("entertain me").
  return clauses[at - 1]?.sentence === sentence && !tokens.some(isSpeaker);
}

/** Texts to work on, and what somebody says. */
const NOT_PLAIN: ReadonlySet<string> = new Set(["text", "say"]);

/** Whether the speaker, or somebody or something of theirs, is the subject of a clause. */
export function statesOwn({ text }: Clause): boolean {
  const bare = text.slice(fillersIn(lowerCase(text)));
  const words = wordsOf(bare);
  const [first, second] = words;
  if (first === undefined || first.name === "ask" || first.name === "order") return false;
  if (isSpeaker(first) || (NO_SUBJECT.has(first.name) && isSpeaker(second))) return true;
  const signs = signsOfKind(bare);
  if (OWN_SIGNS.some((sign) => signs.has(sign))) return true;
  if (first.name === "not") return false;
  // "The office is freezing today"; not "bored today".
  if (signs.has("now") && words.length >= FEW_WORDS) return true;
  return TIME_SIGNS.some((sign) => signs.has(sign)) && words.some(isSpeaker);
}

const NO_SUBJECT: ReadonlySet<string> = new Set(["not", "time"]);
/** Whether a clause begins with the speaker, or with somebody close to them. */
export function namesSubject(text: string): boolean {
  const words = wordsOf(text.slice(fillersIn(lowerCase(text)))).slice(0, FEW_WORDS);
  return words.some((word) => isSpeaker(word) || word.name === "kin" || word.name === "pet");
}

/** What only the speaker says of themselves or of where they are; and what they say of their days, if they name themselves. */
const OWN_SIGNS = ["likes", "duty", "feeling"] as const;
const TIME_SIGNS = ["past", "future", "day", "current", "until", "doing"] as const;

function isSpeaker(token: Token | undefined): boolean {
  return token?.name === "me" || token?.name === "us" || ELIDED.test(token?.word ?? "");
}

/** French "I" before a vowel. */
const ELIDED = /^j'/u;

function isGreeting(text: string, tokens: readonly Token[]): boolean {
  return (
    tokens.length <= FEW_WORDS && (tokens.some(({ name }) => name === "thanks") || fillersIn(lowerCase(text)) >= text.length - 1)
  );
}

function wordsOf(text: string): Token[] {
  return tokensOf(text).filter(({ word }) => /[\p{L}\p{N}]/u.test(word));
}
