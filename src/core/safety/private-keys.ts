import { isRandomKey } from "./plausible.ts";
import type { Secret } from "./secret.ts";

/** Five hyphens on either side; word processors make dashes of two or three of them. */
const PEM_START = /-{1,5} ?BEGIN (?:[A-Z0-9]{1,16} ){0,3}PRIVATE KEY(?: BLOCK)? ?-{1,5}/g;
const PEM_END = /-{1,5} ?END (?:[A-Z0-9]{1,16} ){0,3}PRIVATE KEY(?: BLOCK)? ?-{1,5}/y;
/** Base64 with the line ends and headers of PEM, JSON's escapes with them. */
const PEM_BODY = /(?:[A-Za-z0-9+/=\s\\:,.()]|-(?!-{0,4} ?(?:BEGIN|END) ))*/y;
/** A run of base64 long enough to be a line of a key and not a word of the sentence after it. */
const KEY_LINE = /[A-Za-z0-9+/=]{32,}/g;

/** A private key in PEM or OpenPGP armour, also one whose end was cut off. */
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
