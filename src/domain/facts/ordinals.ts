import type { Language } from "./nouns.ts";

/** By rank, from 1: patterns over lower-case text without accents. Adverbs ("secondly") are included. */
const ORDINALS: Readonly<Record<Exclude<Language, "zh">, readonly string[]>> = {
  en: "first(?:ly)? second(?:ly)? third(?:ly)? fourth(?:ly)? fifth(?:ly)? sixth seventh eighth? ninth tenth eleventh twelf?th thirteenth fourteenth fifteenth sixteenth seventeenth eighteenth nineteenth twentieth".split(
    " ",
  ),
  de: "erst zweit dritt viert funft sechst sieb(?:en)?t acht neunt zehnt elft zwolft"
    .split(" ")
    .map((stem) => `${stem}e(?:[nrsm]|ns)?`),
  es: [
    "primer(?:[oa]|amente)?",
    "segund[oa]",
    "tercer[oa]?",
    ..."cuart quint sext septim octav noven decim".split(" ").map((stem) => `${stem}[oa]`),
  ],
  fr: [
    "premi(?:er|ere)(?:ment)?",
    "(?:deuxieme|seconde?)(?:ment)?",
    ..."troisi quatri cinqui sixi septi huiti neuvi dixi".split(" ").map((stem) => `${stem}eme(?:ment)?`),
  ],
};
const CARDINALS: readonly string[] = [
  "one|eins?|eine|un[oa]?|une|一",
  "two|zwei|dos|deux|二|两|兩",
  "three|drei|tres|trois|三",
  "four|vier|cuatro|quatre|四",
  "five|funf|cinco|cinq|五",
  "six|sechs|seis|六",
  "seven|sieben|siete|sept|七",
  "eight|acht|ocho|huit|八",
  "nine|neun|nueve|neuf|九",
  "ten|zehn|diez|dix|十",
  "eleven|elf|once|onze|十一",
  "twelve|zwolf|doce|douze|十二",
];
/** Digits with the endings of each language: 2nd, 2., 2º, 2do, 2ème. */
const FIGURES: Readonly<Record<Language, string>> = {
  en: "\\d{1,2}(?:st|nd|rd|th)",
  de: "\\d{1,2}\\.(?!\\d)",
  es: "\\d{1,2}\\.?(?:º|ª|[oa]|er|r[oa]|d[oa]|t[oa]|m[oa]|v[oa]|n[oa])",
  fr: "\\d{1,2}(?:ers?|eres?|res?|n?des?|nd|e|emes?|iemes?)",
  zh: "第(?:\\d{1,2}|[一二三四五六七八九十]{1,2})",
};
export const MAX_RANK = 100;

/** Sources of patterns over a normalized text (see plain-text.ts) that match one ordinal. */
export const ORDINAL: Readonly<Record<Language, string>> = {
  en: `(?:${ORDINALS.en.join("|")}|${FIGURES.en})`,
  de: `(?:${ORDINALS.de.join("|")}|${FIGURES.de})`,
  es: `(?:${ORDINALS.es.join("|")}|${FIGURES.es})`,
  fr: `(?:${ORDINALS.fr.join("|")}|${FIGURES.fr})`,
  zh: FIGURES.zh,
};
export const CARDINAL = `(?:\\d{1,2}|${CARDINALS.join("|")})`;

const EXACT = new Map<Language, readonly RegExp[]>(
  (["en", "de", "es", "fr"] as const).map((language) => [
    language,
    ORDINALS[language].map((source) => new RegExp(`^(?:${source})$`)),
  ]),
);
const EXACT_CARDINALS = CARDINALS.map((source) => new RegExp(`^(?:${source})$`));

const PREFIX = /^(?:#|number[ -]|num |no\.? ?|nr\.? ?|nummer |numero |n[°º] ?)/;

/** The rank of an ordinal or cardinal in any of the languages; null for none from 1 to 100. */
export function rankOf(said: string): number | null {
  const word = said.replace(PREFIX, "");
  const digits = /^第?(\d{1,3})/.exec(word)?.[1];
  if (digits !== undefined) return inRange(Number(digits));
  const bare = word.replace(/^第/, "");
  for (const [language, patterns] of EXACT) {
    const at = patterns.findIndex((pattern) => pattern.test(bare) || (language === "de" && pattern.test(`${bare}e`)));
    if (at >= 0) return at + 1;
  }
  const at = EXACT_CARDINALS.findIndex((pattern) => pattern.test(bare));
  return at < 0 ? null : at + 1;
}

function inRange(rank: number): number | null {
  return rank >= 1 && rank <= MAX_RANK ? rank : null;
}
