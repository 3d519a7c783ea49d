import { breaksRule } from "#core/errors";
import { findSecrets } from "#core/safety/find-secrets";
import { storable } from "#core/text/normalize";

/** What somebody says of a person; only what is there is said. */
export type Said = {
  name?: string | undefined;
  aliases?: readonly string[] | undefined;
  relationship?: string | null | undefined;
  notes?: string | null | undefined;
};

type Kept = { name?: string; aliases?: readonly string[]; relationship?: string | null; notes?: string | null };

/** The same as it can be stored. Throws `unprocessable` for a secret, which names the field and the kind. */
export function parsePersonInput({ name, aliases, relationship, notes }: Said): Kept {
  return {
    ...(name === undefined ? {} : { name: kept("name", name) }),
    ...(aliases === undefined ? {} : { aliases: aliases.map((alias, i) => kept(`aliases[${i}]`, alias)) }),
    ...(relationship === undefined ? {} : { relationship: relationship === null ? null : kept("relationship", relationship) }),
    ...(notes === undefined ? {} : { notes: notes === null ? null : kept("notes", notes) }),
  };
}

/** A text of the field as it can be stored, if it holds no secret. */
export function kept(field: string, text: string): string {
  const [secret] = findSecrets(text);
  if (secret !== undefined)
    throw breaksRule(field, `Secrets are never stored, and this holds one: ${secret.kind.replaceAll("_", " ")}.`);
  return storable(text);
}
