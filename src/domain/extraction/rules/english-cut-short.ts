import { DEMONYM, HOME_REFUSE, TOOL } from "./english-identity.ts";
import { type Rule, SURE, starts } from "./rule.ts";

/** Said without "I": what is so cut short is the speaker's own only where a time or an end of the sentence makes it no title and no order. */
export const CUT_SHORT: readonly Rule[] = [
  {
    category: "identity",
    confidence: SURE.usual,
    pattern: starts(
      "(?:just |recently |finally )?moved (?:back |over |out |down |up )?to (?=(?-i:\\p{Lu}))(?=.*\\b(?:last|this|in|two|three|four|a few|some|\\d+) (?:[\\p{L}\\d]+)|.*\\b(?:today|yesterday|recently|ago)\\b|[\\p{L}'-]+(?: (?-i:\\p{Lu})[\\p{L}'-]+)*\\W*$)",
    ),
    refuse: starts(`(?:${TOOL}|\\W*$)`),
    implied: "I ",
    key: "identity:home",
  },
  {
    category: "identity",
    confidence: SURE.usual,
    pattern: starts(
      "(?:currently |still )?(?:living|based) in (?=(?-i:\\p{Lu})[\\p{L}' -]{1,40}?(?:\\W*$| (?:now|these days|since|atm|at the moment|for)\\b))",
    ),
    refuse: HOME_REFUSE,
    implied: "I'm ",
    key: "identity:home",
  },
];

/** A name alone is one only in a greeting: "I'm Done" is none. */
export const INTRODUCED: Rule = {
  category: "identity",
  confidence: SURE.usual,
  pattern: starts(
    `(?:(?:i'm|im|i am) |this is |it's )(?=(?-i:\\p{Lu}\\p{Ll}))(?!(?:${DEMONYM}|sorry|done|ok|okay|fine|back|new|not|just|so|a|the|in|on|at|good|ready|here|trying|looking|stuck|having|working|using)\\b)[\\p{L}'’-]+(?: (?-i:\\p{Lu})[\\p{L}'’-]+){0,2}(?=\\s*$|[,;(]| (?:and|from|here)\\b)`,
  ),
  key: "identity:name",
};
