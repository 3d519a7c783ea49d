import { starts } from "#core/language/patterns";
import { CHINESE, CHINESE_REMEMBER } from "./chinese.ts";
import { ENGLISH, FAVORITE_LAST, INTRODUCED, WITHOUT_SUBJECT } from "./english.ts";
import { FRENCH, FRENCH_REMEMBER } from "./french.ts";
import { GERMAN, GERMAN_REMEMBER, GERMAN_VERB_LAST } from "./german.ts";
import { RELATIONSHIPS } from "./relationships.ts";
import { type Rule, SURE } from "./rule.ts";
import { SPANISH, SPANISH_REMEMBER } from "./spanish.ts";

export type Form = {
  rule: Rule;
  groups: Readonly<Record<string, string | undefined>> | undefined;
  /** Where the content begins, and where the matched words end. */
  start: number;
  known: number;
  /** The form of the statement after "remember that". */
  within: Rule | null;
};

/** Fillers before a statement. "No" needs a comma: in Spanish it negates. */
const LEAD =
  /^(?:(?:as (?:i|you) (?:said|mentioned|know)|like i (?:said|mentioned)|just so you know|by the way|to be (?:honest|fair|clear)|in general|for the record|for context|fun fact|the thing is|of course|given that|considering that|in fact|ehrlich gesagt|por cierto|la verdad es que|la verdad|en realidad|en fait|au fait|d'ailleurs|parce que|well|so|okay|ok|oh|ah|aw|hm+|um+|uh|yeah|yep|yes|yup|(?:no|nope|nah|nein|non)(?=[,.!])|sure|right|thanks|thank you|thx|great|cool|nice|hi|hey|hello|hallo|hola|bonjour|salut|anyway|anyways|also|and|but|plus|then|now|actually|honestly|frankly|personally|basically|seriously|fyi|btw|tbh|imo|imho|generally|obviously|clearly|besides|unfortunately|fortunately|luckily|because|cause|cuz|since|as|while|although|though|haha|lol|please|pls|plz|update|edit|today|lately|nowadays|übrigens|ja|naja|ach|und|aber|denn|eigentlich|bueno|pues|sí|y|pero|además|porque|et|mais|bon|alors|oui|franchement|car|moi)(?=$|[^\p{L}'])[\s,!:;.\u2026-]*|(?:嗯|其实|对了|顺便说一下|另外|还有|但是|不过|因为|所以|而且|你好|哈喽)[，,！]?\s*){1,4}/iu;
/** A time, place or occasion before a statement, which is part of the statement. */
const OCCASION =
  /^(?:when|whenever|in|on|at|for|during|before|after|every|each|most|last|this|these|two|three|four|\d+|yesterday|recently|as an?|with|from|by|a (?:week|month|year|few|couple)|sometimes)\b/iu;
const NO_OCCASION =
  /\b(?:if|was|were|used to|would|said|says|told|dreams?|story|novel|poem|song|movie|film|book|game|kid|child|childhood|young|younger|teenager|back then|past|last name|case|order)\b|\uFFFC/iu;
const OCCASION_UNITS = 90;
const SUBJECT = /[ ,](?=(?:i|i'\p{L}+|ive|we|we'\p{L}+) )/giu;

const REMEMBER_EN =
  "(?:always |also |just )?(?:(?:please )?(?:remember|don't forget|dont forget|do not forget|never forget|keep in mind|bear in mind|note|take note|make a note|for future reference|for your information|note to self)(?: please| also)?(?:(?: this| the following)?(?:: ?|, (?=.*\\b(?:i|i'm|i've|my|we|we're|our)\\b))|,? that )|remember (?=(?:my|our|i|i'm|we|we're) .*\\b(?:is|are|am|i'm|have|has|live|work|prefer|like|love|hate)\\b))";
const REMEMBERS: readonly RegExp[] = [REMEMBER_EN, GERMAN_REMEMBER, SPANISH_REMEMBER, FRENCH_REMEMBER, CHINESE_REMEMBER].map(
  starts,
);
/** Often said about the current task, so the statement must be about the speaker, unless "please" was said. */
const LIGHTLY =
  /^(?:also |just |always )?(?:note|keep in mind|bear in mind|take note|for future reference|for your information)\b/iu;
const OWN = /\b(?:i|i'm|i've|i'll|im|my|me|mine|we|we're|our|us)\b/iu;
const NOT_REMEMBERED =
  /^(?:this|that|these|those|it|it's|you|you're|your|.*\b(?:you|your|yourself|yours)|the (?:above|following|previous|input|output|function|list|code|answer)|he said|she said|what|when|how|why|to\b|if|deine?|dies|das|tu|esto|eso|ta|ton|ça|[^\p{L}\p{N}]*$)(?=$|[^\p{L}'])|^[你这那]/iu;
const REMEMBER: Rule = { category: "remember", confidence: SURE.asked, pattern: /^/u };

const LATIN: readonly { begins: RegExp; rules: readonly Rule[] }[] = [
  {
    begins:
      /^(?:i|i'|im|ive|we|we'|weve|my|our|gotta|name|name's|the|one|every|each|most|on|remind|don't|dont|do|remember|call|calls|just|you|everyone|friends|people)(?=$|[^\p{L}])/iu,
    rules: ENGLISH,
  },
  {
    begins:
      /^(?:ich|wir|mein|meine|unser|unsere|jede[nr]?|bitte|erinner|erinnere|lass|normalerweise|meistens|meist|in der|für gewöhnlich|gewöhnlich|oft)(?=$|[^\p{L}])/iu,
    rules: GERMAN,
  },
  { begins: /^\p{L}/u, rules: [...SPANISH, ...FRENCH] },
  {
    begins: /^[\p{L}]/u,
    rules: [...FAVORITE_LAST, ...RELATIONSHIPS.en, ...RELATIONSHIPS.de, ...RELATIONSHIPS.es, ...RELATIONSHIPS.fr],
  },
];
const HAN = [{ begins: /^/u, rules: [...CHINESE, ...RELATIONSHIPS.zh] }];
const HAN_START = /^[^\p{L}]*\p{Script=Han}/u;

/** The form that a clause has, if any. With `greeted`, a name alone is one ("Hi, I'm Ada"). */
export function matchForm(clause: string, greeted = false): Form | null {
  const lead = LEAD.exec(clause)?.[0] ?? "";
  const text = clause.slice(lead.length);
  const found =
    matchRemember(text, lead) ?? matchPlain(text) ?? (greeted ? matchOne(INTRODUCED, text) : null) ?? matchAfterOccasion(text);
  return found === null ? null : { ...found, start: found.start + lead.length, known: found.known + lead.length };
}

/** A form without its subject, which only a whole sentence may have ("Living in Rome"). */
export function matchWithoutSubject(sentence: string): Form | null {
  const lead = LEAD.exec(sentence)?.[0].length ?? 0;
  const found = WITHOUT_SUBJECT.map((rule) => matchOne(rule, sentence.slice(lead))).find((form) => form !== null) ?? null;
  return found === null ? null : { ...found, start: lead, known: found.known + lead };
}

function matchRemember(text: string, lead: string): Form | null {
  for (const [language, pattern] of REMEMBERS.entries()) {
    const asked = pattern.exec(text)?.[0];
    if (asked === undefined) continue;
    const said = text.slice(asked.length);
    if (NOT_REMEMBERED.test(said) || (language === 0 && LIGHTLY.test(text) && !/please/iu.test(lead + asked) && !OWN.test(said)))
      return null;
    const within = matchPlain(said) ?? GERMAN_VERB_LAST.map((rule) => matchOne(rule, said)).find((form) => form !== null) ?? null;
    return { rule: REMEMBER, groups: within?.groups, start: asked.length, known: asked.length, within: within?.rule ?? null };
  }
  return null;
}

function matchPlain(text: string): Form | null {
  for (const { begins, rules } of HAN_START.test(text) ? HAN : LATIN) {
    if (!begins.test(text)) continue;
    for (const rule of rules) {
      const form = matchOne(rule, text);
      if (form !== null) return form;
    }
  }
  return null;
}

function matchOne(rule: Rule, text: string): Form | null {
  const match = rule.pattern.exec(text);
  if (match === null || rule.refuse?.test(text.slice(match[0].length)) === true) return null;
  if (rule.accepts?.(match.groups ?? {}) === false) return null;
  return { rule, groups: match.groups, start: 0, known: match[0].length, within: null };
}

function matchAfterOccasion(text: string): Form | null {
  if (!OCCASION.test(text)) return null;
  for (const { index } of text.slice(0, OCCASION_UNITS).matchAll(SUBJECT)) {
    if (NO_OCCASION.test(text.slice(0, index))) return null;
    const form = matchPlain(text.slice(index + 1));
    if (form?.rule.behindLead === true) return { ...form, known: form.known + index + 1 };
  }
  return null;
}
