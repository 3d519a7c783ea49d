import { starts } from "#core/language/patterns";
import { ENGLISH_CONDITION } from "./english-condition.ts";
import { ADV, CHOICE, HABITS, I, IDIOM, IM, TASKS, YOUR } from "./english-habits.ts";
import { DEMONYM, ENGLISH_IDENTITY, HOME_REFUSE, TOOL } from "./english-identity.ts";
import { keyOf, type Rule, SURE } from "./rule.ts";

const UNCLEAR = starts(
  `(?:${CHOICE}|${IDIOM}|${YOUR}|myself|my life|.*\\b(?:this|that|these|those|them|there)\\W*$|to\\W*$|\\W*$|.*\\b(?:wouldn't|would not|if (?:i|it) (?:was|were))\\b)`,
);

const FAVORITE = "(?:all[- ]time |absolute |personal |current |own )*favou?rite";
const PREFERENCES: readonly Rule[] = [
  {
    category: "preference",
    confidence: SURE.plain,
    pattern: starts(
      `(?:my|our) ${FAVORITE} (?<noun>(?:[\\p{L}'-]+ ){1,3}?)(?:is|are|will always be|has always been|remains) (?!not\\b|\\.\\.|…)`,
    ),
    refuse: starts("(?:\\W*$|what|\\.\\.|(?:breaking|coming|getting|being|going|missing|broken|closed|gone)\\b)"),
    key: ({ noun }) => favorite(noun),
  },
  {
    category: "preference",
    confidence: SURE.plain,
    pattern: starts("one of my (?:all[- ]time )?favou?rite [\\p{L}' -]{2,40}? is "),
    refuse: starts(CHOICE),
  },
  {
    category: "preference",
    confidence: SURE.strong,
    pattern: starts(
      `${I}${ADV}(?:prefer|love|hate|adore|enjoy|dislike|detest|despise|loathe|(?:can't|cant|cannot|can not) stand|(?:can't|cant|cannot) bear)\\b `,
    ),
    refuse: UNCLEAR,
    behindLead: true,
  },
  {
    category: "preference",
    confidence: SURE.strong,
    pattern: starts("(?:i'd|i would|we'd|we would) (?:much |really |always )?rather "),
    refuse: starts(`(?:${CHOICE}|${YOUR}|\\W*$)`),
    behindLead: true,
  },
  { category: "preference", confidence: SURE.weak, pattern: starts(`${I}${ADV}like `), refuse: UNCLEAR, behindLead: true },
  {
    category: "preference",
    confidence: SURE.usual,
    pattern: starts(
      `${IM}${ADV}(?:a (?:big |huge |massive |great )?(?:fan of|sucker for)|(?:really |very )?(?:into|fond of|crazy about|keen on|obsessed with)) `,
    ),
    refuse: UNCLEAR,
  },
];

/** "Blue is my favorite color" may begin with any word. */
export const FAVORITE_LAST: readonly Rule[] = [
  {
    category: "preference",
    confidence: SURE.plain,
    pattern: starts(
      `(?!(?:it|this|that|these|those|he|she|they|what|which|who|the (?:first|second|third|last|latter|former)|option|your?)\\b)[\\p{L}\\uFFFC][^,;:]{0,60}? (?:is|are) (?:definitely |by far |probably |still )?(?:my|our) ${FAVORITE} (?<noun>[\\p{L}'-]+(?: [\\p{L}'-]+){0,2})$`,
    ),
    key: ({ noun }) => favorite(noun),
  },
];

const CONDITIONAL = ".*\\b(?:if|unless|maybe|perhaps|probably|might|depending|not sure)\\b";
const DECISION_REFUSE = starts(
  `(?:${CHOICE}|${CONDITIONAL}|${YOUR}|\\W*$|up\\b|out\\b|to [\\p{L}]+ (?:about )?(?:this|that|it|them|him|her|you)\\b|.*\\b(?:this|that|it|them)\\W*$|the (?:code|bathroom|one|method|function|link|example)\\b|(?:not to )?answer|an example|(?:violence|chaos|peace|war|wisely|poorly|life|happiness|love|me)\\b(?! (?:and|by)\\b))`,
);
const COMPANY =
  "(?:my|his|our|their) (?!(?:gut|heart|instinct|usual|first|original|own)\\b)|(?:a|some|two|three) (?:friend|colleague)|friends|family|everyone|someone|us\\b|[\\p{L}]+(?: and [\\p{L}]+)? (?:to|on|for (?:dinner|lunch|a walk|coffee))\\b";

const DECISIONS: readonly Rule[] = [
  {
    category: "decision",
    confidence: SURE.usual,
    pattern: starts(
      "(?:i|we) (?:have |just |finally |eventually |ultimately |recently |already )*(?:chose|chosen|picked|decided (?:to|on|against|not to|that (?=(?:i|we|i'll|we'll|the|our)\\b))|opted for|settled on|switched to|adopted)\\b |(?:i've|we've|ive|weve) (?:just |finally |already |now )?(?:chosen|picked|decided (?:to|on|against|not to|that (?=(?:i|we|i'll|we'll|the|our)\\b))|opted for|settled on|switched to|adopted) |(?:i've|we've|ive|i have|we have) gone with ",
    ),
    refuse: DECISION_REFUSE,
    behindLead: true,
  },
  {
    category: "decision",
    confidence: SURE.usual,
    pattern: starts(
      "(?:i'll|i will|we'll|we will|i'm going to|im going to|i am going to|i'm gonna|im gonna|we're gonna|we're going to|we are going to) (?:just |definitely |now |also |be )?(?:use|using|adopt|go with|switch to|stick with) |(?:i'm|im|i am|we're|we are) (?:now |definitely )?(?:going with|switching to|sticking with|adopting) ",
    ),
    refuse: DECISION_REFUSE,
  },
  {
    category: "decision",
    confidence: SURE.usual,
    pattern: starts("(?:i|we) (?:finally |eventually |just )?went with "),
    refuse: starts(`(?:${COMPANY}|${CHOICE}|${CONDITIONAL}|${YOUR})`),
    behindLead: true,
  },
];

export const ENGLISH: readonly Rule[] = [
  ...PREFERENCES,
  ...DECISIONS,
  ...HABITS,
  ...TASKS,
  ...ENGLISH_CONDITION,
  ...ENGLISH_IDENTITY,
];

function favorite(noun: string | undefined): string | null {
  const words = (noun ?? "").trim();
  const single = /(?:ss|us|is|ies|ches|shes)$/iu.test(words)
    ? words.replace(/ies$/iu, words.length > 6 ? "y" : "ies").replace(/(ch|sh)es$/iu, "$1")
    : words.replace(/s$/iu, "");
  return words === "" ? null : keyOf("preference:favorite_", single);
}

/** Said without "I". A time or the end of the sentence must show that it is no title and no request. */
export const WITHOUT_SUBJECT: readonly Rule[] = [
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

/** "I'm Ada" is a name only in a greeting; compare "I'm Done". */
export const INTRODUCED: Rule = {
  category: "identity",
  confidence: SURE.usual,
  pattern: starts(
    `(?:(?:i'm|im|i am) |this is |it's )(?=(?-i:\\p{Lu}\\p{Ll}))(?!(?:${DEMONYM}|sorry|done|ok|okay|fine|back|new|not|just|so|a|the|in|on|at|good|ready|here|trying|looking|stuck|having|working|using)\\b)[\\p{L}'’-]+(?: (?-i:\\p{Lu})[\\p{L}'’-]+){0,2}(?=\\s*$|[,;(]| (?:and|from|here)\\b)`,
  ),
  key: "identity:name",
};
