const KEY_PREFIX = "ew_";
const ALPHABET = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
const SECRET_LENGTH = 40;

/** A new API key: 40 characters of base 62, 238 bits of chance. Shown once, then only its hash is known. */
export function newKey(): { key: string; prefix: string } {
  let secret = "";
  while (secret.length < SECRET_LENGTH) {
    for (const byte of crypto.getRandomValues(new Uint8Array(64))) {
      // 248 is the largest multiple of 62 in a byte: beyond it, some characters would come up more often.
      if (byte < 248 && secret.length < SECRET_LENGTH) secret += ALPHABET[byte % 62];
    }
  }
  return { key: KEY_PREFIX + secret, prefix: KEY_PREFIX + secret.slice(0, 6) };
}

/** Whether it could be a key at all: spares the database a stranger's noise. */
export function looksLikeKey(value: string): boolean {
  return value.length === KEY_PREFIX.length + SECRET_LENGTH && /^ew_[0-9A-Za-z]+$/.test(value);
}

/** SHA-256 in hex. A plain hash is enough for a secret with this much chance in it. */
export async function sha256(text: string): Promise<string> {
  const digest = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(text));
  return [...new Uint8Array(digest)].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}
