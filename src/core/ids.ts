/** The prefix of a public id shows its kind. */
export const ID_PREFIX = {
  tenant: "ten",
  space: "spa",
  user: "usr",
  key: "key",
  project: "prj",
  session: "ses",
  episode: "epi",
  job: "job",
  audit: "aud",
  person: "per",
  merge: "mrg",
  memory: "mem",
  entity: "ent",
  forgetting: "fgt",
  source: "src",
  file: "fil",
  chunk: "chk",
  import: "imp",
  erasure: "ers",
  token: "tok",
} as const;

export type IdKind = keyof typeof ID_PREFIX;

/** UUIDv7 of RFC 9562: 48 bits of Unix milliseconds, then 74 random bits, so that ids sort by time. */
export function uuidv7(now: number, random: Uint8Array<ArrayBuffer>): string {
  const bytes = new Uint8Array(random.subarray(0, 16));
  const view = new DataView(bytes.buffer);
  view.setUint16(0, Math.floor(now / 2 ** 32));
  view.setUint32(2, now % 2 ** 32);
  view.setUint8(6, (view.getUint8(6) & 0x0f) | 0x70);
  view.setUint8(8, (view.getUint8(8) & 0x3f) | 0x80);
  const hex = [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("");
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`;
}

/** A public id such as `epi_0190…`: prefixed, time-ordered, unguessable. */
export function publicId(kind: IdKind, now: number): string {
  return `${ID_PREFIX[kind]}_${uuidv7(now, crypto.getRandomValues(new Uint8Array(16)))}`;
}

/** The part of a public id behind its prefix, for cursors, and back. */
export function withoutPrefix(id: string): string {
  return id.replace(/^[a-z]{3}_/, "");
}

export function withPrefix(kind: IdKind, rest: string): string {
  return `${ID_PREFIX[kind]}_${withoutPrefix(rest)}`;
}

/** Whether the string has the shape of a public id of this kind; the object need not exist. */
export function isPublicId(kind: IdKind, value: string): boolean {
  return new RegExp(`^${ID_PREFIX[kind]}_[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$`).test(value);
}

/** When a public id of this kind was made, Unix milliseconds; null for what is none. */
export function createdAt(kind: IdKind, id: string): number | null {
  return isPublicId(kind, id) ? Number.parseInt(withoutPrefix(id).slice(0, 13).replace("-", ""), 16) : null;
}

const KEY_PREFIX = "ew_";
const ALPHABET = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
const SECRET_LENGTH = 40;

/** A new API key: 40 characters of base 62, 238 random bits. Shown once; only its hash is stored. */
export function newKey(): { key: string; prefix: string } {
  let secret = "";
  while (secret.length < SECRET_LENGTH) {
    for (const byte of crypto.getRandomValues(new Uint8Array(64))) {
      // 248 is the largest multiple of 62 in a byte: larger values would make some characters more frequent.
      if (byte < 248 && secret.length < SECRET_LENGTH) secret += ALPHABET[byte % 62];
    }
  }
  return { key: KEY_PREFIX + secret, prefix: KEY_PREFIX + secret.slice(0, 6) };
}

/** Whether the string has the shape of a key, to avoid needless lookups. */
export function looksLikeKey(value: string): boolean {
  return value.length === KEY_PREFIX.length + SECRET_LENGTH && /^ew_[0-9A-Za-z]+$/.test(value);
}

/** SHA-256 in hex. A plain hash is enough for a secret with this many random bits. */
export async function sha256(text: string): Promise<string> {
  const digest = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(text));
  return [...new Uint8Array(digest)].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}
