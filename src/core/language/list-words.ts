/** What the reader of ranked lists knows of a language: alternatives over a text in lower case without accents, if nothing else is said. */
export type ListWords = {
  /** Before a list, at the end of the words before it: a request for the list, or what somebody else listed. */
  askedFor?: string;
  others?: string;
  denials?: string;
  /** After a list: takes it back, or says whose words it is. */
  takenBack?: string;
  saidAfter?: string;
};
