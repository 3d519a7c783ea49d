import { stemGerman } from "#core/text/analyse";
import { fold } from "#core/text/normalize";

/** German singulars whose stems lose a letter, because the stemmer takes it for an ending. */
const GERMAN_WORDS: ReadonlyMap<string, string> = new Map(
  "farbe haustier sprache serie blume marke speise kneipe pflanze beere suppe soße reise insel sänger künstler essen kuchen garten rolle figur schule katze jacke hose schuhe tasche rasse eissorte obstsorte sorte sache"
    .split(" ")
    .map((word): [string, string] => [stemTwice(fold(word)), fold(word)]),
);

/** The form in which a noun is compared, equal in singular and plural. */
export function germanForm(word: string): string {
  const stem = stemTwice(word);
  const known = [...GERMAN_WORDS].find(([of]) => stem === of || (of.length > 4 && stem.endsWith(of)));
  return known === undefined ? stem : stem.slice(0, -known[0].length) + known[1];
}

/** The stem of the plural is reached after one step, that of a singular in "er" or "el" after two. */
function stemTwice(word: string): string {
  return stemGerman(stemGerman(word));
}
