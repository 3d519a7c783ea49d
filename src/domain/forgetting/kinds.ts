import { slotsOf, wordsOfSlot } from "#core/language/asked-words";
import { type Subject, subjectOf } from "#core/language/forget-requests";
import type { KeyAttribute } from "#core/language/pack";
import { namesClass } from "#core/language/word-classes";
import { findPii, type PiiKind } from "#core/safety/pii-risk";
import { namesAmount, namesTreatment, sensitivityOf } from "#core/safety/sensitivity";
import { analyse } from "#core/text/analyse";

/** What people call by a name that they do not say with it ("I live at …" is an address). */
const KINDS = [
  "email",
  "phone",
  "income",
  "home",
  "job",
  "age",
  "name",
  "origin",
  "diet",
  "partner",
  "children",
  "pet",
  "vehicle",
  "school",
] as const satisfies readonly KeyAttribute[];

const WORDS = KINDS.map((kind) => [kind, new Set(analyse(wordsOfSlot(kind)))] as const);
const INCOME: ReadonlySet<string> = new Set(analyse(wordsOfSlot("income")));
const KIND_OF_PII: Readonly<Partial<Record<PiiKind, KeyAttribute>>> = {
  email: "email",
  phone: "phone",
  street_address: "home",
  precise_location: "home",
  date_of_birth: "age",
};

const NUMBER = /\d{2}/u;
const LARGE = /\d{1,3}[.,\u00a0\u202f ]\d{3}(?!\d|[.,]\d)|[\d一二两三四五六七八九十百千][万千]/u;

const SURELY = 0.8;
const PERHAPS = 0.6;

/**
 * How surely a sentence states a thing of the kind that a word names: by the keys of what is learned from it, by how such things look, or at least
 * by being sensitive; 0 where it does not.
 */
export function statesKindOf(word: string, sentence: string, keysOf: (text: string) => readonly string[]): number {
  const subject = subjectOf(word);
  if (subject !== null) {
    const fit = ofSubject(subject, sentence);
    if (fit > 0) return fit;
  }
  const kinds = new Set<KeyAttribute>(WORDS.flatMap(([kind, of]) => (of.has(word) ? [kind] : [])));
  if (kinds.size === 0) return 0;
  const isOfKind =
    (kinds.has("income") && namesAmount(sentence) && analyse(sentence).some((said) => INCOME.has(said))) ||
    findPii(sentence).some(({ kind }) => kinds.has(KIND_OF_PII[kind] ?? "goal")) ||
    keysOf(sentence).some((key) => [...slotsOf(key)].some((slot) => kinds.has(slot)));
  return isOfKind ? SURELY : 0;
}

function ofSubject(subject: Subject, sentence: string): number {
  const [isAmount, isTreatment] = [namesAmount(sentence), namesTreatment(sentence)];
  const isOfHealth = isTreatment || namesClass(sentence, "health");
  const isSensitive = sensitivityOf(sentence) === "sensitive";
  if (subject === "medicine") return isTreatment ? SURELY : isOfHealth ? PERHAPS : 0;
  if (subject === "health") return isOfHealth ? SURELY : isSensitive && !isAmount ? PERHAPS : 0;
  if (subject === "belief") return isSensitive && !isOfHealth && !isAmount ? SURELY : 0;
  return isAmount || LARGE.test(sentence) || (NUMBER.test(sentence) && isSensitive) ? SURELY : 0;
}
