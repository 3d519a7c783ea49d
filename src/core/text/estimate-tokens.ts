const DENSE = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/gu;
const OTHER = /[^\0-\u024f\u1e00-\u1eff\u2000-\u206f]/gu;

/**
 * An estimate of the tokens a language model counts: a quarter of the characters in Latin script, one for each Han, kana
 * or Hangul character, a half for each of any other script. Real tokenizers differ by a third either way.
 */
export function estimateTokens(text: string): number {
  const dense = text.match(DENSE)?.length ?? 0;
  const other = (text.match(OTHER)?.length ?? 0) - dense;
  return Math.ceil((text.length - dense - other) / 4 + dense + other / 2);
}
