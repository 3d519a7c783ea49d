import { type CountryCode, parsePhoneNumberFromString } from "libphonenumber-js/min";
import { type Occurrence, occurrences } from "./labelled.ts";

/** Tried in order for a number without country code; the first country whose plan has the number decides. */
// biome-ignore format: a list
const COUNTRIES: readonly CountryCode[] = [
  "US", "GB", "DE", "FR", "ES", "IT", "NL", "PL", "SE", "BR", "IN", "RU", "CN", "JP", "KR", "MX", "AU", "TR", "PT", "CH", "AT", "BE",
  "IE", "DK", "NO", "FI", "CZ", "GR", "UA", "AR", "CO", "CL", "ZA", "NG", "EG", "SA", "AE", "IL", "PK", "ID", "PH", "SG", "NZ", "TW",
];
/** National numbers that are checked in one text; a memory about a person has fewer. */
const MAX_NATIONAL = 40;

const CANDIDATE =
  /(?<![\p{Script=Latin}\p{Script=Cyrillic}\p{N}$€£¥#])(?<value>(?:\+|\(\+?)?\d(?:[ ()./-]{0,3}\d){6,16})(?![\p{Script=Latin}\p{N}%°]|[.,:]\d|\s?[€$£])/dgu;
const INTERNATIONAL = /^\(?(?:\+|00[1-9])/;

const NORTH_AMERICAN = /^(?:1[ .-])?(?:\([2-9]\d{2}\) ?|[2-9]\d{2}(?:-|\.))[2-9]\d{2}[ .-]\d{4}$/;
/** A trunk zero followed by groups: hardly anything else is written so. */
const TRUNK_ZERO = /^\(?0[1-9]\d{0,4}\)?[ /-][ ()/-]{0,2}\d{1,8}(?:[ ()/-]{1,2}\d{1,6}){0,4}$|^0[1-9](?:\.\d{2}){4}$/;
const DATE_OR_ADDRESS =
  /^\d{1,2}[./-]\d{1,2}[./-]\d{2,4}(?:\s|$)|^(?:19|20)\d{2}[./-]\d{1,2}[./-]|^\d{1,3}(?:\.\d{1,3}){3}$|^\d{1,3}(?:[.,]\d{3})+$|^\d{1,3}(?: \d{3})* 000$|^[01\s]+$/;

const ABOUT_PHONES =
  /(?<!\p{L})(?:phone|telephone|tel|mobile|cell(?:phone)?|landline|call(?:\sm[ey]|\shim|\sher|\sus|\sthem)?|ring\s(?:me|him|her|us|mig)|a\sring|dial|text(?:\sme|\shim|\sher)|sms|whats\s?app|signal|fax|hotline|voicemail|(?:m[ye]|his|her|your|their|'s)\s(?:new\s|old\s|work\s)?number|reach\s(?:me|him|her|us)|handy(?:nummer|nr)?|telefon\p{L}*|festnetz\p{L}*|mobil\p{L}*|ruf\p{L}*|anruf\p{L}*|erreichbar|meine\snummer|téléphone|tél|portable|appelle\p{L}*|appeler|joindre|mon\snuméro|teléfono|móvil|celular|cel|llám\p{L}*|llama\p{L}*|mi\snúmero|telefono|cellulare|chiama\p{L}*|mio\snumero|telefone|celular|telemóvel|liga(?:r|\spara)?|zap|meu\snúmero|telefoon\p{L}*|mobiel\p{L}*|bel(?:len|\sme)?|mijn\snummer|komórk\p{L}*|dzwo[nń]\p{L}*|zadzwo[nń]\p{L}*|mitt\snummer|ringa|mobilnummer|puhelin\p{L}*|тел|телефон\p{L}*|номер\s?телефона|мой\sномер|звони\p{L}*|позвони\p{L}*|сотов\p{L}*|мобильн\p{L}*|ватсап|cep|numaram|ara)(?!\p{L})|电话|手机|號碼|电话号码|電話|携帯|手機|전화|휴대폰|핸드폰|연락처|फ़ोन|फोन|मोबाइल|हाँ?\sनंबर|هاتف\p{L}*|جوال\p{L}*|موبايل\p{L}*|اتصل/iu;
const NOT_PHONES =
  /(?:order|invoice|tracking|parcel|serial|imei|isbn|issn|ean|upc|model|ticket|ref(?:erence)?|case|sku|part|booking|confirmation|transaction|version|build|bestellung|bestellnummer|rechnung|sendung\p{L}{0,12}|commande|facture|colis|pedido|factura|ordine|fattura|zamówieni\p{L}{0,6}|заказ\p{L}{0,6}|订单|注文|id|pin|zip|score|account|konto|compte|cuenta|conto|usd|eur|over|about|~)(?:\s(?:no|nr|number|nummer|numéro|número|numero|id|is|was)\.?|[\s:#.]){0,12}$/iu;
/** UTF-16 units before and after a number in which a word makes it a phone number. */
const BEFORE = 40;
const AFTER = 30;

export function findPhones(text: string): Occurrence[] {
  let national = 0;
  return occurrences(CANDIDATE, text, (match) => {
    const value = match.groups?.value ?? "";
    if (INTERNATIONAL.test(value)) return internationalIdentity(value);
    if (DATE_OR_ADDRESS.test(value) || !looksNational(value, match) || ++national > MAX_NATIONAL) return undefined;
    return nationalIdentity(value);
  });
}

/** A country code is enough: numbering plans grow faster than a pinned library. */
function internationalIdentity(value: string): string | undefined {
  const number = parsePhoneNumberFromString(value.replace(/^\(?(?:\+|00)/, "+"));
  return number?.isPossible() === true ? identityOfDigits(number.nationalNumber) : undefined;
}

function nationalIdentity(value: string): string | undefined {
  for (const country of COUNTRIES) {
    const number = parsePhoneNumberFromString(value, country);
    if (number?.isValid() === true) return identityOfDigits(number.nationalNumber);
  }
  return undefined;
}

/** The last nine digits, which are equal in the national and the international form. */
function identityOfDigits(national: string): string {
  return national.slice(-9);
}

function looksNational(value: string, { index, input }: RegExpExecArray): boolean {
  const digits = value.replace(/\D/g, "").length;
  const before = input.slice(Math.max(0, index - BEFORE), index);
  if (NOT_PHONES.test(before)) return false;
  if (NORTH_AMERICAN.test(value) || (TRUNK_ZERO.test(value) && digits >= 9 && digits <= 12)) return true;
  const after = input.slice(index + value.length, index + value.length + AFTER);
  return digits >= 8 && digits <= 13 && (ABOUT_PHONES.test(sentenceEnd(before)) || ABOUT_PHONES.test(sentenceStart(after)));
}

function sentenceEnd(text: string): string {
  return text.slice(Math.max(text.lastIndexOf("! "), text.lastIndexOf("? "), text.lastIndexOf("\n"), text.lastIndexOf("。")) + 1);
}

function sentenceStart(text: string): string {
  return text.split(/[.!?;\n。]/, 1)[0] ?? "";
}
