const WORDS = new Intl.Segmenter("und", { granularity: "word" });
const HAN_ONLY = /^[\p{Script=Han}々〆]+$/u;
const HAN_START = /^[\p{Script=Han}々〆]+/u;
const KATAKANA = /[\u30a1-\u30f6]/g;
/** Function words, which make no compound with their neighbours. */
const PARTICLES: ReadonlySet<string> = new Set("的了在是我你您他她它们和与或吗呢吧啊也都就很不有这那把被给对");
/** Bounds the segmenter's work on a text without word boundaries. */
const RUN_LENGTH = 4096;
const KANA_SHIFT = 0x60;

/**
 * Words of a run in a script written without spaces, by the Unicode dictionaries (UAX #29, ICU).
 * A Han word also yields its characters (of two) or bigrams (of more), and a single character one with that before it, for the
 * names and compounds that no dictionary has; a Japanese word yields its leading kanji, which inflection leaves alone; katakana become hiragana.
 */
export function segmentRun(run: string): string[] {
  const tokens: string[] = [];
  for (let at = 0; at < run.length; ) {
    const end = safeEnd(run, at + RUN_LENGTH);
    let before = "";
    for (const { segment, isWordLike } of WORDS.segment(run.slice(at, end))) {
      const han = isWordLike === true && HAN_ONLY.test(segment);
      const characters = han ? [...segment] : [];
      if (han) tokens.push(...hanWord(segment, characters));
      else if (isWordLike === true) tokens.push(...inflected(segment));
      const pairs = han && !PARTICLES.has(segment);
      if (pairs && before !== "" && characters.length === 1) tokens.push(before + segment);
      before = pairs ? (characters.at(-1) ?? "") : "";
    }
    at = end;
  }
  return tokens;
}

/** The dictionary often takes two short words for one ("狗叫", "去了"), so a word of two characters yields them too. */
function hanWord(word: string, characters: readonly string[]): string[] {
  return [word, ...(characters.length === 2 ? characters : bigrams(characters))];
}

function inflected(word: string): string[] {
  const stem = HAN_START.exec(word)?.[0];
  const hiragana = word.replace(KATAKANA, (letter) => String.fromCharCode(letter.charCodeAt(0) - KANA_SHIFT));
  const plain = hiragana.length > 3 && hiragana.endsWith("ー") ? hiragana.slice(0, -1) : hiragana;
  return stem === undefined ? [plain] : [plain, stem];
}

/** Overlapping pairs of characters, in place of words where there is no dictionary. */
export function bigrams(characters: readonly string[]): string[] {
  return characters.slice(1).map((character, i) => `${characters[i]}${character}`);
}

function safeEnd(text: string, end: number): number {
  if (end >= text.length) return text.length;
  const unit = text.charCodeAt(end);
  return unit >= 0xdc00 && unit <= 0xdfff ? end - 1 : end;
}
