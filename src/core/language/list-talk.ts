/**
 * Words by which people state, change and ask for lists of any kind. Alternatives over a text in lower case without accents; in languages
 * with spaces each stands between borders of words. A field that is left out has no such words.
 */
export type ListTalk = {
  /** Words without content of their own: articles, pronouns, auxiliaries, prepositions, fillers. */
  empty: string;
  /** The speaker, alone or with others. */
  me: string;
  /** Nouns for any list or any of its items ("list", "things", "ones"). */
  generic: string;
  number: string;
  /** Nouns and verbs that announce a list of several things without a colon. */
  kinds: string;
  /** Words that surely mean a list of the speaker's own ("my … list", "what did I put"). */
  listNamed: string;
  /** Verbs after which needed things follow ("i need …", "pack …"). */
  needs: string;
  /** Words for the same errand: a question with one finds a list that was named with another. */
  themes: readonly string[];
  and: string;
  andThen?: string;
  /** Before the value of a clause, and after it: it adds. */
  add: string;
  addFirst?: string;
  addLast?: string;
  /** It ends a value: a remark or another clause begins. */
  remark: string;
  /** After a value: it says nothing. */
  filler: string;
  /** Before a new value: words that are none of it. */
  lead: string;
  /** Takes an item away, and says that it is done. */
  remove: string;
  done: string;
  /** Verbs that say it is done where the item follows. */
  doneActive?: string;
  /** An ending of verbs that say it is done, where the verb stands before an item, or directly after. */
  doneForm?: string;
  /** Denies a removal or a deed ("not", "haven't"). */
  not: string;
  /** Says that it is still to come. */
  future: string;
  /** An item is there again. */
  back: string;
  between: string;
  swap: string;
  /** Between the old value and the new; before the new; after it. */
  replaceBy: string;
  /** Of those, words that say it without another verb. */
  becomes: string;
  /** A verb that says that the old value is another now. */
  change: string;
  insteadOf: string;
  instead: string;
  /** Places: groups `rank`, `before`, `after` are read by their class. */
  toTop: string;
  toEnd: string;
  /** Words that name a place at the end of a clause only. */
  first: string;
  last: string;
  before: string;
  after: string;
  /** One more of what is there. */
  again: string;
  /** With a word for the whole, or the list: it is emptied. */
  clear: string;
  all: string;
  /** It changes an item in a way that only a reader understands; the item is not sure any more. */
  may?: string;
  /** Questions. */
  howMany: string;
  howMuch: string;
  what: string;
  who: string;
  /** At the beginning: it asks something else than what is on a list. */
  asksElse: string;
  /** At the beginning of a request to keep a list. */
  request: string;
  /** At the beginning, also without a mark: it asks. */
  asks: string;
  /** At the beginning: it asks for yes or no. Anywhere: it does. */
  polar: string;
  polarAnywhere?: string;
  /** At the beginning: it asks whether something has been done; unless these verbs follow. */
  polarDone?: string;
  listing?: string;
  show: string;
  left: string;
  isDone: string;
  onList: string;
  next: string;
  /** Verbs of questions that every list can be asked with. */
  verbs: string;
  /** Between the name of a list and its items. */
  are: string;
  /** The list has an order. */
  ranked: string;
  /** After a value that is denied: the right one follows. */
  rather: string;
  /** Before an item: there is none of it. */
  none: string;
  /** The last one; the first one, where no list is meant. Before the number of a rank; and between a rank and its new value. */
  lastRank: string;
  topRank: string;
  numbered: string;
  isAt: string;
  /** After a rank that begins an item. */
  rankVerb: string;
  /** Marks that are said in dictation. */
  spokenComma?: string;
  spokenStop?: string;
};
