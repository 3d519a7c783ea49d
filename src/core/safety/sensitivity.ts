import type { SensitiveWords } from "#core/language/pack";
import { PACKS } from "#core/language/packs";
import { alternatives } from "#core/language/patterns";
import { fold } from "#core/text/normalize";
import { readPlainly } from "./plain-reading.ts";

export type Sensitivity = "public" | "personal" | "sensitive";

/** Endings of medicines and diseases in the four languages with Latin letters, folded. */
const CLINICAL =
  /(?:azepam|oxetine?|prazole?|cillin[ae]?|sartan|statine?|triptan|olol|mycin|gliptin|glutide?|ipramine?|zodone?|vudine?|itis|ectomy|aemia|penia|phobia|phobie|plegia|opathy|opathie)s?$/;
const DOSE = /\d\s?(?:mg|mcg|milligrams?|milligramm)\b/i;
const of = (name: keyof SensitiveWords) => alternatives(({ sensitivity }) => sensitivity?.[name]);
const NUMBER_WORD = `(?:${of("numbers")})`;
/** Repetitions are bounded: an unbounded one would take quadratic time. */
const AMOUNTS = [
  /[$€£¥]\s?\d|\b\d[\d.,]{0,12}\s?(?:k\b|[$€£¥])/i,
  new RegExp(
    `\\b(?:${of("earning")}) (?:\\S{1,40} ){0,3}?(?:\\d[\\d.,]{0,20}|${NUMBER_WORD}) (?:\\S{1,40} )?(?:d'|de )?(?:${of("currencies")})\\b`,
    "i",
  ),
  new RegExp(`(?:\\d{2}|\\b${NUMBER_WORD}) (?:(?:${of("untaxed")}) )?(?:${of("periods")})`, "i"),
];
/** Seeing a doctor is about health; being one is an occupation. */
const [DOCTORS, GOING] = [of("doctors"), of("visits")].map(
  (words) => `(?<![a-z\\u00c0-\\u024f])(?:${words})(?![a-z\\u00c0-\\u024f])`,
);
const VISIT = new RegExp(`${GOING}.{0,80}${DOCTORS}|${DOCTORS}.{0,80}${GOING}`, "i");
const [SENSITIVE_PATTERN, PERSONAL_PATTERN] = [new RegExp(of("sensitivePattern")), new RegExp(of("personalPattern"))];
const WORDS = /[\p{L}\p{N}]+(?:[-'’][\p{L}\p{N}]+)*/gu;
/** Stems are indexed by their first letters; no stem is shorter. */
const STEM_START = 3;

type Words = { whole: ReadonlySet<string>; stems: ReadonlyMap<string, readonly string[]>; phrases: readonly string[] };

const LISTS = { sensitive: read("sensitive"), personal: read("personal") };

/**
 * The sensitivity of a text by its words, in the languages of `packs.ts`: health, money, religion, sexuality, politics, crime and the
 * like. It prefers to be too strict: a memory that is hidden is missed once, one that is disclosed cannot be taken back.
 */
export function sensitivityOf(text: string): Sensitivity {
  // Invisible characters inside a word must not hide it.
  const content = readPlainly(text)[0].plain;
  const written = (content.match(WORDS) ?? []).map((word) => fold(word.replaceAll("’", "'")));
  const words = [...new Set(written.flatMap(formsOf))];
  const line = ` ${written.join(" ")}  ${written.join(" ").replaceAll("-", " ")} `;
  if (holds(LISTS.sensitive, words, line) || words.some((word) => CLINICAL.test(word))) return "sensitive";
  if (SENSITIVE_PATTERN.test(content) || [VISIT, DOSE, ...AMOUNTS].some((pattern) => pattern.test(content))) return "sensitive";
  return holds(LISTS.personal, words, line) || PERSONAL_PATTERN.test(content) ? "personal" : "public";
}

/** Prefixes that are not sensitive by themselves: "bi-weekly", "trans-Siberian". */
const BEGINNINGS: ReadonlySet<string> = new Set(["bi", "homo", "hetero", "trans"]);
/** The shortest listed word; the ends of contractions ("she's") are shorter. */
const SHORTEST_PART = 2;

/** A word, the word without its hyphens ("anti-depressants"), and its parts ("HIV-positive", "l'asthme"). */
function formsOf(word: string): string[] {
  const parts = word.split(/[-']/);
  if (parts.length === 1) return [word];
  const named = parts.filter((part, i) => part.length >= SHORTEST_PART && (i === parts.length - 1 || !BEGINNINGS.has(part)));
  return [word, word.replaceAll("-", ""), ...named];
}

/** Whether a text names a medicine, a disease or a visit to a doctor by its form. */
export function namesTreatment(text: string): boolean {
  const words = (text.match(WORDS) ?? []).map(fold).flatMap(formsOf);
  return words.some((word) => CLINICAL.test(word)) || [VISIT, DOSE].some((pattern) => pattern.test(text));
}

/** Whether a text names an amount of money, or of money for a time. */
export function namesAmount(text: string): boolean {
  return AMOUNTS.some((pattern) => pattern.test(text));
}

/** The one that fewer users may see. */
export function stricter(one: Sensitivity, other: Sensitivity): Sensitivity {
  return STRICTNESS[one] >= STRICTNESS[other] ? one : other;
}

export const STRICTNESS: Readonly<Record<Sensitivity, number>> = { public: 0, personal: 1, sensitive: 2 };

function read(list: "sensitive" | "personal"): Words {
  const words = PACKS.flatMap(({ sensitivity }) => sensitivity?.[list].match(/\S+/gu) ?? []).map(fold);
  const stems = new Map<string, string[]>();
  for (const word of words.filter((each) => each.endsWith("*"))) {
    const stem = word.slice(0, -1);
    const start = stem.slice(0, STEM_START);
    stems.set(start, [...(stems.get(start) ?? []), stem]);
  }
  return {
    whole: new Set(words.filter((word) => !word.endsWith("*"))),
    stems,
    phrases: words.filter((word) => word.includes("-")).map((word) => ` ${word.replace("*", "").replaceAll("-", " ")} `),
  };
}

function holds(list: Words, words: readonly string[], line: string): boolean {
  const isStem = (word: string) => list.stems.get(word.slice(0, STEM_START))?.some((stem) => word.startsWith(stem)) === true;
  return words.some((word) => list.whole.has(word) || isStem(word)) || list.phrases.some((phrase) => line.includes(phrase));
}
