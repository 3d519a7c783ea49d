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
