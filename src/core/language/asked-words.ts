import type { KeyAttribute } from "./pack.ts";
import { PACKS } from "./packs.ts";

/** What the parts of a key name, in the English of keys. A part that stands for no slot is asked by its own words only. */
const PARTS: Readonly<Record<KeyAttribute, string>> = {
  name: "name nickname",
  home: "home city town location address residence",
  job: "job occupation profession work employer company role position career",
  age: "age birthday birth birthdate",
  origin: "origin nationality hometown birthplace",
  diet: "diet food allergy allergies eating",
  partner: "partner wife husband spouse girlfriend boyfriend fiance fiancee marriage",
  children: "child children kid kids son daughter",
  pet: "pet pets dog cat",
  vehicle: "car vehicle bike motorbike van",
  phone: "phone mobile device",
  email: "email mail",
  income: "income salary wage wages pay earnings",
  school: "school university college study studies education",
  language: "language languages",
  goal: "goal goals plan aim target",
};

const SLOT_OF: ReadonlyMap<string, KeyAttribute> = new Map(
  (Object.entries(PARTS) as [KeyAttribute, string][]).flatMap(([slot, parts]) =>
    parts.split(" ").map((part) => [part, slot] as const),
  ),
);

const MAX_PARTS = 12;

/** The parts of a key: `identity:home_town@garden` has `identity`, `home` and `town`; what follows the @ is a project's name. */
function partsOf(key: string): string[] {
  const [name = ""] = key.split("@");
  return name
    .replaceAll(/(?<=\p{Ll})(?=\p{Lu})/gu, " ")
    .toLowerCase()
    .split(/[^\p{L}\p{M}\p{N}]+/u)
    .filter((part) => part !== "")
    .slice(0, MAX_PARTS);
}

/**
 * The words by which people ask for the value of a key, in every language: its own, without the type before the colon, and for what every
 * person has the words of the packs ("where do I live?" for `identity:home`).
 */
export function wordsAskedBy(key: string): string {
  const parts = partsOf(named(key));
  return [...parts, ...[...slotsOf(key)].map(wordsOfSlot)].join(" ");
}

/** The slots that a key stands for. */
export function slotsOf(key: string): Set<KeyAttribute> {
  return new Set(partsOf(named(key)).flatMap((part) => SLOT_OF.get(part) ?? []));
}

/** The words by which people ask for a slot, in every language. */
export function wordsOfSlot(slot: KeyAttribute): string {
  return PACKS.flatMap(({ asked }) => asked?.[slot] ?? []).join(" ");
}

function named(key: string): string {
  return key.slice(key.indexOf(":") + 1);
}
