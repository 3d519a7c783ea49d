import { modulo97, passesLuhn } from "./card-numbers.ts";
import { compact, identityOf, labelled, type Occurrence, occurrences, WORD_END, WORD_START } from "./labelled.ts";

const BANK =
  "bank\\s+account|(?:checking|savings|current|salary)\\s+account|account\\s+(?:no|number|#)|acct|a/c|routing|sort\\s+code|kontonummer|konto-?nr|bankverbindung|konto(?=\\s+(?:nr|nummer|is|ist|hat|:))|bankkonto|numéro\\s+de\\s+compte|compte\\s+bancaire|\\brib|(?:número|num|n\\.?\\s?[º°])\\s+de\\s+cuenta|cuenta\\s+(?:bancaria|corriente|de\\s+ahorros)|clabe|cbu|conta\\s+(?:corrente|bancária|poupança)|número\\s+da\\s+conta|conto\\s+(?:corrente|bancario)|numero\\s+di\\s+conto|rekeningnummer|bankrekening|numer\\s+(?:konta|rachunku)|rachunek\\s+bankowy|bankkonto|расч[её]тный\\s+сч[её]т|номер\\s+сч[её]та|сч[её]т(?=\\s+№)|р/с|лицевой\\s+сч[её]т|银行卡|银行账户|账号|帳號|賬號|口座|계좌|बैंक\\s+खाता|खाता|खाते|(?:رقم\\s+)?(?:ال)?حساب\\p{L}{0,12}(?!\\p{L})|hesap(?=\\s+n)";
const TAX =
  "tax\\s+(?:id(?:entification)?|number|no|reference|account)|taxpayer|(?-i:TIN|UTR|EIN|ABN|NIP)|vat\\s+(?:id|no|number|registration)|gstin|steuernummer|steuer-?nr|st\\.-?nr\\.?|ust-?id(?:-?nr)?|numéro\\s+fiscal|référence\\s+fiscale|número\\s+fiscal|partita\\s+iva|p\\.\\s?iva|btw-?nummer|税号|納税者番号";
const CUSTOMER =
  "(?:customer|client|account|policy|member|membership|subscriber|frequent\\s+flyer|insurance|meter|loyalty)\\s+(?:id|no|number|account|#)|kundennummer|kunden-?nr|kundenkonto|mitgliedsnummer|mitglieds-?nr|vertragsnummer|versicherungsnummer|versichertennummer|vertragskonto|(?:numéro\\s+(?:de\\s+)?|n[º°]\\s?)(?:client|adhérent|abonné|contrat|sociétaire)|(?:número|n\\.?\\s?[º°])\\s+de\\s+(?:cliente|socio|póliza|contrato|afiliado)|(?:codice|numero)\\s+(?:cliente|polizza|tessera)|número\\s+d[eo]\\s+(?:cliente|sócio|apólice|contrato)|klantnummer|klantnr|polisnummer|numer\\s+(?:klienta|polisy)|kundnummer|kundenr|номер\\s+(?:клиента|договора|полиса|счетчика)|客户号|客户编号|会员号|会員番号|お客様番号|顧客番号|契約番号|証券番号|고객번호|ग्राहक|müşteri\\s+n\\p{L}{1,12}(?!\\p{L})|رقم\\s+العميل";
const ACCOUNT_CODE =
  "[A-Z]{0,5}[\\s-]?\\d[A-Z0-9]{0,24}(?:(?:[\\s./-](?-i:[A-Z]{1,3}))?[\\s./-](?=[A-Z]{0,6}\\d)[A-Z0-9]{1,20}){0,8}";
const STATED = labelled(`${BANK}|${TAX}|${CUSTOMER}`, ACCOUNT_CODE);
const SORT_CODE = new RegExp(`${WORD_START}sort\\s?code[\\s:is]{0,5}(?<value>\\d{2}-\\d{2}-\\d{2})${WORD_END}`, "dgiu");

const IBAN = new RegExp(`${WORD_START}(?<value>[A-Z]{2}\\d{2}(?: ?[A-Z0-9]{4}){2,7}(?: ?[A-Z0-9]{1,4})?)${WORD_END}`, "dgu");
const LOWER_IBAN = new RegExp(
  `${WORD_START}(?<value>[a-z]{2}\\d{2}(?: ?[a-z0-9]{4}){2,7}(?: ?[a-z0-9]{1,4})?)${WORD_END}`,
  "dgu",
);

const CARD = new RegExp(
  `${WORD_START}(?<![.,/+-])(?<value>\\d{4}[ -]\\d{4}[ -]\\d{4}[ -]\\d{1,7}|3\\d{3}[ -]\\d{6}[ -]\\d{4,5}|\\d{13,19})${WORD_END}`,
  "dgu",
);
/** One repeated digit is no card number, though it may pass the Luhn check. */
const ONE_DIGIT = /^(\d)\1*$/;
/** Ranges of the networks by ISO/IEC 7812: Mastercard, Visa, American Express, Discover, JCB, Diners, UnionPay, Maestro, Mir, RuPay. */
const CARD_RANGE = /^(?:5[0-8]|4|3[4-9]|6|2[2-7]|81)/;
const ABOUT_CARDS =
  /card|visa|mastercard|amex|debit|credit|karte|tarjeta|carte|carta|cartão|kaart|karta|kort|карт|卡|カード|카드|कार्ड|بطاقة|kart/iu;

/** IBANs and payment cards by their check digits; bank, tax and customer accounts where the text says that the number is one. */
export function findAccountNumbers(text: string): Occurrence[] {
  return [
    ...ibans(IBAN, text),
    ...ibans(LOWER_IBAN, text),
    ...occurrences(CARD, text, cardIdentity),
    ...occurrences(SORT_CODE, text),
    ...STATED.flatMap((pattern) => occurrences(pattern, text, statedIdentity)),
  ];
}

/** The pattern may match into the next word in capitals, so shorter readings are tried, each to a border between groups. */
function ibans(pattern: RegExp, text: string): Occurrence[] {
  return occurrences(pattern, text).flatMap(({ start, end }) => {
    for (let until = end; until - start >= 15; until--) {
      if (until < end && !/\s/.test(text.charAt(until))) continue;
      const identity = compact(text.slice(start, until));
      if (isIban(identity)) return [{ start, end: until, identity }];
    }
    return [];
  });
}

/** ISO 13616: 15 to 34 characters whose number, with the first four moved to the end and A as 10, is 1 mod 97. */
function isIban(value: string): boolean {
  if (value.length < 15 || value.length > 34) return false;
  return modulo97(value.slice(4) + value.slice(0, 4)) === 1;
}

function cardIdentity(match: RegExpExecArray): string | undefined {
  const digits = identityOf(match);
  if (!CARD_RANGE.test(digits) || digits.length < 13 || !passesLuhn(digits) || ONE_DIGIT.test(digits)) return undefined;
  const near = match.input.slice(Math.max(0, match.index - 60), match.index + match[0].length + 30);
  return /\D/.test(match[0]) || ABOUT_CARDS.test(near) ? digits : undefined;
}

function statedIdentity(match: RegExpExecArray): string | undefined {
  const value = match.groups?.value ?? "";
  const digits = value.match(/\d/g)?.length ?? 0;
  if (digits < 5 || /^\d{1,2}[./-]\d{1,2}[./-](?:19|20)?\d{2}$|^(?:19|20)\d{2}[./-]\d{1,2}[./-]\d{1,2}$/.test(value))
    return undefined;
  return identityOf(match);
}
