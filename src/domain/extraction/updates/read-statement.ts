import { type Changes, changesIn } from "#core/language/changes";
import { readClauses } from "#core/language/clause-reader";
import type { WordClass } from "#core/language/pack";
import { tokensOf } from "#core/language/tokens";
import { classOf } from "#core/language/word-classes";
import { analyse } from "#core/text/analyse";
import { STOP_WORDS, WEAK_WORDS } from "#core/text/stop-words";

/** Kinds of values that a statement gives, by which another may give a new one. */
type ValueKind = "amount" | "time" | "clock" | "money";

/** What a clause says in the terms by which another may replace it. */
export type ReadPart = Pick<Changes, "ended" | "renewed"> & {
  /** The sentence of the statement that it belongs to. */
  sentence: number;
  /** Stems of what it is about: no function words, values, or words of whom and when. */
  stems: ReadonlySet<string>;
  values: ReadonlySet<ValueKind>;
};

/** A whole statement. */
export type ReadStatement = Pick<ReadPart, "stems" | "values"> & {
  /** Of the stems, names inside a sentence. */
  names: ReadonlySet<string>;
  /** Numbers that stand right after a stem and may say which one it is ("invoice 1042"). */
  numbers: ReadonlyMap<string, string>;
  tokens: number;
};

const SAYS_NO_SUBJECT: ReadonlySet<string | null> = new Set<WordClass>([
  ...([
    "me",
    "us",
    "you",
    "third",
    "not",
    "change",
    "time",
    "always",
    "ask",
    "order",
    "if",
    "say",
    "have",
    "be",
    "thanks",
  ] as const),
]);
const MIN_LETTERS = 3;
const MIN_HAN = 2;
const HAN = /[^\p{Script=Han}]+/gu;

const NUMBERED = /(?<!\p{L})(?<word>\p{L}{1,40}) (?<number>\p{N}{1,20})(?![\p{L}\p{N}]|[.,:]\p{N})/gu;

export function readStatement(content: string): ReadStatement {
  const tokens = tokensOf(content);
  const names = tokens.flatMap(({ name, word }) => (name === "Name" ? stemsOf(word) : []));
  const numbers = [...content.matchAll(NUMBERED)].flatMap(({ groups }) =>
    stemsOf(groups?.word ?? "").map((stem) => [stem, groups?.number ?? ""] as const),
  );
  return { ...readPart(content), names: new Set(names), numbers: new Map(numbers), tokens: tokens.length };
}

/** "If we cancelled the trip" cancels nothing. */
const NO_CHANGE = { ended: false, renewed: false };

/** The clauses of a statement. */
export function readParts(content: string): ReadPart[] {
  return readClauses(content).map(({ text, sentence, standing }) => ({
    ...readPart(text),
    ...(standing === "own" ? changesIn(text) : NO_CHANGE),
    sentence,
  }));
}

function readPart(text: string): Pick<ReadPart, "stems" | "values"> {
  const tokens = tokensOf(text);
  const words = tokens.filter(({ name, word, isHan }) => !isHan && !SAYS_NO_SUBJECT.has(name) && /\p{L}/u.test(word));
  const han = analyse(text.replace(HAN, " ")).filter((term) => term.length >= MIN_HAN && !STOP_WORDS.has(term));
  return {
    stems: new Set([...words.flatMap(({ word }) => stemsOf(word)), ...han]),
    values: valuesIn(text, tokens),
  };
}

function stemsOf(word: string): string[] {
  return analyse(word).filter(
    (stem) => stem.length >= MIN_LETTERS && !STOP_WORDS.has(stem) && !WEAK_WORDS.has(stem) && !SAYS_NO_SUBJECT.has(classOf(stem)),
  );
}

const CLOCK = /(?<![\p{L}\p{N}])(?:[01]?\d|2[0-3])(?:[:.h]\d\d|\s?(?:am|pm|uhr|h))(?![\p{L}\p{N}])|[点點]/iu;
const MONEY = /[£€$¥]\s?\d|\d\s?(?:quid|pounds?|euros?|dollars?|bucks|元|块)/iu;

function valuesIn(text: string, tokens: ReturnType<typeof tokensOf>): Set<ValueKind> {
  const kinds = new Set<ValueKind>();
  if (tokens.some(({ name }) => name === "number")) kinds.add("amount");
  if (tokens.some(({ name }) => name === "time")) kinds.add("time");
  if (CLOCK.test(text)) kinds.add("clock");
  if (MONEY.test(text)) kinds.add("money");
  return kinds;
}
