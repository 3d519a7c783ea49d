import { starts } from "#core/language/patterns";
import { type Rule, SURE } from "./rule.ts";

/** Adverbs between the subject and its verb that do not change the statement. */
export const ADV =
  "(?:(?:really|absolutely|much|very much|just|also|still|generally|personally|definitely|actually|truly|totally|simply|especially|do|usually|honestly|strongly|particularly|quite|so|always|mostly|now|currently|finally|obviously|genuinely|both|all|deeply|thoroughly|secretly|slightly) )*";
export const I = "(?:i|we) ";
export const IM = "(?:i'm|im|i am|we're|we are) ";
/** Pronouns for things that are clear in this conversation only. */
export const POINTING =
  "(?:it(?! when\\b| if\\b)|i|i'm|we|(?:[\\p{L}]+ing |to [\\p{L}]+ )?(?:that|this|these|those|them|him|her|his|their|it(?! when\\b| if\\b))|me|you|both|either|neither|none|everything|what|where|how|why|one|the way|the (?:sound|look) of|all of|any of|whichever|whatever|whoever)\\b";
export const OFFERED =
  "(?:the |all the )(?:[\\p{L}-]+ ){0,2}(?:(?:options?|versions?|variants?|choices?|answers?|repl(?:y|ies)|responses?|suggestions?|drafts?|approach(?:es)?|ideas?|explanations?|error messages?|thoughts?|wording|phrasing|recommendations?|summary|snippet)\\b|(?:first|second|third|fourth|last|latter|former|previous|other|above|below|same)(?: one)?(?:\\W*$| (?:for|please|of|you|from)\\b)|(?:[\\p{L}-]+ ){1,2}one(?:\\W*$| (?:for|please|you|from|with|that|where)\\b))";
export const CHOICE = `(?:${POINTING}|${OFFERED}|option|version|variant|number \\d|#?\\d+\\s*$|[a-d]\\s*$|=)`;
export const IDIOM =
  "to (?:say|ask|admit|break|bother|see (?:it|that|this)|think|hear (?:it|that|this)|be (?:that|the|rude|a bother)|tell|complain|interrupt|disappoint|know|point|nitpick|burst)\\b";
export const YOUR = `.*\\bwhen you (?:do|say) (?:that|this|it)\\b|.*\\b(?:your|yours|yourself)\\b|(?!.*\\bwhen you\\b).*\\byou\\b`;

const PAST =
  "(?!(?:need|feed|speed|proceed|exceed|succeed|breed|embed|weed|heed)\\b)(?:[\\p{L}]{2,}ed|was|were|had|went|got|thought|knew|felt|said|told|did|came|took|saw|made|kept|found|left|lost|wrote|ran|ate|drank|slept|dreamt|meant|understood|heard|spoke|won|spent|brought|bought|taught|caught|stood|sat|drove|flew|woke|wore|grew|began|fell|gave)\\b";
const TROUBLE =
  "(?:get|see|receive|have|run into|end up|hit|encounter)\\b.*\\b(?:errors?|exceptions?|bugs?|warnings?|crash(?:es)?|\\d{3}|null|undefined|timeouts?|failures?)\\b";
const HABIT_REFUSE = starts(
  `(?:${PAST}|${TROUBLE}|wonder|will\\b|would|wouldn't|wanna|${YOUR}|\\W*$|feel\\W*$|.*\\b(?:it|that|this|them|these|those)\\W*$|like (?:them|it|that)\\b|(?:see|get|hit|notice|observe|encounter|experience|find|receive) (?:this|that|it|these|those)\\b)`,
);
const OFTEN =
  "usually|always|often|normally|typically|generally|regularly|frequently|mostly|rarely|seldom|hardly ever|tend to|sometimes";
const DAY =
  "(?:day|morning|evening|night|afternoon|week|weekend|month|year|weekday|workday|monday|tuesday|wednesday|thursday|friday|saturday|sunday|spring|summer|autumn|fall|winter|other day|time)s?";
const DOES =
  "(?:go|run|walk|cycle|bike|swim|work|exercise|meditate|drink|eat|cook|bake|read|write|practi[cs]e|study|play|train|get up|wake up|take|do|have|use|commute|listen|watch|visit|call|journal|pray|jog|lift|stretch|skip|start|check|make|sleep|nap|volunteer|travel|meet|stream|blog|garden|paint|draw|knit|attend|spend|drive|clean|review|shop|order)";

/** "I work at it every day": what "it" is, is clear in this conversation only. */
const POINTED = " (?:on |at |with |for |to |through )?(?:it|this|that|them|these|those|him|her|you)\\b";

export const HABITS: readonly Rule[] = [
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
    refuse: starts(`\\W*(?:it|that|this|enough|much of)\\b`),
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
    pattern: starts(`(?:every|each|most|on) (?:single )?${DAY},? (?:i|we) ${DOES}\\b(?!${POINTED})`),
    refuse: starts(YOUR),
  },
  {
    category: "habit",
    confidence: SURE.usual,
    pattern: starts(
      `${I}${DOES}\\b(?!${POINTED})(?:(?! (?:and|but) (?:i|we) )[^,;:]|:(?=\\d)){0,80}?(?: (?:every|each) (?:single )?${DAY}\\b| (?:once|twice|(?:two|three|four|five|\\d) (?:times|days)) (?:a|per|each) (?:day|week|month|year)\\b| daily$)`,
    ),
    refuse: starts("to\\b.*\\bonly\\b"),
  },
];

const CONVERSATION =
  "(?:know|understand|ask|see|hear|be (?:able|sure|honest|clear|careful)|think|say|admit|tell|clarify|confirm|convert|parse|sort|mention|point|apologi[sz]e|disagree|agree|wonder|figure|find out|do (?:it|this|that)|add that|make (?:it|this|sure)|get (?:this|it)|show you|explain|be|run|(?:go|leave|head out|get going|stop)(?: now| soon)?\\W*$|stick together|do better|keep it up|have to\\b)\\b";
const TASK_REFUSE = starts(
  `(?:${CONVERSATION}|.*\\b(?:it|that|this|them|these|those|there|that one|this one)\\W*$|${YOUR}|\\W*$)`,
);

export const TASKS: readonly Rule[] = [
  {
    category: "task",
    confidence: SURE.plain,
    pattern: starts("remind (?:me|us) (?:again |later |tomorrow |tonight |please ){0,2}(?:to|about|that|in|at|on|when) "),
    refuse: starts(
      "(?:what|how|why|who|where)\\b|(?:you|this|that)\\b|\\W*$|(?:never|not to)\\b.*\\byou\\b|.*\\b(?:ask|trust|use|talk to|listen to) you\\b",
    ),
  },
  { category: "task", confidence: SURE.plain, pattern: starts("(?:don't|dont|do not) let (?:me|us) forget (?:to|about|that) ") },
  {
    category: "task",
    confidence: SURE.usual,
    pattern: starts("(?:don't|dont|do not) forget to |remember to "),
    refuse: starts(
      `(?:${YOUR}|(?:stay|take care|take breaks|have fun|believe|celebrate|find joy|enjoy|focus|relax|breathe|smile|be)\\b|(?:answer|reply|respond|use|write|cite|keep|be|include|check|add|format|explain|make|always|never|not|follow|return)\\b)`,
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
