import { storable } from "#core/text/normalize";
import { checkCharacters } from "./bounds.ts";
import { encodingOf } from "./encoding.ts";
import { UnreadableFile } from "./unreadable-file.ts";

/** Bytes that are decoded at a time, so that a text that is too long is refused before it is in memory twice. */
const STEP_BYTES = 1024 * 1024;
/** A text may hold a stray control character. Where one in fifty is one, it is no text. */
const MOST_CONTROLS = 0.02;
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what it counts.
const CONTROLS = /[\0-\x08\x0e-\x1a\x1c-\x1f\ufffd]/g;

/**
 * The text of a file, with line feeds as its only line ends, and as it can be stored. `declared` is an encoding that the file names.
 * @throws UnreadableFile for what is no text, and for more characters than are read
 */
export function decodeText(bytes: Uint8Array, options: { declared?: string | null; maxCharacters?: number } = {}): string {
  const decoder = new TextDecoder(encodingOf(bytes, options.declared ?? null));
  const parts: string[] = [];
  let characters = 0;
  for (let at = 0; at < bytes.length; at += STEP_BYTES) {
    const part = decoder.decode(bytes.subarray(at, at + STEP_BYTES), { stream: at + STEP_BYTES < bytes.length });
    if (isNoText(part)) throw new UnreadableFile("The file is no text, and of no kind that is known here.");
    characters += part.length;
    checkCharacters(characters, options.maxCharacters);
    parts.push(part);
  }
  return storable(parts.join("")).replace(/\r\n?/g, "\n");
}

function isNoText(part: string): boolean {
  const controls = part.match(CONTROLS)?.length ?? 0;
  return controls > 1 && controls > part.length * MOST_CONTROLS;
}
