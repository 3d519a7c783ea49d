import { fold } from "#core/text/normalize";

/** From two on: "one", "ein" and "un" are articles too. */
const NUMBER_WORDS: readonly string[] = [
  "two zwei dos deux",
  "three drei tres trois",
  "four vier cuatro quatre",
  "five funf cinco cinq",
  "six sechs seis",
  "seven sieben siete sept",
  "eight acht ocho huit",
  "nine neun nueve neuf",
  "ten zehn diez dix",
  "eleven elf once onze",
  "twelve zwolf doce douze",
];
const VALUES = new Map(NUMBER_WORDS.flatMap((words, i) => words.split(" ").map((word) => [word, i + 2] as const)));
/** Words of another language that are no numbers in English: "once a week", "Sept 4". */
const AMBIGUOUS = new Set(["once", "sept", "elf", "dix"]);
const HAN_VALUES = new Map([..."二三四五六七八九"].map((character, i) => [character, i + 2] as const)).set("两", 2);

/** The numbers from 2 to 12 in a text, as digits or as words of five languages; larger ones are compared by their digits. */
export function numberValues(text: string): Set<number> {
  const values = new Set<number>();
  for (const word of fold(text).match(/\p{L}+|\d+/gu) ?? []) {
    const value = AMBIGUOUS.has(word)
      ? undefined
      : (VALUES.get(word) ?? (/^(?:\d|1[0-2])$/.test(word) ? Number(word) : undefined));
    if (value !== undefined && value > 1) values.add(value);
    for (const character of /\p{Script=Han}/u.test(word) ? word : "") {
      const han = HAN_VALUES.get(character);
      if (han !== undefined) values.add(han);
    }
  }
  return values;
}
