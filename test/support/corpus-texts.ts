import { FITTED as MESSAGES } from "#corpora/extraction";
import { FITTED as QUESTIONS } from "#corpora/facts-questions";
import { FITTED as STATEMENTS } from "#corpora/facts-statements";
import { FITTED as IDENTIFIERS } from "#corpora/pii";
import { labelled, SECRETS_KNOWN } from "#corpora/secrets";

/** What people write, from all corpora. */
export const CORPUS_TEXTS: readonly string[] = [
  ...MESSAGES.flatMap(({ messages }) => messages.map(({ text }) => text)),
  ...Object.values(QUESTIONS).flatMap(({ routed, notRouted }) => [...Object.values(routed).flat(), ...notRouted]),
  ...Object.values(STATEMENTS).flatMap(({ read, notRead }) => [...Object.keys(read), ...notRead]),
  ...Object.values(IDENTIFIERS).flat(),
  ...SECRETS_KNOWN.map((marked) => labelled(marked).text),
];
