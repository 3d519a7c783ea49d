import { breaksRule } from "#core/errors";
import { findSecrets } from "./find-secrets.ts";

/** Throws `unprocessable` for the first of the texts that holds a secret: it names the field and the kind, never the text. */
export function refuseSecrets(texts: Readonly<Record<string, string | null | undefined>>, path = ""): void {
  for (const [field, text] of Object.entries(texts)) {
    const [secret] = typeof text === "string" ? findSecrets(text) : [];
    if (secret !== undefined)
      throw breaksRule(`${path}${field}`, `Secrets are never stored, and this holds one: ${secret.kind.replaceAll("_", " ")}.`);
  }
}
