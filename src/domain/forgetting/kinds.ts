import { slotsOf, wordsOfSlot } from "#core/language/asked-words";
import type { KeyAttribute } from "#core/language/pack";
import { findPii, type PiiKind } from "#core/safety/pii-risk";
import { namesAmount } from "#core/safety/sensitivity";
import { analyse } from "#core/text/analyse";

/** What people call by a name that they do not say with it ("I live at …" is an address), the less ambiguous first. */
const KINDS = ["email", "phone", "income", "home", "job", "age"] as const satisfies readonly KeyAttribute[];
export type Kind = (typeof KINDS)[number];

const WORDS = KINDS.map((kind) => [kind, new Set(analyse(wordsOfSlot(kind)))] as const);
const KIND_OF_PII: Readonly<Partial<Record<PiiKind, Kind>>> = {
  email: "email",
  phone: "phone",
  street_address: "home",
  precise_location: "home",
  date_of_birth: "age",
};
/** The share of the words of a request that ask for its kind: the others may be polite. */
const OF_NAMED = 0.5;

/** The kind of thing that words name: "my e-mail address". */
export function kindNamed(words: readonly string[]): Kind | null {
  const asking = words.filter((word) => WORDS.some(([, of]) => of.has(word)));
  if (asking.length === 0 || asking.length < words.length * OF_NAMED) return null;
  return WORDS.find(([, of]) => asking.some((word) => of.has(word)))?.[0] ?? null;
}

/** Whether a text states a thing of this kind: by the keys of what is learned from it, or by how such things look. */
export function statesKind(kind: Kind, text: string, keysOf: (text: string) => readonly string[]): boolean {
  if (kind === "income" && namesAmount(text)) return true;
  if (findPii(text).some((found) => KIND_OF_PII[found.kind] === kind)) return true;
  return keysOf(text).some((key) => slotsOf(key).has(kind));
}
