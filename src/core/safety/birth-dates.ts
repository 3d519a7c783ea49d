import { anyCase } from "#core/text/any-case";
import { compact, type Occurrence, occurrences, WORD_END, WORD_START } from "./labelled.ts";

/** Years in which living people were born; an older date is history. */
const YEAR = "(?:19|20)\\d{2}";
const DAY = "(?:0?[1-9]|[12]\\d|3[01])";
const MONTH_WORD = "\\p{L}[\\p{L}\\p{M}]{2,14}\\.?";
const DATE = [
  `${YEAR}\\s?[年년]\\s?\\d{1,2}\\s?[月월]\\s?\\d{1,2}\\s?[日일]?`,
  "(?:昭和|平成|令和|大正)\\s?(?:\\d{1,2}|元)年\\s?\\d{1,2}月\\s?\\d{1,2}日",
  `${YEAR}[-./]\\d{1,2}[-./]\\d{1,2}`,
  `\\d{1,2}(?:[./-]\\s?)\\d{1,2}(?:[./-]\\s?)(?:${YEAR}|\\d{2})`,
  `${DAY}(?:\\.|\\.?º|er|st|nd|rd|th|-?го|a)?(?:\\s(?:de|of|del|d'))?[\\s-]${MONTH_WORD},?(?:\\s(?:de|of|del))?[\\s-]${YEAR}`,
  `${MONTH_WORD}\\s(?:the\\s)?${DAY}(?:st|nd|rd|th)?,?\\s${YEAR}`,
].join("|");

const BEFORE = [
  "born|birth\\s?da(?:y|te)|date\\s+of\\s+birth|d\\.?\\s?o\\.?\\s?b\\.?|b\\.(?=\\s?\\d)",
  "geboren|geb\\.|geburtsdatum|geburtstag|geboortedatum|geb\\.?datum",
  "né\\s?\\(e\\)|née?|date\\s+de\\s+naissance|naissance",
  "nacid[oa]s?|nací|nació|fecha\\s+de\\s+nacimiento|f\\.\\s?nac\\.?|cumpleaños",
  "(?-i:[Nn]at[oaie])(?=\\s+(?:il|a|in|nel)\\s|\\s+l'|\\s\\d)|data\\s+di\\s+nascita|nascid[oa]s?|nasci|nasceu|data\\s+de\\s+nascimento",
  "urodz(?:ony|ona|ił(?:am|em|a)?|iłem|iłam)(?:\\s+się)?|ur\\.|dat[aęy]\\s+urodzenia",
  "född|fødd?|födelsedatum|födelsedag|fødselsdato|syntynyt|syntymäaika|personfödd",
  "родил(?:ся|ась|ись)|дат[аыу]\\s+рождения|день\\s+рождения|рожден\\p{L}{0,12}(?!\\p{L})|народи(?:вся|лася)|дата\\s+народження",
  "出生日期|出生于|出生於|出生|生日|生年月日|誕生日|생년월일|생일",
  "जन्म\\s?(?:तिथि|दिन|तारीख)|जन्म|تاريخ\\s+(?:ال)?ميلاد\\p{L}{0,12}(?!\\p{L})|تاريخ\\s+ميلادي|ولدت|مواليد|ولد",
  "doğum\\s+(?:tarih|gün)\\p{L}{0,12}(?!\\p{L})|narozen\\p{L}{0,12}(?!\\p{L})|datum\\s+narození|született|született|születés\\p{L}{0,12}(?!\\p{L})|născut[ăa]?|ngày\\s+sinh|γεννήθηκ\\p{L}{0,12}(?!\\p{L})|ημερομηνία\\s+γέννησης",
].join("|");
const LINKS =
  "is|was|on|the|am|den|der|ist|war|le|est|el|día|es|fue|il|è|em|no|dia|op|is\\s+op|w\\s+dniu|dnia|to|är|года|это|是|为|為|在|は|は、|은|는|이|가|है|को|هو|في|عام|om|my|his|her|was\\s+on|falls\\s+on";
const WEEKDAY = "\\p{L}{3,12}(?:day|tag)|\\p{L}{2,4}\\.";
const PLACE = "(?:in|at|à|en|a|w|we|i|в|em|te)\\s(?-i:\\p{Lu})[\\p{L}\\p{M}'.-]*(?:,?\\s(?-i:\\p{Lu})[\\p{L}\\p{M}'.-]*){0,2}";
const GAP = `(?:[\\s:：=(),-]{0,3}(?:${LINKS}|${PLACE}|${WEEKDAY})(?![\\p{Script=Latin}\\p{Script=Cyrillic}])){0,4}[\\s:：=(),]{0,3}`;

const AFTER =
  "geboren|geb\\.|born|née?(?!\\p{L})|nacid[oa]|nat[oa](?!\\p{L})|生まれ|出生|に生|생|태어|को\\s+(?:हुआ|जन्म|पैदा)|tarihinde\\s+doğ\\p{L}{0,12}(?!\\p{L})|doğumlu\\p{L}{0,12}(?!\\p{L})|(?:is|was|ist|es|est|è|är|は|是)\\s(?:(?:my|his|her|mein|mi|mon|il\\s+mio|min)\\s)?(?:\\p{L}{1,12}(?!\\p{L})'s\\s)?(?:birthday|birth\\s?date|date\\s+of\\s+birth|dob|geburtstag|geburtsdatum|cumpleaños|anniversaire|compleanno|födelsedag|誕生日|生日)";

const LABEL_FIRST = new RegExp(anyCase(`${WORD_START}(?:${BEFORE})${GAP}(?<value>${DATE})${WORD_END}`), "dgu");
const DATE_FIRST = new RegExp(
  anyCase(
    `${WORD_START}(?<value>${DATE})(?:\\s(?:г\\.|года))?,?\\s?(?:(?:I|he|she|we)\\s(?:was|were)\\s)?(?:(?:in|à|en|a)\\s(?-i:\\p{Lu})[\\p{L}-]+\\s)?(?:${AFTER})`,
  ),
  "dgu",
);

/** A full date that the text calls a birth. Neither a birthday without its year nor a year alone counts. */
export function findBirthDates(text: string): Occurrence[] {
  return [LABEL_FIRST, DATE_FIRST].flatMap((pattern) =>
    occurrences(pattern, text, ({ groups = {} }) => compact(groups.value ?? "")),
  );
}
