import { PACKS } from "#core/language/packs";
import { alternatives, anyScript } from "#core/language/patterns";
import type { RelationshipForms } from "#core/language/statement-forms";
import { anyCase } from "#core/text/any-case";
import type { NamedPerson } from "./rule.ts";

const of = (name: "people" | "pets" | "and") => alternatives(({ forms }) => forms?.relationships?.[name]);
const ROLES = new RegExp(anyScript(`^(?:${of("people")}|${of("pets")})$`), "i");
const PETS = new RegExp(anyScript(`^(?:${of("pets")})$`), "i");
const AND = new RegExp(`, | (?:${of("and")}) `, "u");
const SINGULAR: RelationshipForms["singular"] = Object.assign({}, ...PACKS.map(({ forms }) => forms?.relationships?.singular));

/** Persons and pets named beside a statement ("I took my dog Max to the vet"). */
export const IN_PASSING: readonly RegExp[] = PACKS.flatMap(({ forms }) => {
  const pattern = forms?.relationships?.inPassing;
  return pattern === undefined ? [] : new RegExp(anyCase(anyScript(`(?<![\\p{L}'-])${pattern}`)), "g");
});

/** Whether any of them is in a text: most clauses name nobody, and each pattern is copied to find all of its matches. */
export const ANY_IN_PASSING = new RegExp(
  IN_PASSING.length === 0 ? "(?!)" : IN_PASSING.map(({ source }) => source.replaceAll(/\(\?<\w+>/g, "(?:")).join("|"),
);

const RELATIVES: readonly RegExp[] = PACKS.flatMap(({ forms, spaced }) => {
  const known = forms?.relationships;
  if (known === undefined) return [];
  // A name after the role is taken as the person's; a capital letter in a language that has them may begin one.
  const end = spaced ? "(?![\\p{L}\\p{N}'\u2019-])(?! (?-i:\\p{Lu}))" : "";
  const before = spaced ? "(?<![\\p{L}\\p{N}'-])" : "";
  return new RegExp(anyCase(anyScript(`${before}${known.own}(?<role>${known.people})${end}`)), "g");
});
const MAX_RELATIVES = 3;

/** Relatives and others whom a text names by their relationship to the speaker alone ("my son has asthma"), one of each. */
export function relativesIn(text: string): NamedPerson[] {
  const roles = RELATIVES.flatMap((pattern) =>
    [...text.matchAll(pattern)].map(({ groups }) => roleAsWritten(groups?.role) ?? ""),
  );
  const single = [...new Set(roles)].filter((role) => role !== "" && SINGULAR?.[role] === undefined);
  return single.slice(0, MAX_RELATIVES).map((role) => ({ name: role, relationship: role, isRole: true }));
}

/** Whether the words name a relationship. */
export function isRole(words: string): boolean {
  return ROLES.test(words);
}

type Named = { groups?: Readonly<Record<string, string | undefined>> | undefined; relationship?: string | null };

/** The persons in a match's groups. Pets are not persons. */
export function peopleOf({ groups, relationship }: Named): NamedPerson[] {
  const names = groups?.names ?? groups?.small ?? groups?.beside;
  const role = roleAsWritten(groups?.role) ?? relationship ?? null;
  if (names === undefined || (role !== null && PETS.test(role))) return [];
  return names.split(AND).map((name) => ({ name: name.trim(), relationship: role === null ? null : (SINGULAR?.[role] ?? role) }));
}

/** German nouns keep their capital; a word in capitals does not. */
function roleAsWritten(role: string | undefined): string | undefined {
  return role === undefined || role !== role.toUpperCase() ? role : role.toLowerCase();
}
