/** The form in which a noun is compared, equal in singular and plural. */
export function spanishPlural(word: string): string {
  if (/s$/.test(word)) return word;
  if (/z$/.test(word)) return `${word.slice(0, -1)}ces`;
  return /[aeiou]$/.test(word) ? `${word}s` : `${word}es`;
}
