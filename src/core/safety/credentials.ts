import { entropy, isPlaceholder, isRandomKey } from "./plausible.ts";
import type { Secret, SecretKind } from "./secret.ts";

const JWT = /(?<![\w.-])eyJ[\w-]{8,4096}\.eyJ[\w-]{8,8192}\.[\w-]{16,2048}(?![\w-])/g;

/** RFC 7519 in compact form: two JSON objects in base64url and a signature. */
export function findJwts(text: string): Secret[] {
  return [...text.matchAll(JWT)].map((match) => at("jwt", match.index, match[0]));
}

const AWS_PAIR =
  /(?<![A-Z0-9])(?:AKIA|ASIA)[A-Z2-7]{16}(?![A-Za-z0-9])[^A-Z0-9][\s\S]{0,64}?(?<![A-Za-z0-9/+])([A-Za-z0-9/+]{40})(?![A-Za-z0-9/+=])/g;

/** The secret that follows its access key id, whatever its label. */
export function findAwsSecrets(text: string): Secret[] {
  return [...text.matchAll(AWS_PAIR)].map((match) => {
    const value = match[1] ?? "";
    return at("aws_secret_key", match.index + match[0].length - value.length, value);
  });
}

const AUTHORIZATION = /(?<![\p{L}\p{N}])(bearer|basic)\s{1,3}([\w.~+/=-]{12,4096})/giu;
const MIN_TOKEN_ENTROPY = 3;
const MIN_SEED_ENTROPY = 2.5;

/** The token after `Bearer` (RFC 6750) or `Basic` (RFC 7617). */
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

/** The password of an address such as `scheme://user:password@host` (RFC 3986, 3.2.1). */
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

/** The security code of a card, named as one. */
export function findSecurityCodes(text: string): Secret[] {
  return [...text.matchAll(SECURITY_CODE)].map((match) => {
    const code = match[1] ?? "";
    return at("card_security_code", match.index + match[0].length - code.length, code);
  });
}

function at(kind: SecretKind, start: number, value: string): Secret {
  return { kind, start, end: start + value.length };
}

/** Five hyphens on either side; word processors turn two or three of them into a dash. */
const PEM_START = /-{1,5} ?BEGIN (?:[A-Z0-9]{1,16} ){0,3}PRIVATE KEY(?: BLOCK)? ?-{1,5}/g;
const PEM_END = /-{1,5} ?END (?:[A-Z0-9]{1,16} ){0,3}PRIVATE KEY(?: BLOCK)? ?-{1,5}/y;
/** Base64 with the line breaks and headers of PEM, and with the escapes of JSON. */
const PEM_BODY = /(?:[A-Za-z0-9+/=\s\\:,.()]|-(?!-{0,4} ?(?:BEGIN|END) ))*/y;
/** Base64 that is long enough to be a line of a key, not a word of the next sentence. */
const KEY_LINE = /[A-Za-z0-9+/=]{32,}/g;

/** A private key in PEM or OpenPGP armour, also without its end. */
export function findPrivateKeys(text: string): Secret[] {
  const found: Secret[] = [];
  let covered = 0;
  for (const match of text.matchAll(PEM_START)) {
    if (match.index < covered) continue;
    const bodyStart = match.index + match[0].length;
    const bodyEnd = endOf(PEM_BODY, text, bodyStart);
    const lastLine = [...text.slice(bodyStart, bodyEnd).matchAll(KEY_LINE)].at(-1);
    if (lastLine === undefined) continue;
    const armourEnd = endOf(PEM_END, text, bodyEnd);
    covered = armourEnd > bodyEnd ? armourEnd : bodyStart + lastLine.index + lastLine[0].length;
    found.push({ kind: "private_key", start: match.index, end: covered });
  }
  return found;
}

function endOf(sticky: RegExp, text: string, at: number): number {
  sticky.lastIndex = at;
  return sticky.test(text) ? sticky.lastIndex : at;
}

const HEX_KEY = /^(?:0x)?[0-9a-f]{64}$/i;
const BASE64_KEY = /^[A-Za-z0-9+/]{42,86}={0,2}$/;
const WIF_KEY = /^[5KL][1-9A-HJ-NP-Za-km-z]{50,51}$/;

/** A raw key of 32 or 64 bytes: hexadecimal, base64 (WireGuard) or a wallet's import format. */
export function isRawPrivateKey(value: string): boolean {
  return (HEX_KEY.test(value) || BASE64_KEY.test(value) || WIF_KEY.test(value)) && (HEX_KEY.test(value) || isRandomKey(value));
}

const SEED_LABEL =
  /(?:(?:seed|recovery|backup|mnemonic|wallet|secret)[ -]?(?:phrase|words)|mnemonic|seed|助记词|助記詞|シードフレーズ|сид-?фраза|phrase de récupération|phrase secrète|wiederherstellungs(?:phrase|wörter)|frase (?:semilla|de recuperación|seed|di recupero|de recuperação))(?=[^\n]{0,40}?(?:[:：=是はè—–-]|\s(?:is|are|ist|lautet|est|es|é|será)\s)|\n)/giu;
const SEED_WORDS = /(?<![a-z'-])(?:(?:\d{1,2}[.):]?\s{0,2})?[a-z]{3,8}(?:[\s,]{1,3}|$|(?=[.;"'`)\]]))){12,24}/g;
/** Frequent short English words that are not among the 2,048 of BIP-39. */
const NOT_SEED = /\b(?:the|and|was|has|for|are|not|with|from|they|have|your|our|but|which|because|were|should|must|his|her)\b/;
const SEED_REACH = 360;

/** A wallet's recovery phrase (BIP-39: 12 to 24 lower-case words of three to eight letters), named as such. */
export function findSeedPhrases(text: string): Secret[] {
  const found: Secret[] = [];
  for (const match of text.matchAll(SEED_LABEL)) {
    const after = match.index + match[0].length;
    const words = [...text.slice(after, after + SEED_REACH).matchAll(SEED_WORDS)].find(([run]) => !NOT_SEED.test(run));
    if (words === undefined) continue;
    const start = after + words.index;
    found.push({ kind: "seed_phrase", start, end: start + lengthOfPhrase(words[0]) });
  }
  return found;
}

/** A phrase has 12, 15, 18, 21 or 24 words; one or two more belong to the next sentence. */
function lengthOfPhrase(run: string): number {
  const words = [...run.matchAll(/[a-z]{3,8}/g)];
  const last = words[words.length - (words.length % 3) - 1];
  return last === undefined ? 0 : last.index + last[0].length;
}

/** `otpauth://totp/Acme:bob?secret=…&issuer=Acme`: the text of the code that an authenticator app scans. */
const KEY_URI = /(?<=otpauth:\/\/[ht]otp\/[^\s"'<>]{0,512}?[?&]secret=)[A-Za-z2-7]{8,256}/g;
/** Base32, together or in groups of four. */
const BASE32 =
  /(?<![A-Za-z0-9+/_-])(?:(?:[A-Z2-7]{4}[ -]){3,15}[A-Z2-7]{4}|(?:[a-z2-7]{4}[ -]){3,15}[a-z2-7]{4}|[A-Z2-7]{16,128}={0,6}|[a-z2-7]{16,128})(?![A-Za-z0-9+/_-])/g;
const AUTHENTICATOR =
  /(?<!\p{L})(?:t?otp|hotp|[2m]fa|(?:two|multi|2)[- ]?(?:factor|step)|authenticator|base32|zwei-?faktor|double authentification)(?!\p{Ll})[^\n.!?]*$/iu;
/** What the seed is called; a code that the app shows, or a backup code, is none. */
const SEED =
  /(?:secret|seed|geheimnis|schlüssel|semilla|graine|секрет|ключ|密[钥鑰]|(?<!\p{L})(?:(?:t?otp|2fa|mfa)?key|clave|clé|chave|chiave)(?!\p{Ll}))[^\n.!?]*$/iu;
/** A value that is written as one needs no other name. */
const WRITTEN_SEED = /(?:secret|seed)["'\x60]?\s?[:=]\s?["'\x60]?$/iu;
const AUTHENTICATOR_REACH = 64;

/** The seed of an authenticator app (RFC 6238), in base32: in its address, or behind what calls it the seed of one. */
export function findOneTimeSeeds(text: string): Secret[] {
  const found = [...text.matchAll(KEY_URI)].map((match) => at("totp_secret", match.index, match[0]));
  for (const match of text.matchAll(BASE32)) {
    const [value] = match;
    if (!/[2-7]/.test(value) || isPlaceholder(value) || entropy(value) < MIN_SEED_ENTROPY) continue;
    const before = text.slice(Math.max(0, match.index - AUTHENTICATOR_REACH), match.index);
    if (WRITTEN_SEED.test(before) || (AUTHENTICATOR.test(before) && SEED.test(before)))
      found.push(at("totp_secret", match.index, value));
  }
  return found;
}
