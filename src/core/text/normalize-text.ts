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
