/**
 * Part of what a user says. A text is the source of a pattern that is looked for anywhere, with the group `object` for what it names. With
 * `source` the match counts from the beginning of the clause, and what stands before it is the object if there is no group `object`; where
 * `unless` is found in the clause it does not count.
 */
export type Phrase = string | { source: string; unless?: string };

/**
 * How people ask for something to be forgotten. Sources of patterns over lower-case text as `inAnyLanguage` makes them; each is tested at the
 * beginning of a clause behind `lead`, except where it says otherwise.
 */
export type ForgetWords = {
  /** Before an order, one after the other: fillers, politeness, who is asked. Each is one word or phrase with the space behind it. */
  lead: readonly ({ often: string } | { once: string })[];
  /** To forget, said of nothing else or of little else; the group `object` is what. */
  surely: string;
  /** Those of them, and verbs of erasing, that need no more to be a request where what they name was stated: "erase my …", "forget where …". */
  plainly: string;
  /** Everyday verbs that may mean it ("drop", "take off"); what they name must have been said, or the message says that it was. */
  perhaps: string;
  /** Anywhere in a clause: a wish that it were gone, which may be of anything. */
  weakly?: readonly Phrase[];
  /** The same behind what it names, in a whole clause: "das mit dem Geld vergiss bitte". */
  behind?: readonly Phrase[];
  /** Anywhere in a clause: a wish, a refusal to have it kept, a play that it was never said. */
  wishes: readonly Phrase[];
  /** Anywhere in a sentence: what only looks like a request. */
  harmless: string;
  /** Anywhere in a request: it is about a text or a list that is being worked on, or a thing. */
  material: string;
  /** Anywhere: that something was said, told or stored here. */
  ofEarlier: string;
  /** The same, said so that no order about things in the world says it: "what i told you", "from your notes". */
  refers: string;
  /** At the beginning of a clause: it limits what was stated before it. */
  yet: string;
  /** Anywhere in a clause: it may stay. The group `object` is what. */
  kept: readonly Phrase[];
  /** The whole of what may stay or go: all the rest. */
  rest: string;
  /** Anywhere in a request: it is of the whole, or of all that was said of its topic. */
  whole: string;
  all: string;
  /** A question that asks for it. */
  asks: string;
  /** The whole of what is to be forgotten, where it names nothing. */
  itself: string;
  /** Words that begin a clause. Alternatives. */
  joints: string;
  /** At the beginning of a clause: it adds to what the clause before it names. */
  adds: string;
  /** Words of a request that name nothing. */
  vague: string;
};
