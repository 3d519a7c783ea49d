import { fold } from "#core/text/normalize";
import { readPlainly } from "./plain-reading.ts";
import { PERSONAL, PERSONAL_CHINESE, SENSITIVE, SENSITIVE_CHINESE } from "./sensitivity-words.ts";

export type Sensitivity = "public" | "personal" | "sensitive";

/** Endings of medicines and diseases in the four languages with Latin letters, folded. */
const CLINICAL =
  /(?:azepam|oxetine?|prazole?|cillin[ae]?|sartan|statine?|triptan|olol|mycin|gliptin|glutide?|ipramine?|zodone?|vudine?|itis|ectomy|aemia|penia|phobia|phobie|plegia|opathy|opathie)s?$/;
const DOSE = /\d\s?(?:mg|mcg|milligrams?|milligramm)\b/i;
const NUMBER_WORD =
  "(?:twenty|thirty|forty|fifty|sixty|seventy|eighty|ninety|hundred|thousand|million|grand|tausend|hundert|million(?:en|es|s)?|mil|cien|cientos|mille|cent|cents)";
const CURRENCY = "(?:dollars?|euros?|pounds?|bucks|quid|francs?|franken|pesos|dólares|libras|yen|rupees)";
const EARNING =
  "(?:gets?|earns?|makes?|paid|pays?|borrowed|saved|bekomm[et]|kriege|kriegt|verdien[et]|cobro|cobra|gano|gana|touche|gagne|reçois|perçois)";
const PERIOD =
  "(?:(?:a|an|per|every|each|im|pro|al|por|par) (?:year|annum|month|week|hour|jahr|monat|stunde|año|mes|hora|an|mois|heure)|annually|yearly)";
/** Repetitions are bounded: an unbounded one would take quadratic time. */
const AMOUNTS = [
  /[$€£¥]\s?\d|\b\d[\d.,]{0,12}\s?(?:k\b|[$€£¥])/i,
  new RegExp(
    `\\b${EARNING} (?:\\S{1,40} ){0,3}?(?:\\d[\\d.,]{0,20}|${NUMBER_WORD}) (?:\\S{1,40} )?(?:d'|de )?${CURRENCY}\\b`,
    "i",
  ),
  new RegExp(`(?:\\d{2}|\\b${NUMBER_WORD}) (?:before tax |after tax |gross |net |brutto |netto )?${PERIOD}`, "i"),
  /\d\s?(?:万|千|块|元)/,
];
/** Seeing a doctor is about health; being one is an occupation. */
const DOCTORS =
  "(?:doctor|gp|hospital|clinic|arzt|ärztin|krankenhaus|médic[oa]|hospital|médecin|hôpital|psychologist|urologist|gynecologist|gynaecologist|oncologist|cardiologist|frauenarzt|ginecólog[oa]|gynécologue)";
const GOING = "(?:see|call|visit|appointment|checkup|check-up|termin|anrufen|besuchen|cita|llamar|rendez-vous|voir|appeler)";
const VISIT = new RegExp(
  `(?<![a-z\\u00c0-\\u024f])(?:${GOING}(?![a-z\\u00c0-\\u024f]).{0,80}(?<![a-z\\u00c0-\\u024f])${DOCTORS}|${DOCTORS}(?![a-z\\u00c0-\\u024f]).{0,80}(?<![a-z\\u00c0-\\u024f])${GOING})(?![a-z\\u00c0-\\u024f])`,
  "i",
);
const WORDS = /[\p{L}\p{N}]+(?:[-'’][\p{L}\p{N}]+)*/gu;
/** Stems are indexed by their first letters; no stem is shorter. */
const STEM_START = 3;

type Words = { whole: ReadonlySet<string>; stems: ReadonlyMap<string, readonly string[]>; phrases: readonly string[] };

const LISTS = { sensitive: read(SENSITIVE), personal: read(PERSONAL) };

/**
 * The sensitivity of a text by its words: health, money, religion, sexuality, politics, crime and the like, in English, German, Spanish,
 * French and Chinese. It prefers to be too strict: a memory that is hidden is missed once, one that is disclosed cannot be taken back.
 */
export function sensitivityOf(text: string): Sensitivity {
  // Invisible characters inside a word must not hide it.
  const content = readPlainly(text)[0].plain;
  const written = (content.match(WORDS) ?? []).map((word) => fold(word.replaceAll("’", "'")));
  const words = [...new Set(written.flatMap(formsOf))];
  const line = ` ${written.join(" ")}  ${written.join(" ").replaceAll("-", " ")} `;
  if (holds(LISTS.sensitive, words, line) || words.some((word) => CLINICAL.test(word))) return "sensitive";
  if (SENSITIVE_CHINESE.test(content) || [VISIT, DOSE, ...AMOUNTS].some((pattern) => pattern.test(content))) return "sensitive";
  return holds(LISTS.personal, words, line) || PERSONAL_CHINESE.test(content) ? "personal" : "public";
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

/** The one that fewer users may see. */
export function stricter(one: Sensitivity, other: Sensitivity): Sensitivity {
  return STRICTNESS[one] >= STRICTNESS[other] ? one : other;
}

export const STRICTNESS: Readonly<Record<Sensitivity, number>> = { public: 0, personal: 1, sensitive: 2 };

function read(list: string): Words {
  const words = list
    .split(" ")
    .filter((word) => word !== "")
    .map(fold);
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
