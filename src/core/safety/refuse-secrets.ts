import { breaksRule } from "#core/errors";
import { findSecrets, type SecretKind } from "./find-secrets.ts";

/**
 * Refuses texts that hold a secret.
 *
 * @throws `unprocessable` for the first of them, with the field and the kind, never the text.
 */
export function refuseSecrets(texts: Readonly<Record<string, string | null | undefined>>, path = ""): void {
  for (const [field, text] of Object.entries(texts)) {
    const [secret] = typeof text === "string" ? findSecrets(text) : [];
    if (secret !== undefined) throw refusal(`${path}${field}`, secret.kind);
  }
}

/** Refuses a text that becomes a secret by the label beside it: the key `password` and the content `Xk9#mQ2v`. */
export function refuseLabelledSecret(label: string, text: string, path: string): void {
  const kind = holdsLabelledSecret(label, text);
  if (kind !== null) throw refusal(path, kind);
}

/** The kind of secret that a text holds if a label, such as a key, a topic or a type, comes before it; null for none. */
export function holdsLabelledSecret(label: string, text: string): SecretKind | null {
  for (const lead of new Set([`${label}: `, `${inWords(label)}: `, `${inWords(label)} `])) {
    const secret = findSecrets(`${lead}${text}`).find(({ end }) => end > lead.length);
    if (secret !== undefined) return secret.kind;
  }
  return null;
}

/** `wifi_password` and `wifiPassword` as "wifi password". */
function inWords(label: string): string {
  return label
    .replace(/(?<=\p{Ll})(?=\p{Lu})/gu, " ")
    .replace(/[_.:/#-]+/g, " ")
    .trim();
}

function refusal(path: string, kind: SecretKind): Error {
  return breaksRule(path, `Secrets are never stored, and this holds one: ${kind.replaceAll("_", " ")}.`);
}
