/**
 * Words by which a speaker means themselves alone. Only those that are nothing else in another language: a wrong subject may hear
 * what it should not, while one that is missing is only not told. "I" is a numeral after a name ("World War I", "Elizabeth I").
 */
const FIRST_PERSON = new RegExp(
  [
    "(?:^|[^\\p{L}\\p{N}.])I(?:['’](?:m|ve|ll|d))?(?=\\s+\\p{Ll})",
    "(?<![\\p{L}\\p{N}.@_-])(?:[Mm]e|[Mm]y|[Mm]yself)(?![\\p{L}\\p{N}_-])",
    "(?<!\\p{L})(?:[Ii]ch|[Mm]ich|[Mm]ir|[Mm]ein(?:e[mnrs]?)?|[Jj]e|[Jj]['’]\\p{Ll}+|[Yy]o|[Яя]|[Мм]еня|[Мм]не|[Мм]о[йяёи])(?![\\p{L}\\p{N}_-])",
    "我|私|僕|俺|ฉัน|ผม|أنا",
  ].join("|"),
  "u",
);
const NUMERAL = /\p{Lu}[\p{L}\p{M}]{0,40}\s{1,8}I(?=\s|$)/gu;

/** Whether who says this speaks of themselves. */
export function isFirstPerson(text: string): boolean {
  return FIRST_PERSON.test(text.replace(NUMERAL, " "));
}
