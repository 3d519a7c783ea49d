/** Words that negate a statement, of the languages in which rules read statements, and of a few more. */
const WORDS =
  "not|never|no longer|no|none|nobody|nothing|neither|nor|without|cannot|\\p{L}+n['’]t|dont|doesnt|didnt|cant|wont|isnt|nicht|nie|niemals|kein\\p{L}*|ohne|" +
  "nunca|jamás|tampoco|sin|non|pas|jamais|sans|não|niet|geen|nooit|не|нет|никогда";
const NEGATION = new RegExp(`(?<!\\p{L})(?:${WORDS})(?!\\p{L})|不|没|沒|从未|從未|無い|ない|ません|않|안 `, "iu");

/** Words for the opposite of liking, having or continuing: "dislikes olives" means the same as "can't stand olives". */
const CONTRARY =
  /(?<!\p{L})(?:dislik\p{L}*|hat(?:e|es|ed|ing)|detest\p{L}*|loath\p{L}*|avoid\p{L}*|refus\p{L}*|lack\p{L}*|unable|stopp?(?:ed|s|ing)?|quit\p{L}*|gave up|given up|fail\p{L}*|allerg\p{L}*|intoleran\p{L}*|against|opposed|hass?[et]\p{L}*|verabscheu\p{L}*|vermeide\p{L}*|odi[ao]\p{L}*|detest\p{L}*|evit\p{L}*|détest\p{L}*|évit\p{L}*)(?!\p{L})|讨厌|討厭|过敏/iu;

/** Idioms that do not negate: "don't forget to call" is a wish to call. */
const IDIOMS =
  /(?<!\p{L})(?:(?:don['’]?t|do not|never)(?: let (?:me|us))? forget|can['’]?t wait|not only|why (?:not|don['’]?t)|no (?:doubt|wonder|problem)|nicht vergessen|vergiss(?: bitte)? nicht|no (?:me )?(?:olvides?|dejes que olvide)|n['’]oublie(?:z)? pas|nicht nur|no s[oó]lo|pas seulement)(?!\p{L})|不要忘|别忘|別忘|不仅/giu;

export function isNegated(text: string): boolean {
  return NEGATION.test(text.replace(IDIOMS, " "));
}

/** Whether a text negates something, with a negation or a word for the opposite. */
export function isAdverse(text: string): boolean {
  return isNegated(text) || CONTRARY.test(text);
}
