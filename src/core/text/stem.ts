import { stemmer } from "stemmer";
import { IRREGULAR_FORMS, VARIANT_WORDS } from "./irregular-forms.ts";

const VARIANT_STEMS = new Map([...VARIANT_WORDS].map(([variant, lemma]): [string, string] => [stemmer(variant), stemmer(lemma)]));

const known = new Map<string, string>();
const KNOWN_WORDS = 20_000;

/** Porter (1980), with irregular forms before and spelling variants after it brought to one lemma. Takes a-z only; remembers what it has stemmed. */
export function stemEnglish(word: string): string {
  const before = known.get(word);
  if (before !== undefined) return before;
  const porter = stemmer(IRREGULAR_FORMS.get(word) ?? word);
  const stem = VARIANT_STEMS.get(porter) ?? porter;
  if (known.size >= KNOWN_WORDS) known.clear();
  known.set(word, stem);
  return stem;
}

const UMLAUTS: Readonly<Record<string, string>> = { ä: "ae", ö: "oe", ü: "ue", ß: "ss" };

/** The spelling of a German word on a keyboard without umlauts, if it has any. */
export function umlautSpelling(word: string): string[] {
  const lower = word.toLowerCase();
  const hasUmlaut = /[äöü]/.test(lower) && /^[a-zäöüß]+$/.test(lower);
  return hasUmlaut ? [lower.replace(/[äöüß]/g, (letter) => UMLAUTS[letter] ?? letter)] : [];
}

const GERMAN =
  /(?<!\p{L})(?:[Ii]ch|und|[Dd]as|nicht|ist|[Ee]ine?[mnrs]?|für|auf|[Ww]ir|[Mm]eine?[mnrs]?|[Ww]elche[mnrs]?|[Ww]ie|[Ww]er|[Ww]o|sind|habe)(?!\p{L})|[äöüßÄÖÜ]/u;

/** Whether a text has a German function word that is no English word, or an umlaut. Ten thousand characters decide. */
export function isGerman(text: string): boolean {
  return GERMAN.test(text.slice(0, 10_000));
}

/** Takes the commonest endings of German inflection off a folded word, of which three letters stay. */
export function stemGerman(word: string): string {
  return word.replace(/(?<=.{3})(?:ern|em|er|en|es|e|n|s)$/, "");
}
