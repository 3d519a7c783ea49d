import { inAnyLanguage } from "#core/language/patterns";

const JOINTS = inAnyLanguage(({ conjunctions, spaced }) => (spaced ? conjunctions : undefined));
/** A redacted stretch with the word that joined it to what is left: "████ and my address is …". */
const REDACTED = new RegExp(`(?:\\s(?:${JOINTS.source})\\s)?\u2588+(?:[\\s,;]{0,3}(?:${JOINTS.source})(?=\\s))?`, "giu");

/** The text with an end of a sentence in place of what was redacted, so that what is left is read by itself; offsets stay. */
export function withoutRedacted(text: string): string {
  return text.replace(REDACTED, (found) => ".".padEnd(found.length));
}
