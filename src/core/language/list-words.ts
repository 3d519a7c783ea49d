/** Letters for classes of patterns over a text in lower case without accents: far smaller, once compiled, than `\\p{L}`. */
export const LETTERS = "a-z\\u00c0-\\u1fff\\u2c00-\\u2dff\\u3005-\\u3007\\u3040-\\ud7ff\\uf900-\\ufaff";
export const HAN_LETTERS = "\\u3005-\\u3007\\u3400-\\u9fff\\uf900-\\ufaff";
/** The beginning of a word. */
export const EDGE = `(?<![${LETTERS}\\d'])`;
/** Between the name of a list and its values. */
export const LINK = `(?: ?(?:[:=]{1,8}|-{1,8}>|=>|→)[ \\n]{0,20}| [–—-] |\\n{1,2}| (?=\\(?1[.):\\]]|#1|1 |•)|(?=•))`;

export function ordinal(ordinals: readonly string[], figures: string): string {
  return `(?:${[...ordinals, figures].join("|")})`;
}

export function cardinal(cardinals: readonly string[]): string {
  return `(?:\\d{1,2}|${cardinals.join("|")})`;
}

/** How a speaker begins to say what they like best. `list`: values follow. `single`: one value of one rank follows. `backward`: the value comes before. */
export type IntroPattern = {
  form: "list" | "single" | "backward" /** Without the word "favorite" only a known topic counts. */;
  knownOnly?: true;
  source: string;
};

/** `bare`: a question only with a question mark, or after words that ask. `singularVerb`: a singular noun does not ask for a list. */
export type QuestionPattern = { ask: "rank" | "list"; knownOnly?: true; bare?: true; singularVerb?: true; source: string };

/**
 * What the reader of ranked lists and of questions for them knows of a language: alternatives over a text in lower case without accents, if
 * nothing else is said.
 */
export type ListWords = {
  /** By rank, from 1, and digits with the endings of ordinals; cardinals by number; words before a number ("no. "). */
  ordinals: readonly string[];
  figures: string;
  cardinals: readonly string[];
  numbers: string;
  /** At the end of a sentence: it asks. */
  particles?: string;
  /** Words that no noun phrase has. */
  noNoun?: string;
  /** Groups: `noun`, `rank`, `count`. */
  intros: readonly IntroPattern[];
  questions: readonly QuestionPattern[];
  followUps: readonly QuestionPattern[];
  /** What every intro, question and follow-up question of the language has, and every word for a favourite. Patterns of other languages are not run. */
  cue: string;
  questionCue: string;
  followUpCue?: string;
  favourite?: string;
  /** In a quotation: it mentions favourites. */
  mentions?: string;
  /** What every message with a list has; most messages have none of these. */
  mine: string;
  /** An announced order, also only at the end of an intro, and the words between it and the list. */
  order?: string;
  ordered?: string;
  here?: string;
  /** Before lines that each name a known topic. */
  umbrella?: string;
  is?: string;
  and?: string;
  /** Small words within a name. */
  nameWords?: string;
  /** Before a cardinal, and around an ordinal, in lists. */
  rankWords?: string;
  beforeOrdinal?: string;
  afterOrdinal?: string;
  /** What begins a clause, or is no name. */
  clauseStart?: string;
  noName?: string;
  or?: string;
  /** Between values, with the verb that follows; before the first; after the last; and before what is no value. */
  next?: string;
  comes?: string;
  firstly?: string;
  inOrder?: string;
  otherwise?: string;
  /** After a value, around its ordinal. */
  placed?: { before: string; last: string; after: string };
  /** After a value: reasons and contrasts, alternatives, remarks after a comma, fillers. */
  aside?: string;
  insteadOf?: string;
  remarkAfterComma?: string;
  noise?: string;
  /** Before a value; what stands for none; and what is none. */
  leading?: string;
  noValue?: string;
  notAValue?: string;
  /** Before a value that comes before its intro: words of another clause, and remarks. */
  clauseWords?: string;
  joins?: string;
  remarks?: string;
  /** Before values that are no titles. */
  article?: string;
  /** Around a question. */
  courtesy?: string;
  greetings?: string;
  asking?: string;
  trailing?: string;
  please?: string;
  requests?: string;
  /** Words that ask and are a part of their question. */
  ownVerb?: string;
  last?: string;
  /** Chat spellings, and how they are read. */
  chatWords?: readonly (readonly [word: string, plain: string])[];
  kindOf?: string;
  /** Nouns that name no topic. */
  emptyNouns?: string;
  of?: string;
  /** Whether an adjective follows its noun. */
  headFirst?: true;
  /** The form in which a noun is compared, equal in singular and plural. */
  plural?: (word: string) => string;
  /** Nouns of the built-in topics, by the topic's key, separated by commas. */
  topics?: Readonly<Record<string, string>>;
  /** Before a list, at the end of the words before it: a request for the list, or what somebody else listed; and denials. */
  askedFor?: string;
  others?: string;
  denials?: string;
  /** After a list: takes it back, or says whose words it is. */
  takenBack?: string;
  saidAfter?: string;
};
