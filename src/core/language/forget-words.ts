/**
 * How people ask for something to be forgotten. All but `vague` are sources of patterns over lower-case text as `inAnyLanguage` makes them. A
 * request stands at the beginning of a clause, behind words of `lead`.
 */
export type ForgetWords = {
  /** Fillers and politeness before a request. Alternatives, each a word or a phrase; `polite` are those that ask. */
  lead: string;
  polite: string;
  /** Requests to forget. The group `object` is what is meant, and `more` what follows a verb that stands behind it. */
  forgets: readonly string[];
  /** Requests not to keep, remember, store or note something. */
  stores: readonly string[];
  /** Requests by a verb of deleting that could be of anything. */
  deletes: readonly string[];
  /** The same by words that are mostly of other things ("drop", "scrap"). */
  drops: readonly string[];
  /** In an object: it is of what was said, told or stored ("what I told you"). */
  said: string;
  /** The same, which a text or a list may have too: "everything about". */
  about: string;
  /** It should not have been said, or should not be here: "I shouldn't have typed", "not smart to leave". Its words name nothing. */
  regrets: string;
  /** In an object: a name for something that was talked of ("the … thing", "the bit about"). */
  thing: string;
  /** In a sentence: something takes its place ("instead", "make it"). */
  instead: string;
  /** In the clause of a request to forget or delete: it says the opposite, or threatens ("lösche … nicht", "forget it again and …"). */
  not: string;
  /** In what is not to be kept: it is something of the world ("don't keep … waiting", "… in the fridge"). */
  worldly: string;
  /** In an object: a name for what is written down of somebody ("number", "address"). */
  data: string;
  /** The beginning of an object: "the". */
  definite: string;
  /** A whole object, or its beginning: the message before. */
  last: string;
  /** The beginning of an object: something of the speaker's own ("my address"). */
  own: string;
  /** The beginning of an object that is a clause without a word before it: "I cried", "that he left". */
  bare: string;
  /** In an object: a piece of a text, a list, a file or a program; and words that stand before such a whole ("from the list"). Alternatives. */
  pieces: string;
  places: string;
  /** The beginning of a clause that goes on with an object: "what …", "that …". */
  goesOn: string;
  /** The beginning of a clause that says only why, or what may stay; the group `kept` is what. */
  reasons: string;
  keeps: readonly string[];
  /** Words that join two objects, that begin another clause, and that point back at what was named. Alternatives. */
  joins: string;
  breaks: string;
  /** Words behind which an object goes on without a mark ("delete my address it's private"). Alternatives. */
  runsOn?: string;
  /** The beginning of a clause that belongs to the one before it, in spite of a comma. */
  together?: string;
  points: string;
  /** Words for what people state without them: for medicines, illnesses, money, and for faith, politics and whom somebody loves. */
  medicine: string;
  health: string;
  money: string;
  belief: string;
  /** Words by which the same is named and stated: "debts" and "I owe". Each is a group. */
  alike: readonly string[];
  /** Words that name nothing in an object or a reason. */
  vague: string;
};
