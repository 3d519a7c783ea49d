import { normalizeText } from "#core/text/normalize";

/** The text in lower case, in the same length: offsets of what patterns find in it are offsets into the text. */
export function lowerCase(text: string): string {
  const lower = text.toLowerCase();
  return lower.length === text.length ? lower : text;
}

/** The text in lower case and without accents, in the same length. */
export function toNormalizedText(text: string): string {
  return lowerCase(text.replace(/[\u00c0-\u024f]/g, (letter) => normalizeText(letter, "NFD").charAt(0)));
}
