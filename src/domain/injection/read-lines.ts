import { readUtterance } from "#core/language/utterance";
import { type Asked, readAsked } from "./asked.ts";
import type { Arrangeable, Line } from "./line.ts";

/** What was found for a question and may be shown. */
export type Considered<I> = {
  /** What the search found, best first. */
  found: readonly I[];
  /** The newest passages that it did not find, the newest first. */
  latest: readonly I[];
  /** Whether `found` and `latest` hold all that was ever said: then unspent budget goes to the latest statements. */
  isShortTalk: boolean;
  query: string;
};

/** A question of more words tells something about who asks it. */
const ASKS_ONLY_WORDS = 6;

type Lines<I> = { all: Line<I>[]; lines: Line<I>[]; documents: Line<I>[]; asked: Asked };

/** The lines of the talk, those of them that are worth showing, passages of documents apart from them, and what the question asks for. */
export function readLines<I extends Arrangeable>(considered: Considered<I>): Lines<I> {
  const { found, latest, isShortTalk, query } = considered;
  const asked = readAsked(query);
  const talk = found.filter(({ kind }) => kind !== "chunk");
  const all = [...talk, ...(isShortTalk ? latest : [])].map(toLine);
  const lines = all.filter((line) => isWorthShowing(line) && (line.score > 0 || isWanted(line, asked)));
  const documents = found.filter(({ kind, view }) => kind === "chunk" && view.score > 0).map(toDocumentLine);
  return { all, lines, documents, asked };
}

/** A document states what it states, whoever asks: its words are not read as those of somebody who talks. */
function toDocumentLine<I extends Arrangeable>(item: I): Line<I> {
  const utterance = { kind: "statement" as const, words: NO_WORDS, showsChange: false };
  return { item, utterance, score: item.view.score, at: Date.parse(item.occurredAt), isStatement: false };
}

const NO_WORDS: ReadonlySet<string> = new Set();

function toLine<I extends Arrangeable>(item: I): Line<I> {
  const isStatement = item.kind === "memory" || (item.kind === "episode" && item.view.role === "user");
  return { item, utterance: readUtterance(item.text), score: item.view.score, at: Date.parse(item.occurredAt), isStatement };
}

/** Memories and entities were judged when they were stored. What somebody else says may be a question: it is no question of the user. */
function isWorthShowing({ item, utterance: { kind, words } }: Line<Arrangeable>): boolean {
  if (item.kind !== "episode") return true;
  return kind !== "acknowledgement" && (kind !== "question" || item.isOfOther || words.size > ASKS_ONLY_WORDS);
}

/** Of what the question shares nothing with: the user's statements, and the assistant's where it is asked for. */
function isWanted({ item, isStatement, utterance }: Line<Arrangeable>, { assistant }: Asked): boolean {
  if (item.kind !== "episode" || utterance.kind === "answer" || utterance.kind === "question") return false;
  return isStatement || (assistant && item.view.role === "assistant");
}
