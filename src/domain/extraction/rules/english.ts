import { ENGLISH_IDENTITY } from "./english-identity.ts";
import { keyOf, type Rule, SURE, starts } from "./rule.ts";

/** Words between the subject and its verb that change nothing. */
const ADV =
  "(?:(?:really|absolutely|much|very much|just|also|still|generally|personally|definitely|actually|truly|totally|simply|especially|do|usually|honestly|strongly|particularly|quite|so|always|mostly|now|currently|finally|obviously|genuinely|both|all|deeply|thoroughly|secretly|slightly) ){0,3}";
const I = "(?:i|we) ";
const IM = "(?:i'm|im|i am|we're|we are) ";
/** Things that only this conversation knows. */
const POINTING =
  "(?:it(?! when\\b| if\\b)|that|this|these|those|them|him|her|you|both|either|neither|none|everything|what|where|how|why|one|the way|the (?:sound|look) of|all of|any of|whichever|whatever|whoever)\\b";
const OFFERED =
  "(?:the |all the )(?:[\\p{L}-]+ ){0,2}(?:(?:options?|versions?|variants?|choices?|answers?|repl(?:y|ies)|responses?|suggestions?|drafts?|approach(?:es)?|ideas?|explanations?|error messages?|wording|phrasing|recommendations?|summary|snippet)\\b|(?:first|second|third|fourth|last|latter|former|previous|other|above|below|same)(?: one)?(?:\\W*$| (?:for|please|of|you|from)\\b)|(?:[\\p{L}-]+ ){1,2}one(?:\\W*$| (?:for|please|you|from|with|that|where)\\b))";
const CHOICE = `(?:${POINTING}|${OFFERED}|option|version|variant|number \\d|#?\\d+\\s*$|[a-d]\\s*$|=)`;
const IDIOM =
  "to (?:say|ask|admit|break|bother|see (?:it|that|this)|think|hear (?:it|that|this)|be (?:that|the|rude|a bother)|tell|complain|interrupt|disappoint|know|point|nitpick|burst)\\b";
const YOUR = ".*\\bwhen you (?:do|say) (?:that|this|it)\\b|.*\\b(?:your|yours)\\b|(?!.*\\bwhen you\\b).*\\byou\\b";
const UNCLEAR = starts(
  `(?:${CHOICE}|${IDIOM}|${YOUR}|myself|my life|\\W*$|.*\\b(?:wouldn't|would not|if (?:i|it) (?:was|were))\\b)`,
);

const FAVORITE = "(?:all[- ]time |absolute |personal |current |own ){0,2}favou?rite";
const PAST =
  "(?!(?:need|feed|speed|proceed|exceed|succeed|breed|embed|weed|heed)\\b)(?:[\\p{L}]{2,}ed|was|were|had|went|got|thought|knew|felt|said|told|did|came|took|saw|made|kept|found|left|lost|wrote|ran|ate|drank|slept|dreamt|meant|understood|heard|spoke|won|spent|brought|bought|taught|caught|stood|sat|drove|flew|woke|wore|grew|began|fell|gave)\\b";
const TROUBLE =
  "(?:get|see|receive|have|run into|end up|hit|encounter)\\b.*\\b(?:errors?|exceptions?|bugs?|warnings?|crash(?:es)?|\\d{3}|null|undefined|timeouts?|failures?)\\b";
const HABIT_REFUSE = starts(
  `(?:${PAST}|${TROUBLE}|wonder|will\\b|would|wouldn't|wanna|${YOUR}|\\W*$|(?:do|say|use|eat|need|want|get) (?:it|that|this)\\W*$)`,
);
const OFTEN =
  "usually|always|often|normally|typically|generally|regularly|frequently|mostly|rarely|seldom|hardly ever|tend to|sometimes";
const DAY =
  "(?:day|morning|evening|night|afternoon|week|weekend|month|year|weekday|workday|monday|tuesday|wednesday|thursday|friday|saturday|sunday|spring|summer|autumn|fall|winter|other day|time)s?";
const DOES =
  "(?:go|run|walk|cycle|bike|swim|work|exercise|meditate|drink|eat|cook|bake|read|write|practi[cs]e|study|play|train|get up|wake up|take|do|have|use|commute|listen|watch|visit|call|journal|pray|jog|lift|stretch|skip|start|check|make|sleep|nap|volunteer|travel|meet|stream|blog|garden|paint|draw|knit|attend|spend|drive|clean|review|shop|order)";

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

/** "Blue is my favorite color": it begins with anything. */
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
  `(?:${CHOICE}|${CONDITIONAL}|${YOUR}|\\W*$|the (?:code|bathroom|one|method|function|link|example)\\b|(?:not to )?answer|an example)`,
);
const COMPANY =
  "(?:my|his|our|their) (?!(?:gut|heart|instinct|usual|first|original|own)\\b)|(?:a|some|two|three) (?:friend|colleague)|friends|family|everyone|someone|us\\b|[\\p{L}]+(?: and [\\p{L}]+)? (?:to|on|for (?:dinner|lunch|a walk|coffee))\\b";

const DECISIONS: readonly Rule[] = [
  {
    category: "decision",
    confidence: SURE.usual,
    pattern: starts(
      "(?:i|we) (?:have |just |finally |eventually |ultimately |recently |already ){0,2}(?:chose|chosen|picked|decided (?:to|on|against|not to|that (?=(?:i|we|i'll|we'll|the|our)\\b))|opted for|settled on|switched to|adopted)\\b |(?:i've|we've|ive|weve) (?:just |finally |already |now )?(?:chosen|picked|decided (?:to|on|against|not to|that (?=(?:i|we|i'll|we'll|the|our)\\b))|opted for|settled on|switched to|adopted) |(?:i've|we've|ive|i have|we have) gone with ",
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

const HABITS: readonly Rule[] = [
  {
    category: "habit",
    confidence: SURE.usual,
    pattern: starts(`${I}(?:just |also |still )?(?:almost |nearly |very )?(?:${OFTEN}) `),
    refuse: HABIT_REFUSE,
    behindLead: true,
  },
  {
    category: "habit",
    confidence: SURE.usual,
    pattern: starts(
      `${IM}(?:almost |nearly )?(?:usually|always|often|normally|generally|typically) (?!(?:getting|seeing|happy|here|sorry|amazed|impressed|surprised|confused)\\b)`,
    ),
    refuse: HABIT_REFUSE,
    behindLead: true,
  },
  {
    category: "habit",
    confidence: SURE.usual,
    pattern: starts(`${I}(?:never|don't|dont|do not) (?:eat|drink|smoke)\\b`),
    refuse: starts(`\\W*(?:$|it|that|this|enough|much of)\\b`),
    behindLead: true,
  },
  {
    category: "habit",
    confidence: SURE.usual,
    pattern: starts(`${I}never (?:use|take|skip|watch|wear|go|drive|fly|work|cook|have|buy|sleep|travel)\\b`),
    refuse: HABIT_REFUSE,
    behindLead: true,
  },
  {
    category: "habit",
    confidence: SURE.usual,
    pattern: starts(`(?:every|each|most|on) (?:single )?${DAY},? (?:i|we) ${DOES}\\b`),
    refuse: starts(YOUR),
  },
  {
    category: "habit",
    confidence: SURE.usual,
    pattern: starts(
      `${I}${DOES}\\b(?:[^,;:]|:(?=\\d)){0,80}?(?: (?:every|each) (?:single )?${DAY}\\b| (?:once|twice|(?:two|three|four|five|\\d) (?:times|days)) (?:a|per|each) (?:day|week|month|year)\\b| daily$)`,
    ),
    refuse: starts("to\\b.*\\bonly\\b"),
  },
];

const CONVERSATION =
  "(?:know|understand|ask|see|hear|be (?:able|sure|honest|clear|careful)|think|say|admit|tell|clarify|confirm|convert|parse|sort|mention|point|apologi[sz]e|disagree|agree|wonder|figure|find out|do (?:it|this|that)|add that|make (?:it|this|sure)|get (?:this|it)|show you|explain|be)\\b";
const TASK_REFUSE = starts(`(?:${CONVERSATION}|${YOUR}|\\W*$)`);

const TASKS: readonly Rule[] = [
  {
    category: "task",
    confidence: SURE.plain,
    pattern: starts("remind (?:me|us) (?:again |later |tomorrow |tonight |please ){0,2}(?:to|about|that|in|at|on|when) "),
    refuse: starts("(?:what|how|why|who|where)\\b|(?:you|this|that)\\b|\\W*$"),
  },
  { category: "task", confidence: SURE.plain, pattern: starts("(?:don't|dont|do not) let (?:me|us) forget (?:to|about|that) ") },
  {
    category: "task",
    confidence: SURE.usual,
    pattern: starts("(?:don't|dont|do not) forget to |remember to "),
    refuse: starts(
      "(?:answer|reply|respond|use|write|cite|keep|be|include|check|add|format|explain|make|always|never|not|follow|return)\\b",
    ),
  },
  {
    category: "task",
    confidence: SURE.weak,
    pattern: starts(
      "(?:i|we) (?:really |still |also |just )?(?:need to|have to|must|gotta|need to remember to) |(?:i've|we've|ive) (?:still |also )?got to |gotta ",
    ),
    refuse: TASK_REFUSE,
    behindLead: true,
  },
];

export const ENGLISH: readonly Rule[] = [...PREFERENCES, ...DECISIONS, ...HABITS, ...TASKS, ...ENGLISH_IDENTITY];

function favorite(noun: string | undefined): string | null {
  const words = (noun ?? "").trim();
  const single = /(?:ss|us|is|ies|ches|shes)$/iu.test(words)
    ? words.replace(/ies$/iu, words.length > 6 ? "y" : "ies").replace(/(ch|sh)es$/iu, "$1")
    : words.replace(/s$/iu, "");
  return words === "" ? null : keyOf("preference:favorite_", single);
}
