import { anyCase } from "#core/text/any-case";
import { compact, identityOf, labelled, type Occurrence, occurrences, WORD_END, WORD_START } from "./labelled.ts";
import { NATIONAL_IDS } from "./national-ids.ts";

/** The distance between a national id and the word that names it, in UTF-16 units. */
const LABEL_BEFORE = 80;
const LABEL_AFTER = 40;

/** Documents whose numbers have no common check digit: the text must name them. */
const DOCUMENTS = [
  "passports?|reisepass|pass(?=nummer|-?nr)|passeport|pasaporte|passaporto|passaporte|paspoort|paszport\\p{L}{0,12}(?!\\p{L})|pasaport\\p{L}{0,12}(?!\\p{L})|(?:загран)?паспорт\\p{L}{0,12}(?!\\p{L})",
  "护照|護照|パスポート|旅券|여권|पासपोर्ट|جواز\\s?(?:ال)?سفر\\p{L}{0,12}(?!\\p{L})|διαβατήριο|hộ\\s+chiếu",
  "driv(?:er'?s?|ing)\\s+licen[cs]e|licen[cs]e\\s+(?:no|number)|führerschein|permis\\s+de\\s+conduire|(?:carnet|licencia|permiso)\\s+de\\s+conduc\\p{L}{1,12}(?!\\p{L})|patente(?:\\s+di\\s+guida)?|carta\\s+de\\s+condução|(?-i:CNH|CNI|RG)|carteira\\s+de\\s+(?:motorista|habilitação)|rijbewijs|praw[oa]\\s+jazdy|körkort|водительск\\p{L}{1,12}(?!\\p{L})\\s+(?:удостоверени\\p{L}{1,12}(?!\\p{L})|прав\\p{L}{0,12}(?!\\p{L}))|驾照|驾驶证|駕照|運転免許証?|ड्राइविंग\\s+लाइसेंस|رخصة\\s+(?:ال)?قيادة|ehliyet",
  "national\\s+id(?:entity)?|id\\s+card|identity\\s+(?:card|document)|citizen\\s+id|voter\\s+id|personalausweis|ausweis(?=nummer|-?nr)|carte\\s+(?:nationale\\s+)?d'identité|(?:documento|tarjeta|cédula)\\s+(?:nacional\\s+)?de\\s+(?:identidad|ciudadanía)|cédula|carta\\s+d'identità|bilhete\\s+de\\s+identidade|identiteitskaart|id-kaart|dow[óo]d(?:u)?\\s+osobist\\p{L}{1,12}(?!\\p{L})|удостоверени\\p{L}{1,12}(?!\\p{L})\\s+личности|主民登録|بطاقة\\s+(?:ال)?هوية|رقم\\s+(?:ال)?هوية|nric|itin|curp",
  "green\\s+card|alien\\s+(?:registration\\s+)?number|a-number|residence\\s+permit|aufenthaltstitel|titre\\s+de\\s+séjour|visa\\s+(?:no|number)|medicare",
].join("|");
const DOCUMENT_CODE =
  "\\d{4}\\s(?:номер|№)\\s?\\d{6}|[A-Z]{0,5}[\\s-]?\\d[A-Z0-9]{0,16}(?:[\\s.-](?=[A-Z]{0,6}\\d)[A-Z0-9]{1,12}){0,5}";

const NATIONAL_PATTERNS = NATIONAL_IDS.map(({ shape, label, isValid }) => ({
  // Without a label, letters must be capitals.
  pattern: new RegExp(`${WORD_START}(?<![.,/+-])(?<value>${shape})${WORD_END}(?!-?\\d)`, label === undefined ? "dgu" : "dgiu"),
  label: label === undefined ? undefined : new RegExp(anyCase(label), "u"),
  isValid,
}));
const DOCUMENT_PATTERNS = labelled(DOCUMENTS, DOCUMENT_CODE);

/** Passports, licences and national ids that are named; other ids by their check digits. */
export function findGovernmentIds(text: string): Occurrence[] {
  const national = NATIONAL_PATTERNS.flatMap(({ pattern, label, isValid }) =>
    occurrences(pattern, text, (match) => {
      const value = match[0].toUpperCase();
      return isNamed(match, label) && isVaried(value) && isValid(value) ? compact(value) : undefined;
    }),
  );
  const documents = DOCUMENT_PATTERNS.flatMap((pattern) =>
    occurrences(pattern, text, (match) => (isDocumentCode(match.groups?.value ?? "") ? identityOf(match) : undefined)),
  );
  return [...national, ...documents];
}

function isNamed({ index, input, 0: value }: RegExpExecArray, label: RegExp | undefined): boolean {
  if (label === undefined) return true;
  return label.test(input.slice(Math.max(0, index - LABEL_BEFORE), index + value.length + LABEL_AFTER));
}

/** One repeated digit passes many checks and identifies nobody. */
function isVaried(value: string): boolean {
  return new Set(value.match(/\d/g)).size > 1;
}

function isDocumentCode(value: string): boolean {
  const { length } = compact(value);
  const digits = value.match(/\d/g)?.length ?? 0;
  if (/^\d{1,2}[.-]\d{1,2}[.-](?:\d{4}|\d{2})$/.test(value)) return false;
  if (/^(?:19|20)\d\d[-\s]|[-\s](?:19|20)\d\d$/.test(value) && digits <= 8) return false;
  return length >= 6 && length <= 20 && (digits >= 5 || (digits >= 2 && length >= 8 && value === value.toUpperCase()));
}
