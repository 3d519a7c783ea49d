import { Unzlib } from "fflate";
import { decodeAscii85 } from "./ascii85.ts";
import { UnreadableFile } from "./unreadable-file.ts";

/** What a page draws, unzipped, is below 1 MB, a map's a few. The parser takes three times as much memory. */
const MAX_STREAM_BYTES = 16 * 1024 * 1024;
const MAX_TOTAL_BYTES = 256 * 1024 * 1024;
/** Drawing states that a page saves within each other: a few. The parser keeps a copy of each. */
const MAX_SAVED_STATES = 10_000;
/** Bytes that are unzipped at a time: at most 16 MB come out of them. */
const STEP_BYTES = 16 * 1024;
/** Of LZW and run lengths only the input is bounded. They were given up before 2000. */
const MAX_OLD_BYTES = 64 * 1024;
const MAX_DICTIONARY_BYTES = 8 * 1024;

const BLANK = 0x20;
const PICTURE = /\/(?:DCTDecode|DCT|JPXDecode|JBIG2Decode|CCITTFaxDecode|CCF)\b|\/Subtype\s*\/Image\b/;
const OLD_COMPRESSION = /\/(?:LZWDecode|LZW|RunLengthDecode|RL)\b/;
const ASCII85 = /\/(?:ASCII85Decode|A85)\b/;

/**
 * Blanks every stream that becomes too large when it is unzipped, or that only holds a picture: pdf.js has no bound. Changes the bytes.
 * Blanks are no header of zlib, do not grow as run lengths, and end LZW with their third code.
 * @throws UnreadableFile if all streams together are too large
 */
export function withoutBombs(bytes: Uint8Array): Uint8Array {
  let total = 0;
  for (const { dictionary, start, end } of streamsOf(bytes)) {
    const data = bytes.subarray(start, end);
    const size = PICTURE.test(dictionary) ? null : unzippedSize(data, dictionary);
    if (size === null) data.fill(BLANK);
    total += size ?? 0;
    if (total > MAX_TOTAL_BYTES)
      throw new UnreadableFile("The PDF is larger than 256 MB when it is unzipped. Split it into parts.");
  }
  return bytes;
}

type Stream = { dictionary: string; start: number; end: number };

/** Whatever follows the word "stream", up to the next "endstream". */
function* streamsOf(bytes: Uint8Array): Generator<Stream> {
  let before = 0;
  let end = 0;
  for (let at = find(bytes, "stream", 0); at !== -1; at = find(bytes, "stream", at + 1)) {
    const from = Math.max(before, at - MAX_DICTIONARY_BYTES);
    before = at;
    if (startsWith(bytes, "end", at - 3)) continue;
    const start = dataStart(bytes, at);
    // Searched once for all streams before it.
    if (end < start) end = find(bytes, "endstream", start);
    if (end === -1) end = bytes.length;
    const dictionary = new TextDecoder("latin1").decode(bytes.subarray(from, at));
    yield { dictionary: unescapeNames(dictionary.slice(dictionary.lastIndexOf("obj") + 1)), start, end };
  }
}

/** After the line end that follows the word "stream". */
function dataStart(bytes: Uint8Array, word: number): number {
  const start = word + "stream".length;
  if (bytes[start] === 0x0d) return bytes[start + 1] === 0x0a ? start + 2 : start + 1;
  return bytes[start] === 0x0a ? start + 1 : start;
}

/** Names may be written with codes: /Fl#61te is /Flate. */
function unescapeNames(dictionary: string): string {
  return dictionary.replace(/#([0-9a-f]{2})/gi, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)));
}

/** Null for a stream that must not be read. */
function unzippedSize(data: Uint8Array, dictionary: string): number | null {
  if (OLD_COMPRESSION.test(dictionary) && data.length > MAX_OLD_BYTES) return null;
  if (ASCII85.test(dictionary) && data.length > MAX_STREAM_BYTES / 4) return null;
  const zipped = ASCII85.test(dictionary) ? decodeAscii85(data) : data;
  const states = createStateCounter();
  if (!hasZlibHeader(zipped)) return states(zipped) > MAX_SAVED_STATES ? null : zipped.length;
  return sizeOfZlib(zipped, states);
}

function sizeOfZlib(zipped: Uint8Array, states: (bytes: Uint8Array) => number): number | null {
  let size = 0;
  let isRefused = false;
  const unzlib = new Unzlib((part) => {
    // Zipped twice, it would have to be unzipped twice to know its size.
    if (size === 0 && hasZlibHeader(part)) isRefused = true;
    size += part.length;
    if (size > MAX_STREAM_BYTES || states(part) > MAX_SAVED_STATES) isRefused = true;
  });
  try {
    for (let at = 0; at < zipped.length && !isRefused; at += STEP_BYTES) unzlib.push(zipped.subarray(at, at + STEP_BYTES));
  } catch {
    // Broken data: the parser reads as much of it as was read here.
  }
  return isRefused ? null : size;
}

function hasZlibHeader(bytes: Uint8Array): boolean {
  const [first = 0, second = 0] = bytes;
  return bytes.length > 2 && (first & 0x0f) === 8 && ((first << 8) | second) % 31 === 0;
}

/** Counts how many states are saved (q) and not restored (Q), over the parts of a stream: the most so far. */
function createStateCounter(): (bytes: Uint8Array) => number {
  let depth = 0;
  let deepest = 0;
  let isWordStart = true;
  return (bytes) => {
    for (let at = 0; at < bytes.length; at++) {
      const byte = bytes[at] ?? 0;
      const isSpace = byte <= 0x20;
      if (isWordStart && byte === 0x71) deepest = Math.max(deepest, ++depth);
      else if (isWordStart && byte === 0x51 && depth > 0) depth--;
      isWordStart = isSpace;
    }
    return deepest;
  };
}

function find(bytes: Uint8Array, word: string, from: number): number {
  const first = word.charCodeAt(0);
  for (let at = bytes.indexOf(first, from); at !== -1; at = bytes.indexOf(first, at + 1))
    if (startsWith(bytes, word, at)) return at;
  return -1;
}

function startsWith(bytes: Uint8Array, word: string, at: number): boolean {
  for (let i = 0; i < word.length; i++) if (bytes[at + i] !== word.charCodeAt(i)) return false;
  return true;
}
