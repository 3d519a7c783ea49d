import { entropy, isPlaceholder } from "./plausible.ts";
import type { Secret, SecretKind } from "./secret.ts";

const JWT = /(?<![\w.-])eyJ[\w-]{8,4096}\.eyJ[\w-]{8,8192}\.[\w-]{16,2048}(?![\w-])/g;

/** RFC 7519 in compact form: two JSON objects in base64url and a signature. */
export function findJwts(text: string): Secret[] {
  return [...text.matchAll(JWT)].map((match) => at("jwt", match.index, match[0]));
}

const AWS_PAIR =
  /(?<![A-Z0-9])(?:AKIA|ASIA)[A-Z2-7]{16}(?![A-Za-z0-9])[^A-Z0-9][\s\S]{0,64}?(?<![A-Za-z0-9/+])([A-Za-z0-9/+]{40})(?![A-Za-z0-9/+=])/g;

/** The secret that stands after its access key's id, whatever it is called there. */
export function findAwsSecrets(text: string): Secret[] {
  return [...text.matchAll(AWS_PAIR)].map((match) => {
    const value = match[1] ?? "";
    return at("aws_secret_key", match.index + match[0].length - value.length, value);
  });
}

const AUTHORIZATION = /(?<![\p{L}\p{N}])(bearer|basic)\s{1,3}([\w.~+/=-]{12,4096})/giu;
const MIN_TOKEN_ENTROPY = 3;

/** What follows `Bearer` (RFC 6750) or `Basic` (RFC 7617). */
export function findAuthorizations(text: string): Secret[] {
  const found: Secret[] = [];
  for (const match of text.matchAll(AUTHORIZATION)) {
    const [whole, scheme = "", value = ""] = match;
    const start = match.index + whole.length - value.length;
    if (scheme.toLowerCase() === "basic" ? isBasic(value) : isToken(value)) {
      found.push(at(scheme.toLowerCase() === "basic" ? "basic_auth" : "bearer_token", start, value));
    }
  }
  return found;
}

function isToken(value: string): boolean {
  return (
    value.length >= 16 && /\d/.test(value) && /[a-z]/i.test(value) && !isPlaceholder(value) && entropy(value) >= MIN_TOKEN_ENTROPY
  );
}

function isBasic(value: string): boolean {
  if (!/^[A-Za-z0-9+/]{8,}={0,2}$/.test(value)) return false;
  try {
    return /^[\x20-\x39\x3b-\x7e]+:[\x20-\x7e]+$/.test(atob(value));
  } catch {
    return false;
  }
}

const WITH_PASSWORD =
  /(?<![a-z0-9+.-])[a-z][a-z0-9+.-]{1,30}:\/\/([^\s:@/"'<>`]{0,128}):([^\s/"'<>`]{1,256})@(?=[\p{L}\p{N}[*])/giu;
const MIN_PASSWORD = 3;

/** The password, and nothing else, of an address such as `scheme://user:password@host` (RFC 3986, 3.2.1). */
export function findConnectionStrings(text: string): Secret[] {
  const found: Secret[] = [];
  for (const match of text.matchAll(WITH_PASSWORD)) {
    const [whole, user = "", password = ""] = match;
    if (password.length < MIN_PASSWORD || password === user || isPlaceholder(password)) continue;
    found.push(at("connection_string", match.index + whole.length - password.length - 1, password));
  }
  return found;
}

const SECURITY_CODE =
  /(?<![\p{L}\p{N}])(?:CVV2?|CVC2?|CSC|Kartenprüfnummer|cryptogramme|安全码|セキュリティコード)(?:\s(?:code|number))?\s{0,2}(?:[:：=]|is|ist|est|es|è|é|是|は)?\s{0,2}(\d{3,4})(?![\p{N}]|\s?[%€$])/giu;

/** The three or four digits on a card's back, named as such. */
export function findSecurityCodes(text: string): Secret[] {
  return [...text.matchAll(SECURITY_CODE)].map((match) => {
    const code = match[1] ?? "";
    return at("card_security_code", match.index + match[0].length - code.length, code);
  });
}

function at(kind: SecretKind, start: number, value: string): Secret {
  return { kind, start, end: start + value.length };
}
