import { breaksRule } from "#core/errors";
import { findSecrets, type Secret, type SecretKind } from "./find-secrets.ts";

/** Ids that apps make, which are no secrets: digits, a UUID with or without a short prefix, a few letters and digits. */
const ORDINARY =
  /^(?:\d{1,200}|(?:[A-Za-z]{1,12}[_:-])?[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}|[A-Za-z0-9_-]{1,12}|[A-Za-z]{1,30})$/i;
/** Words that name the parts of a composite id; before a colon they do not announce a password. */
const PART_OF_ID = /(?:@[\w.-]{1,200}|(?:^|[^\p{L}\p{N}])(?:(?:\p{L}{1,32}[_-])?(?:tokens?|pass|claves?)|keys?)):[*_`]{0,3}$/iu;
const STATED: ReadonlySet<SecretKind> = new Set(["password", "api_key"]);
const BARE_DIGITS = /^\p{Nd}+$/u;

/**
 * The secrets in a name: an app's id, a key, a model's name, an address. Names may be random or numeric, so digits are a card number only if
 * grouped as on a card, and a PIN only in a sentence; a code of three digits is never a secret. The parts of a composite id
 * (`bob@example.com:room42`, `session:token:…`) are no passwords or keys, and a SID that begins like Twilio's is an id.
 */
export function findSecretsInName(name: string): Secret[] {
  if (ORDINARY.test(name)) return [];
  const isSentence = /\s/u.test(name.trim());
  return findSecrets(name).filter(({ kind, start, end }) => {
    if (kind === "card_number") return !BARE_DIGITS.test(name.slice(start, end));
    if (kind === "pin") return isSentence;
    if (kind === "twilio_key") return false;
    if (STATED.has(kind) && !isSentence && PART_OF_ID.test(name.slice(0, start))) return isVendorKey(name.slice(start, end));
    return kind !== "card_security_code";
  });
}

/** A text that as a whole is a key in its vendor's format. */
function isVendorKey(value: string): boolean {
  return findSecrets(value).length > 0;
}

/** The kind of secret that a name holds, as it is or percent-encoded; null for none. */
export function secretInName(name: string): SecretKind | null {
  const [secret] = [...findSecretsInName(name), ...(name.includes("%") ? findSecretsInName(percentDecoded(name)) : [])];
  return secret?.kind ?? null;
}

/** Replaces the secrets of a name by `[redacted:kind]`. */
export function redactName(name: string): string {
  let redacted = name;
  for (const { kind, start, end } of findSecretsInName(name).toReversed())
    redacted = `${redacted.slice(0, start)}[redacted:${kind}]${redacted.slice(end)}`;
  return secretInName(redacted) === null ? redacted : "[redacted]";
}

/**
 * Refuses a name that holds a secret.
 *
 * @throws `unprocessable`, with the field and the kind, never the name.
 */
export function refuseSecretName(path: string, name: string): void {
  const kind = secretInName(name);
  if (kind !== null) throw breaksRule(path, `Secrets are never stored, and this holds one: ${kind.replaceAll("_", " ")}.`);
}

/** Fields for texts, which are redacted or refused where they are stored. */
const TEXTS: ReadonlySet<string> = new Set([
  "text",
  "speaker",
  "content",
  "query",
  "question",
  "notes",
  "value",
  "metadata",
  "apiKey",
]);
/** Deeper than any schema; metadata, which may be deeper, is a text. */
const MAX_DEPTH = 16;

/**
 * Refuses an input in which a string other than a text holds a secret, names of members included. So every name is checked without a rule
 * in its schema.
 *
 * @throws `unprocessable`, with the field and the kind, never the name.
 */
export function refuseSecretNames(input: unknown, path = "", depth = 0): void {
  if (typeof input === "string") refuseSecretName(path, input);
  if (typeof input !== "object" || input === null || depth > MAX_DEPTH) return;
  for (const [name, inner] of Object.entries(input)) {
    if (TEXTS.has(name)) continue;
    if (Array.isArray(input)) refuseSecretNames(inner, `${path}[${name}]`, depth + 1);
    else {
      refuseSecretName(path === "" ? "body" : path, name);
      refuseSecretNames(inner, path === "" ? name : `${path}.${name}`, depth + 1);
    }
  }
}

/** Redacts every string as a name, names of members included. */
export function redactNames(value: unknown): unknown {
  if (typeof value === "string") return redactName(value);
  if (Array.isArray(value)) return value.map(redactNames);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [redactName(name), redactNames(inner)]));
}

function percentDecoded(name: string): string {
  return name.replace(/(?:%[0-9a-f]{2})+/gi, (bytes) => {
    try {
      return decodeURIComponent(bytes);
    } catch {
      return bytes;
    }
  });
}
