/** The form in which a noun is compared, equal in singular and plural. */
export function frenchPlural(word: string): string {
  if (/[sxz]$/.test(word)) return word;
  if (/(?:eau|eu)$/.test(word)) return `${word}x`;
  return /al$/.test(word) ? `${word.slice(0, -1)}ux` : `${word}s`;
}
