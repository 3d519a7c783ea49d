import type { ForgetWords } from "./forget-words.ts";
import type { ListTalk } from "./list-talk.ts";
import type { ListWords } from "./list-words.ts";
import type { Forms } from "./statement-forms.ts";

/** Kinds of words that say the same in every language. */
export type WordClass =
  | "me"
  | "us"
  | "you"
  | "third"
  | "kin"
  | "pet"
  | "not"
  | "change"
  | "time"
  | "always"
  | "ask"
  | "order"
  | "text"
  | "if"
  | "say"
  | "like"
  | "health"
  | "work"
  | "home"
  | "have"
  | "be"
  | "thanks";

/** Folded words, separated by spaces; each in one class. Chinese words are looked for in the running text. */
export type WordClasses = Readonly<Record<WordClass, string>>;

/** What every person has one of, or asks for under one name. */
export type KeyAttribute =
  | "name"
  | "home"
  | "job"
  | "age"
  | "origin"
  | "diet"
  | "partner"
  | "children"
  | "pet"
  | "vehicle"
  | "phone"
  | "email"
  | "income"
  | "school"
  | "language"
  | "goal";

/** The words by which people ask for a slot's value, separated by spaces; words that ask for anything ("what", "my") are left out. */
export type AskedWords = Readonly<Record<KeyAttribute, string>>;

/**
 * By which a clause shows how it stands in its message (`Standing`). Each is the source of a pattern over lower-case text, tested with its
 * accents and without them, so an accent is written only where it distinguishes ("qué"). `\b` is a border of words.
 */
export type Frames = {
  /** At the beginning of a clause: it asks. */
  asked?: string;
  /** At its beginning, inside a sentence that is no question: a relative clause, although it begins like a question. */
  relative?: string;
  /** At the end of a sentence, after a statement that it makes a question. */
  tag?: string;
  /** At the beginning: a request to remember something, in the form of a question. */
  request?: string;
  supposed?: string;
  reported?: string;
  /** In a sentence: its words are somebody else's. */
  attributed?: string;
  past?: string;
  /** At the beginning of a clause, tested to the end of its sentence: the text of a request follows. */
  material?: string;
  /** As `material`, for a play or story, which does not end with a quotation. */
  staged?: string;
  elsewhere?: string;
  joke?: string;
  /** Laughter: what is said beside it may be a joke. */
  laughter?: string;
  /** At the beginning of a clause: what was supposed or reported ends. */
  reopening?: string;
  /** At the beginning of a sentence after the text of a request: it is no part of the text. */
  aside?: string;
  /** At the beginning of a clause: an order for from now on. */
  standing?: string;
  /** The speaker says outright what they would rather have. */
  prefers?: string;
  /** It ends within days ("until Friday", "this week"). */
  ends?: string;
  /** It says what is to be told to somebody: of others than the speaker, it would steer the answers that they get. */
  steering?: string;
  /** Words for people other than the speaker in general, and for the assistant as if it were somebody else. */
  anybody?: string;
  /** Words that show none of these although they look so ("if you ask me", "I said"). */
  harmless?: string;
};

/** Words separated by spaces, as `sensitivity.ts` reads them: a star ends a stem, a hyphen joins the words of a phrase. A word that is harmless in another language is left out. */
export type SensitiveWords = {
  sensitive: string;
  personal: string;
  /** For a script without spaces: sources of patterns. */
  sensitivePattern?: string;
  personalPattern?: string;
  /** Sources of patterns over the text in lower case. */
  doctors?: string;
  visits?: string;
  numbers?: string;
  currencies?: string;
  earning?: string;
  periods?: string;
  /** Between an amount and its period. */
  untaxed?: string;
};

/** What holds one value at a time. */
export type Slot =
  | "home"
  | "work"
  | "diet"
  | "partner"
  | "called"
  | "language"
  | "emoji"
  | "length"
  | "bullets"
  | "units"
  | "address";

/**
 * Sources of the words by which a statement gives a slot a value or ends the one it has, anywhere in it, over lower-case text as `Frames`
 * are. What begins a statement surely is in `Forms`. A `conditional` statement gives no slot its value.
 * - `unreal`: in a clause, before or in what was matched: it did not happen, or is for some days
 * - `returned`: the speaker has something again that was over
 * - `corrected`: what was said before was meant otherwise
 * - `several`: more than one value of what is one for most people
 */
export type SlotWords = Readonly<Partial<Record<Slot | "conditional" | "unreal" | "returned" | "corrected" | "several", string>>>;

/**
 * What a statement's words show of its kind and of when it holds.
 * - `duty`: something that is still to be done ("I need to", "remind me")
 * - `feeling`: a state that passes, of the speaker or of the weather
 * - `doing`: what the speaker is busy with ("I'm working on"); not what they do for years ("I'm living in")
 * - `done`: somebody did something, once
 * - `likes`: the speaker likes, dislikes or prefers
 * - `past`, `future`: a time near today; `day`: a day that may be either ("on Friday", "12 May")
 * - `now`: today, or this very moment; `current`: these days; `until`: until some day, or for some days
 * - `lasting`: again and again, or for years: then no other word of time says when the statement ends
 */
export type Sign =
  | "duty"
  | "feeling"
  | "doing"
  | "done"
  | "likes"
  | "past"
  | "future"
  | "day"
  | "now"
  | "current"
  | "until"
  | "lasting";

/** Sources over lower-case text, as `Frames` are. */
export type SignWords = Readonly<Partial<Record<Sign, string>>>;

/** Names of the twelve months from January on, alternatives each, and sources around one: `{month}` stands for it, `(?<day>…)` and `(?<year>…)` for what is beside it. */
export type Calendar = { months: readonly string[]; dates: readonly string[] };

/**
 * A language as everything reads it that reads what people say. Fields that are left out have no such words. To add a language: a folder
 * with a pack, its line in `packs.ts`, and its corpus.
 */
export type LanguagePack = {
  code: string;
  /** Whether words are separated by spaces. */
  spaced: boolean;
  words?: WordClasses;
  slots?: SlotWords;
  signs?: SignWords;
  calendar?: Calendar;
  /** Folded words that say whose something is and begin no clause as its subject. Alternatives. */
  possessive?: string;
  /** Verbs that have the speaker as their subject without a pronoun, over lower-case text. */
  firstPerson?: string;
  /**
   * Sources of signs that a statement replaces an earlier one, over lower-case text as `Frames` are: what it speaks of has `ended`, or is
   * otherwise now (`renewed`). One that tells what `happened` stays true. A wish for how the assistant behaves `stops` what it did, or
   * `resumes` what it did before. And of signs that a statement may replace nothing: the change did not happen (`unreal`: "almost",
   * "dreamt"), is for `once` ("this week"), something comes `beside` ("also") or `stays` ("still").
   */
  changes?: Record<"ended" | "renewed" | "happened" | "stops" | "resumes" | "unreal" | "once" | "beside" | "stays", string>;
  frames: Frames;
  /** Words that begin a clause, after which another begins. Alternatives. */
  conjunctions: string;
  /** Other words behind which a clause says something more ("with", "who", "also"). Alternatives. */
  joins?: string;
  /** Of the conjunctions, those that stand before a time too. Alternatives. */
  since?: string;
  /**
   * Folded words, separated by spaces, that state a value and are none: `calls`, between what is called something and its name; `words`, beside those that are never telling; `ofOccupations`,
   * which with an occupation behind them are one; `employed`, before an employer; `years`, before a year.
   */
  stating?: { words: string; calls?: string; ofOccupations?: string; employed?: string; years?: string };
  /**
   * Of a predicate that shares the subject of the one before it: the pronouns of the speaker, their forms of "to be", and words for states of health, which stand behind
   * that and not behind the pronoun. Alternatives.
   */
  shared?: Record<"pronoun" | "copula" | "states", string>;
  /** Words that begin a clause of text without punctuation. Alternatives. */
  subjects?: string;
  /** Fillers before and after a statement. Alternatives. */
  before?: string;
  after?: string;
  /** Abbreviations that end with a full stop. Alternatives. */
  abbreviations?: string;
  /** Words before a colon that are no speaker of a pasted conversation, and those that begin quoted mail. Alternatives. */
  labels?: string;
  mailLines?: string;
  /** What follows the line before a forwarded message. Alternatives. */
  forwarded?: string;
  sensitivity?: SensitiveWords;
  /** Sources of what ties a statement to the moment: words, and what somebody does next. */
  moment?: { words: string; actions?: string };
  /** Sources: negations, words for the opposite, and idioms that negate nothing. */
  negation?: { words: string; contrary?: string; idioms?: string };
  /** Sources of the beginnings of words for ways of eating. */
  diets?: string;
  /** Of a word that may be a name: sources, over folded text, of what stands before nouns and before no name; and of verbs of which it is the subject. */
  names?: { notAfter: string; verbs?: string };
  /**
   * Sources over a question in lower case: it asks for an amount or a time; for what the assistant said earlier; for somebody or a name;
   * for something known, not for advice.
   */
  asks?: { amount: string; byAssistant: string; person: string; known: string };
  /** Greetings and wishes of several words. Alternatives. */
  greetings?: string;
  /** Words for numbers, and small units of money. Alternatives. */
  amounts?: string;
  asked?: AskedWords;
  lists?: ListWords;
  listTalk?: ListTalk;
  forms?: Forms;
  forget?: ForgetWords;
};
