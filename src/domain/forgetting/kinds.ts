import { slotsOf, wordsOfSlot } from "#core/language/asked-words";
import { subjectOf } from "#core/language/forget-requests";
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

/** Whether a sentence states a thing of the kind that a word names: by the keys of what is learned from it, or by how such things look. */
export function statesKindOf(word: string, sentence: string, keysOf: (text: string) => readonly string[]): boolean {
  const subject = subjectOf(word);
  if (subject === "health" && (isOfHealth(sentence) || (sensitivityOf(sentence) === "sensitive" && !NUMBER.test(sentence)))) return true;
  if (subject === "belief" && isOfBelief(sentence)) return true;
  if (subject === "money" && (namesAmount(sentence) || LARGE.test(sentence) || (NUMBER.test(sentence) && sensitivityOf(sentence) === "sensitive")))
    return true;
  const kinds = new Set<KeyAttribute>(WORDS.flatMap(([kind, of]) => (of.has(word) ? [kind] : [])));
  if (kinds.size === 0) return false;
  if (kinds.has("income") && namesAmount(sentence) && analyse(sentence).some((said) => INCOME.has(said))) return true;
  if (findPii(sentence).some(({ kind }) => kinds.has(KIND_OF_PII[kind] ?? "goal"))) return true;
  return keysOf(sentence).some((key) => [...slotsOf(key)].some((slot) => kinds.has(slot)));
}

/** What is sensitive, but about neither health nor money. */
function isOfBelief(sentence: string): boolean {
  return sensitivityOf(sentence) === "sensitive" && !isOfHealth(sentence) && !namesAmount(sentence);
}

function isOfHealth(sentence: string): boolean {
  return namesClass(sentence, "health") || namesTreatment(sentence);
}
