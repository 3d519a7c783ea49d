import { alternatives } from "#core/language/patterns";

/** Negations of languages in which nothing else is read: a model may write in them. */
const OTHERS = "não|niet|geen|nooit|не|нет|никогда";
const OTHERS_UNSPACED = "無い|ない|ません|않|안 ";
const spaced = (name: "words" | "contrary" | "idioms") =>
  alternatives((pack) => (pack.spaced ? pack.negation?.[name] : undefined));
const unspaced = (name: "words" | "contrary" | "idioms") =>
  alternatives((pack) => (pack.spaced ? undefined : pack.negation?.[name]));

const NEGATION = new RegExp(
  `(?<!\\p{L})(?:${spaced("words")}|${OTHERS})(?!\\p{L})|${unspaced("words")}|${OTHERS_UNSPACED}`,
  "iu",
);
/** Words for the opposite of liking, having or continuing: "dislikes olives" means the same as "can't stand olives". */
const CONTRARY = new RegExp(`(?<!\\p{L})(?:${spaced("contrary")})(?!\\p{L})|${unspaced("contrary")}`, "iu");
/** Idioms that do not negate: "don't forget to call" is a wish to call. */
const IDIOMS = new RegExp(`(?<!\\p{L})(?:${spaced("idioms")})(?!\\p{L})|${unspaced("idioms")}`, "giu");

export function isNegated(text: string): boolean {
  return NEGATION.test(text.replace(IDIOMS, " "));
}

/** Whether a text negates something, with a negation or a word for the opposite. */
export function isAdverse(text: string): boolean {
  return isNegated(text) || CONTRARY.test(text);
}
