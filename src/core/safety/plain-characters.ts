const NOT_ASCII = /[^\0-\x7f]/;
const FULL_WIDTH = /[\uff01-\uff5e]/g;
const DIGITS = /[\u0660-\u0669\u06f0-\u06f9\u0966-\u096f]/g;
const SPACES = /[\u00a0\u2000-\u200a\u202f\u3000]/g;
const HYPHENS = /[\u2010-\u2015\u2212]/g;

/** Digits, spaces, hyphens, primes and full-width forms as their ASCII twins, unit for unit: offsets into the result are offsets into the text. */
export function plainCharacters(text: string): string {
  if (!NOT_ASCII.test(text)) return text;
  return text
    .replace(FULL_WIDTH, (form) => String.fromCharCode(form.charCodeAt(0) - 0xfee0))
    .replace(DIGITS, (digit) => String(digitValue(digit.charCodeAt(0))))
    .replace(SPACES, " ")
    .replace(HYPHENS, "-")
    .replace(/[\u2018\u2019\u02bc\u2032]/g, "'")
    .replace(/[\u201c\u201d\u2033]/g, '"');
}

function digitValue(code: number): number {
  return code >= 0x966 ? code - 0x966 : code & 15;
}
