import { normalizeText } from "./normalize-text.ts";

const NOT_ASCII = /[^\0-\x7f]/;
const COMBINING_MARKS = /[\u0300-\u036f]+/g;
const HEBREW_POINTS = /[\u0591-\u05bd\u05bf\u05c1\u05c2\u05c4\u05c5\u05c7]+/g;
const ARABIC_MARKS = /[\u0610-\u061a\u0640\u064b-\u065f\u0670\u06d6-\u06ed]+/g;
const INVISIBLE = /\p{Default_Ignorable_Code_Point}+/gu;

/** Letters that NFD does not take apart, in their usual Latin transcription; and Arabic letters of one sound. */
const LETTERS: Readonly<Record<string, string>> = {
  ß: "ss",
  æ: "ae",
  œ: "oe",
  ø: "o",
  đ: "d",
  ð: "d",
  ħ: "h",
  ı: "i",
  ł: "l",
  þ: "th",
  ς: "σ",
  أ: "ا",
  إ: "ا",
  آ: "ا",
  ٱ: "ا",
  ى: "ي",
  ی: "ي",
  ک: "ك",
  ة: "ه",
};
const FOLDED_LETTERS = new RegExp(`[${Object.keys(LETTERS).join("")}]`, "g");
const EASTERN_DIGITS = /[\u0660-\u0669\u06f0-\u06f9]/g;

/** NFKC without invisible characters, and with Thai and Lao "am" kept as the one letter that dictionaries know. */
export function normalise(text: string): string {
  if (!NOT_ASCII.test(text)) return text;
  return normalizeText(text, "NFKC")
    .replace(INVISIBLE, "")
    .replaceAll("\u0e4d\u0e32", "\u0e33")
    .replaceAll("\u0ecd\u0eb2", "\u0eb3")
    .replace(/[\u2018\u2019\u02bc\u00b4]/g, "'")
    .replace(/[\u2010\u2011]/g, "-")
    .replace(EASTERN_DIGITS, (digit) => String(digit.charCodeAt(0) & 15));
}

/** Lower case without diacritics. Vowel signs of Thai, Indic scripts and kana are letters, not diacritics, and stay. */
export function fold(word: string): string {
  const lower = word.toLowerCase();
  if (!NOT_ASCII.test(lower)) return lower;
  const plain = lower.replace(FOLDED_LETTERS, (letter) => LETTERS[letter] ?? letter);
  return normalizeText(plain, "NFD")
    .replace(COMBINING_MARKS, "")
    .normalize("NFC")
    .replace(HEBREW_POINTS, "")
    .replace(ARABIC_MARKS, "");
}
