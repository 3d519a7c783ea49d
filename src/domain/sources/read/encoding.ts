import { analyse } from "chardet";
import { UnreadableFile } from "./unreadable-file.ts";

/** Bytes by which an encoding is guessed. */
const SAMPLE_BYTES = 64 * 1024;
/** Bytes that are checked at a time. */
const STEP_BYTES = 1024 * 1024;
/** In percent. Below it chardet's guess is no better than the usual encoding. */
const LEAST_CONFIDENCE = 20;
/** It decodes any bytes. */
const USUAL_ENCODING = "windows-1252";

const MARKS: readonly { bytes: readonly number[]; encoding: string }[] = [
  { bytes: [0xef, 0xbb, 0xbf], encoding: "utf-8" },
  { bytes: [0xff, 0xfe, 0x00, 0x00], encoding: "utf-32" },
  { bytes: [0x00, 0x00, 0xfe, 0xff], encoding: "utf-32" },
  { bytes: [0xff, 0xfe], encoding: "utf-16le" },
  { bytes: [0xfe, 0xff], encoding: "utf-16be" },
];

/** By the byte order mark, else strict UTF-8, UTF-16 without a mark, the declared encoding, and chardet's guesses, the first that decodes. */
export function encodingOf(bytes: Uint8Array, declared: string | null): string {
  const marked = MARKS.find((mark) => mark.bytes.every((byte, at) => bytes[at] === byte));
  if (marked?.encoding === "utf-32") throw new UnreadableFile("The text is encoded as UTF-32. Save it as UTF-8.");
  if (marked !== undefined) return marked.encoding;
  const sample = bytes.subarray(0, SAMPLE_BYTES);
  const wide = unmarkedUtf16(sample);
  // Alphabets in UTF-16 are valid UTF-8 with many NULs.
  const candidates = [sample.includes(0) ? wide : null, "utf-8", wide, declared, ...guesses(sample)];
  return candidates.find((encoding) => encoding !== null && decodes(bytes, encoding)) ?? USUAL_ENCODING;
}

function guesses(sample: Uint8Array): string[] {
  return analyse(sample).flatMap(({ name, confidence }) =>
    confidence >= LEAST_CONFIDENCE && !name.startsWith("UTF-") ? [name] : [],
  );
}

/** False too for the name of an encoding that the platform does not know. */
function decodes(bytes: Uint8Array, encoding: string): boolean {
  try {
    const decoder = new TextDecoder(encoding, { fatal: true, ignoreBOM: false });
    for (let at = 0; at < bytes.length; at += STEP_BYTES)
      decoder.decode(bytes.subarray(at, at + STEP_BYTES), { stream: at + STEP_BYTES < bytes.length });
    return true;
  } catch {
    return false;
  }
}

/** Upper bytes that most UTF-16 text has: Latin and other alphabets, punctuation, kana, Han and full-width forms. */
function isUpperByte(byte: number): boolean {
  return byte <= 0x06 || byte === 0x20 || byte === 0x30 || (byte >= 0x4e && byte <= 0x9f) || byte === 0xff;
}

/** The least share of such bytes on the side of the upper ones, and the most on the other side. */
const UPPER_SHARE = 0.95;
const LOWER_SHARE = 0.8;

/** UTF-16 without a byte order mark: the bytes at even places differ from those at odd ones as upper bytes from lower ones. */
function unmarkedUtf16(sample: Uint8Array): "utf-16le" | "utf-16be" | null {
  const units = sample.length >> 1;
  if (units < 2) return null;
  const shares = [0, 1].map((side) => {
    let upper = 0;
    for (let at = side; at < units * 2; at += 2) if (isUpperByte(sample[at] ?? 0)) upper++;
    return upper / units;
  });
  const [even = 0, odd = 0] = shares;
  if (odd >= UPPER_SHARE && even <= LOWER_SHARE) return "utf-16le";
  return even >= UPPER_SHARE && odd <= LOWER_SHARE ? "utf-16be" : null;
}
