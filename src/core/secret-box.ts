import { misconfigured } from "./errors.ts";

/** Encrypts small secrets at rest, and signs. */
export interface SecretBox {
  /** `context` (such as a tenant's id) is bound to the text: it opens with the same context only. */
  seal(plain: string, context: string): Promise<string>;
  /** @throws misconfigured if it was sealed by another key, in another context, or was changed. */
  open(sealed: string, context: string): Promise<string>;
  /** HMAC-SHA-256 (RFC 2104) of the text, in hex, by a key of its own for each context. */
  sign(text: string, context: string): Promise<string>;
}

const VERSION = "v1";
const NONCE_BYTES = 12;

/** AES-256-GCM (NIST SP 800-38D) with a random nonce for each text; the key is derived from the secret by HKDF-SHA-256 (RFC 5869). */
export function createSecretBox(secret: string): SecretBox {
  let derived: CryptoKey | null = null;
  // A promise of one request must not be awaited by another, so only the key itself is cached.
  const keyOf = async () => {
    derived ??= await deriveKey(secret);
    return derived;
  };
  return {
    async seal(plain, context) {
      const nonce = crypto.getRandomValues(new Uint8Array(NONCE_BYTES));
      const cipher = await crypto.subtle.encrypt(parameters(nonce, context), await keyOf(), bytesOf(plain));
      return [VERSION, toBase64(nonce), toBase64(new Uint8Array(cipher))].join(".");
    },
    async open(sealed, context) {
      const [version, nonce, cipher] = sealed.split(".");
      if (version !== VERSION || nonce === undefined || cipher === undefined) throw unreadable();
      try {
        const plain = await crypto.subtle.decrypt(parameters(fromBase64(nonce), context), await keyOf(), fromBase64(cipher));
        return new TextDecoder().decode(plain);
      } catch {
        throw unreadable();
      }
    },
    async sign(text, context) {
      const signature = await crypto.subtle.sign("HMAC", await deriveSigningKey(secret, context), bytesOf(text));
      return [...new Uint8Array(signature)].map((byte) => byte.toString(16).padStart(2, "0")).join("");
    },
  };
}

async function deriveSigningKey(secret: string, context: string): Promise<CryptoKey> {
  const material = await crypto.subtle.importKey("raw", bytesOf(secret), "HKDF", false, ["deriveKey"]);
  const info = bytesOf(`edgewise signatures ${context}`);
  const derivation = { name: "HKDF", hash: "SHA-256", salt: new Uint8Array(), info };
  return await crypto.subtle.deriveKey(derivation, material, { name: "HMAC", hash: "SHA-256", length: 256 }, false, ["sign"]);
}

async function deriveKey(secret: string): Promise<CryptoKey> {
  const material = await crypto.subtle.importKey("raw", bytesOf(secret), "HKDF", false, ["deriveKey"]);
  const derivation = { name: "HKDF", hash: "SHA-256", salt: new Uint8Array(), info: bytesOf("edgewise secrets") };
  return await crypto.subtle.deriveKey(derivation, material, { name: "AES-GCM", length: 256 }, false, ["encrypt", "decrypt"]);
}

function parameters(iv: Uint8Array<ArrayBuffer>, context: string) {
  return { name: "AES-GCM", iv, additionalData: bytesOf(context) };
}

function unreadable() {
  return misconfigured("A stored secret cannot be read with this ENCRYPTION_KEY. Set it anew, or put the former key back.");
}

function bytesOf(text: string): Uint8Array<ArrayBuffer> {
  return new Uint8Array(new TextEncoder().encode(text));
}

function toBase64(bytes: Uint8Array): string {
  return btoa(String.fromCharCode(...bytes));
}

function fromBase64(text: string): Uint8Array<ArrayBuffer> {
  const decoded = atob(text);
  const bytes = new Uint8Array(decoded.length);
  for (let i = 0; i < decoded.length; i += 1) bytes[i] = decoded.charCodeAt(i);
  return bytes;
}
