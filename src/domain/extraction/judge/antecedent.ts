import { tokensOf } from "#core/language/tokens";

/** Third persons that somebody before them is meant by; words that are also articles or fillers in another language are left out. */
const PRONOUN: ReadonlySet<string> = new Set(
  "he she him her his hes shes he's she's they them theyre they're er ihn ihm il elle elles ils ella ellos ellas 他 她 他们 她们".split(
    " ",
  ),
);
/** Words of a clause that may be whom a pronoun means. */
const NAMING: ReadonlySet<string> = new Set(["kin", "pet", "Name"]);
/** Behind so many words, a pronoun in a statement means somebody of the statement itself. */
const HEAD_TOKENS = 6;

/** Whether the statement begins with "he" or "she" and says nowhere who that is. */
export function lacksAntecedent(text: string): boolean {
  const tokens = tokensOf(text);
  return tokens.slice(0, HEAD_TOKENS).some(({ word }) => PRONOUN.has(word)) && !tokens.some(({ name }) => NAMING.has(name));
}

/** Whether a clause names a person or an animal. */
export function namesSomebody(text: string): boolean {
  return tokensOf(text).some(({ name }) => NAMING.has(name));
}
