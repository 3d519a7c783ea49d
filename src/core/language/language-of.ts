/** Scripts by which languages differ; kana and Han count as one, because Japanese uses both. */
const SCRIPTS = {
  latin: /\p{Script=Latin}/gu,
  cyrillic: /\p{Script=Cyrillic}/gu,
  greek: /\p{Script=Greek}/gu,
  arabic: /\p{Script=Arabic}/gu,
  hebrew: /\p{Script=Hebrew}/gu,
  han: /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/gu,
  hangul: /\p{Script=Hangul}/gu,
  devanagari: /\p{Script=Devanagari}/gu,
  thai: /\p{Script=Thai}/gu,
} as const;

/** The most frequent words of each language; a word of several languages is listed in each. */
const FUNCTION_WORDS: Readonly<Record<string, string>> = {
  en: "the a an in as and is are was i my me of to for with that have has he she they we you it's i'm not but at on his her their from been would",
  de: "der die das in an am und ist sind ich mein meine meinem meinen nicht mit auf für ein eine einen einem von zu im wir wird hat habe bin sehr auch bei keinen keine lieber",
  es: "el la los las y es son yo mi mis no con para una un a que de en por como pero muy está tengo soy me gusta vivo su del al se lo",
  fr: "le la les et est sont je mon ma mes ne pas avec pour un une à a de des que en dans sur au aux du mais très j'ai suis il elle nous vous c'est",
  it: "il la lo a gli e è sono io mio mia non con per una un che di in del della ma molto ho mi piace lo nel anche questo",
  pt: "o a os as se no e é são eu meu minha não com para uma um que de em do da mas muito tenho sou gosto moro ele ela na no",
  nl: "de het in en is zijn ik mijn niet met voor een van op dat die maar heel heb ben ook bij naar wij geen graag",
};

const WORDS_OF = Object.entries(FUNCTION_WORDS).map(([language, words]) => ({ language, words: new Set(words.split(" ")) }));

/** The share of its letters from which a script counts as used in a text. */
const USED_SHARE = 0.2;
const MIN_LETTERS = 3;

/** The scripts of a text, and its language if that is certain. */
export type LanguageProfile = { scripts: readonly { name: string; letters: number; share: number }[]; language: string | null };

export function languageProfile(text: string): LanguageProfile {
  return { scripts: scriptsOf(text), language: languageOf(text) };
}

/** Whether `content` is certainly in another language than what was said. Languages of one script count as different only if both are certain. */
export function isOtherLanguage(content: string, said: LanguageProfile): boolean {
  const script = scriptsOf(content)[0];
  if (script === undefined || script.letters < MIN_LETTERS) return false;
  const used = said.scripts.filter(({ share }) => share >= USED_SHARE);
  if (used.length > 0 && !used.some(({ name }) => name === script.name)) return true;
  const language = script.name === "latin" ? languageOf(content) : null;
  return language !== null && said.language !== null && language !== said.language;
}

function scriptsOf(text: string): LanguageProfile["scripts"] {
  const counts = Object.entries(SCRIPTS).map(([name, letter]) => ({ name, letters: text.match(letter)?.length ?? 0 }));
  const all = counts.reduce((sum, { letters }) => sum + letters, 0);
  return counts
    .filter(({ letters }) => letters > 0)
    .map((count) => ({ ...count, share: count.letters / all }))
    .sort((a, b) => b.letters - a.letters);
}

/** The language with the most function words; null for fewer than two, and for a tie. */
export function languageOf(text: string): string | null {
  const spoken =
    text
      .toLowerCase()
      .replace(/’/g, "'")
      .match(/[\p{L}']+/gu) ?? [];
  const ranked = WORDS_OF.map(({ language, words }) => ({
    language,
    hits: spoken.filter((word) => words.has(word)).length,
  })).sort((a, b) => b.hits - a.hits);
  const [first, second] = ranked;
  if (first === undefined || first.hits < 2 || first.hits === second?.hits) return null;
  return first.language;
}
