/** Marks of one letter that are kept, as in the Stream-Safe Text Format (UAX #15, section 13): no language writes more. */
const MOST_MARKS = 30;
const NOT_ASCII = /[^\0-\x7f]/;
/** Combining marks, and the two Japanese ones of half width that become such. */
const TOO_MANY = new RegExp(String.raw`([\p{M}\uff9e\uff9f]{${MOST_MARKS}})[\p{M}\uff9e\uff9f]+`, "gu");

/**
 * A Unicode normalization form of a text. Engines order the marks of one letter in time by the square of their number, so marks beyond the
 * thirtieth in a row are left out.
 */
export function normalizeText(text: string, form: "NFC" | "NFD" | "NFKC"): string {
  return NOT_ASCII.test(text) ? text.replace(TOO_MANY, "$1").normalize(form) : text;
}

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

const HAN = /^[\u4e00-\u9fff]+$/;

/** Lower case without diacritics. Vowel signs of Thai, Indic scripts and kana are letters, not diacritics, and stay. */
export function fold(word: string): string {
  if (HAN.test(word)) return word;
  const lower = word.toLowerCase();
  if (!NOT_ASCII.test(lower)) return lower;
  const plain = lower.replace(FOLDED_LETTERS, (letter) => LETTERS[letter] ?? letter);
  return normalizeText(plain, "NFD")
    .replace(COMBINING_MARKS, "")
    .normalize("NFC")
    .replace(HEBREW_POINTS, "")
    .replace(ARABIC_MARKS, "");
}

/**
 * A person's name as it is looked up: NFKC, folded as words of the index are (case, width, accents), with everything that is no
 * letter or digit as one blank. "José", "JOSE" and "jose" are one key; names of any script keep their letters. "" for a name without one.
 */
export function nameKey(name: string): string {
  return (normalise(name).match(/[\p{L}\p{N}\p{M}]+/gu) ?? []).map(fold).join(" ");
}

/** Lone surrogates have no UTF-8, and SQL's text functions stop at NUL: both become U+FFFD, which keeps every offset. */
export function storable(text: string): string {
  return text.toWellFormed().replaceAll("\0", "\uFFFD");
}

/** Whether the label of a message is one of a user's own names. A label without a letter or digit has to be written the same. */
export function isOwnLabel(label: string, names: readonly string[]): boolean {
  const key = nameKey(label);
  return key === "" ? names.includes(label) : names.some((name) => nameKey(name) === key);
}
