import { anyCase } from "#core/text/any-case";
/** The offsets of an identifier, and a text that is equal for two mentions of the same one. */
export type Occurrence = { start: number; end: number; identity: string };

/** The borders of a word in scripts with spaces. Han, kana, Arabic and Indic words may touch the identifier. */
export const WORD_START = "(?<![\\p{Script=Latin}\\p{Script=Cyrillic}\\p{Script=Greek}\\p{N}_])";
export const WORD_END = "(?![\\p{Script=Latin}\\p{Script=Cyrillic}\\p{Script=Greek}\\p{N}_])";

/** The only words allowed between "passport" and its number. */
const CONNECTORS = [
  "numbers?|numb?|nos?\\.?|nr\\.?|nbr|num\\.?|card|code|id|is|was|it's|are|my|the|of|for|our|his|her|new|old|s|us|uk|indian|german|british|canadian|american|australian|with|\\p{L}{1,20}'s",
  "s?nummer|nummern|lautet|ist|hat|die|der|das|meine?|ausweis|karte|bei|von",
  "num[ée]ros?|n[°º]\\.?|est|le|la|mon|ma|du|de|d'|carte",
  "n[úu]meros?|n[úu]m\\.?|es|el|mi|del|da|do|é|meu|minha|o|a|della|il|mio|mia|è|di",
  "nummeret|numret|är|er|mitt|min|mijn|van|het|numer|numeru|to|jest|mój|moje|moja|o numerze",
  "номер|№|серии|серия|мой|моего|моей|это|и|в|банке",
  "号码|號碼|号|號|是|为|為|的|我|番号|番號|は|が|の|नंबर|संख्या|है|मेरा|का|की|رقم|رقمي|هو|ي|numarası|numaram|num|no|번호|는|은",
].join("|");
/** "with the gas company is": whose number it is, before a verb or a colon. */
const WHOSE =
  "(?:with|at|for|from|of|in|bei|beim|für|von|chez|de|con|en|presso|bij|voor|da|do|hos|w|u|у|в)\\s\\p{L}[\\p{L}.'&-]{0,20}(?:\\s\\p{L}[\\p{L}.'&-]{0,20}){0,3}?(?=\\s?(?::|=|\\s(?:is|was|ist|lautet|est|es|è|é|är|er|to)\\s))";
const SEPARATORS = "[\\s:=#()\"'/-]{0,3}";
export const GAP = `(?:${SEPARATORS}(?:${WHOSE}|${CONNECTORS})){0,6}${SEPARATORS}`;
/** At least one word for "is", where the number comes first. */
const SAID_OF = `[\\s,]{0,2}(?:is|was|ist|est|es|è|é|är|er|to|jest|это|是|は|है|هو|=|-)(?:${SEPARATORS}(?:${CONNECTORS})){0,3}${SEPARATORS}`;

/** Units that make the number a count or measure, which identifies nobody. */
export const COUNTED =
  "(?!\\s?(?:[€$£¥₹%]|(?:eur|euros?|usd|dollars?|pounds?|rupees?|yen|kr|zł|руб|minut\\p{L}*|mins?|hours?|days?|weeks?|months?|years?|people|miles|[kcm]?m|kg|long|wide|high|tall|deep|thick|heavy|old)(?!\\p{L})))";

/** Finds `value` next to one of `labels`: "passport no. is X", "X is my passport number". */
export function labelled(labels: string, value: string): RegExp[] {
  return [
    new RegExp(anyCase(`${WORD_START}(?:${labels})\\.?${GAP}(?<value>${value})${WORD_END}${COUNTED}`), "dgu"),
    new RegExp(anyCase(`${WORD_START}(?<value>${value})${WORD_END}${SAID_OF}${WORD_START}(?:${labels})${WORD_END}`), "dgu"),
  ];
}

/** The occurrences of the group `value`, or of the whole match, without those for which `identify` returns undefined. */
export function occurrences(
  pattern: RegExp,
  text: string,
  identify: (match: RegExpExecArray) => string | undefined = identityOf,
): Occurrence[] {
  const found: Occurrence[] = [];
  for (const match of text.matchAll(pattern)) {
    const [start, end] = match.indices?.groups?.value ?? [match.index, match.index + match[0].length];
    const identity = identify(match);
    if (identity !== undefined) found.push({ start, end, identity });
  }
  return found;
}

export function identityOf(match: RegExpExecArray): string {
  return compact(match.groups?.value ?? match[0]);
}

/** Letters and digits only, in capitals. */
export function compact(value: string): string {
  return value.replace(/[^\p{L}\p{N}]/gu, "").toUpperCase();
}
