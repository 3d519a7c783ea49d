import { asksToForget } from "#core/language/forget-requests";
import { sentencesOf } from "#core/language/sentences";
import { findSecrets } from "#core/safety/find-secrets";
import { analyse } from "#core/text/analyse";
import { memorySpans } from "#core/text/memory-fence";
import { FILLED_MARK } from "#core/text/redacted";
import { STOP_WORDS } from "#core/text/stop-words";

type Span = { start: number; end: number };

/** A message to summarize. `hidden`: parts that no search shows, because they were redacted or ask for something to be forgotten. */
export type SummaryMessage = {
  role: string;
  /** Who is named before its words; null for nobody. */
  label: string | null;
  text: string;
  hidden: readonly Span[];
};

/** A sentence that may be in a summary. `message` is the index of its message. */
export type Said = { message: number; label: string | null; isUser: boolean; text: string; isQuestion: boolean };

/** A sentence states what was replaced if it has this share of its words. */
const STATES = 0.8;
const REDACTED = /\[redacted[:_][a-z_]+\]/u;

/**
 * The sentences of users and assistants, in order, without those that must not be repeated: redacted and hidden ones, secrets, requests to
 * forget, injected memory, and what states a statement that has been replaced since.
 */
export function saidSentences(messages: readonly SummaryMessage[], replaced: readonly string[]): Said[] {
  const old = replaced.map(tellingWords).filter((words) => words.size > 0);
  return messages.flatMap(({ role, label, text, hidden }, message) => {
    if (role !== "user" && role !== "assistant") return [];
    const left = [...hidden, ...memorySpans(text)];
    return sentencesOf(text).flatMap(({ start, end, isQuestion }) => {
      if (left.some((span) => span.start < end && start < span.end)) return [];
      const sentence = text.slice(start, end).replace(/\s+/gu, " ").trim();
      if (!mayBeRepeated(sentence) || statesAny(sentence, old)) return [];
      return [{ message, label, isUser: role === "user", text: sentence, isQuestion }];
    });
  });
}

/** A text without its sentences that must not be repeated. */
export function sentencesToKeep(text: string, replaced: readonly string[]): string[] {
  return saidSentences([{ role: "assistant", label: null, text, hidden: [] }], replaced).map((said) => said.text);
}

function mayBeRepeated(sentence: string): boolean {
  if (sentence.includes(FILLED_MARK) || REDACTED.test(sentence)) return false;
  return findSecrets(sentence).length === 0 && !asksToForget(sentence);
}

/** Whether a text has most of the words of one of these statements. */
export function statesAny(text: string, statements: readonly ReadonlySet<string>[]): boolean {
  if (statements.length === 0) return false;
  const words = tellingWords(text);
  return statements.some((one) => [...one].filter((word) => words.has(word)).length >= one.size * STATES);
}

/** The words of a text that carry its meaning, as the index has them. */
export function tellingWords(text: string): Set<string> {
  return new Set(analyse(text).filter((word) => !STOP_WORDS.has(word)));
}
