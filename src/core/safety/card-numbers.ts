import type { Secret } from "./secret.ts";

/** Digits as printed on cards: in fours, as 4-6-5 or 4-6-4, parted alike by blanks, hyphens, dots or strokes, or run together. */
const DIGITS =
  /(?<![\p{Script=Latin}\p{Script=Cyrillic}\p{Script=Greek}\p{N}_.,/#+-]|\d[\t |·•・‧∙⋅-])(?:\d{4}([\t ._/|·•・‧∙⋅-]{0,3})\d{4}\1\d{4}\1\d{4}(?:\1\d{3})?|\d{4}([\t ._/|·•・‧∙⋅-]{1,3})\d{6}\2\d{4,5}|\d{14,15}|\d{17,19})(?![\p{Script=Latin}\p{Script=Cyrillic}\p{Script=Greek}\p{N}_]|[-./,]\d)/gu;
/** Digits in any groups that are parted alike, line by line too; a card must be named before them. */
const GROUPS = /(?<![\p{N}_.,/#+-])\d{1,8}([\t\n\r ._/|·•・‧∙⋅-]{1,3})\d{1,8}(?:\1\d{1,8}){0,17}(?![\p{N}_])/gu;

/** Issuer ranges in use, by network (ISO/IEC 7812; the networks' published tables), with the lengths they issue. */
const ISSUERS: readonly { first: RegExp; lengths: readonly number[] }[] = [
  { first: /^4/, lengths: [16, 19] },
  { first: /^(?:5[1-5]|222[1-9]|22[3-9]|2[3-6]|27[01]|2720)/, lengths: [16] },
  { first: /^3[47]/, lengths: [15] },
  { first: /^(?:6011|64[4-9]|65)/, lengths: [16, 19] },
  { first: /^(?:30[0-5]|36|38|39)/, lengths: [14] },
  { first: /^35(?:2[89]|[3-8])/, lengths: [16, 19] },
  { first: /^62/, lengths: [16, 17, 18, 19] },
  { first: /^220[0-4]/, lengths: [16] },
  { first: /^(?:5018|5020|5038|5893|6304|6759|676[1-3])/, lengths: [16, 17, 18, 19] },
];

const OTHER_NUMBER =
  /(?:order|tracking|track|invoice|shipment|parcel|package|imei|isbn|serial|sku|ticket|reference|booking|confirmation|account|customer|employee|bestell|sendung|rechnung|auftrag|commande|colis|facture|suivi|pedido|factura|envío|ordine|fattura|spedizione|заказ|посылк|трек|订单|单号|快递|注文|追跡|伝票)[^\n]{0,24}$/iu;
const CARD =
  /(?:card|visa|master ?card|maestro|amex|union ?pay|karte|carte|tarjeta|cart[aã]o|carta|карт|卡|カード|银联)[^\n]{0,32}$/iu;
const CONTEXT = 48;
/** What is printed or pasted after the number: the month of expiry, then the security code. */
const EXPIRY_AND_CODE = /[\s,;/|]{1,3}(?:exp\p{L}*[.:]?\s?)?\d{2}\s?[/-]\s?(?:20)?\d{2}[\s,;/|]{1,3}(?=\d{3,4}(?!\d|[./:]\d))/iuy;

/** Payment card numbers: an issuer's range, its length and the Luhn check. A bare run of digits must not be named something else. */
export function findCardNumbers(text: string): Secret[] {
  const found: Secret[] = [];
  for (const match of text.matchAll(DIGITS)) {
    const number = compact(match[0]);
    if (!isIssued(number) || !passesLuhn(number)) continue;
    const before = contextBefore(text, match.index);
    if (match[0] === number && !CARD.test(before) && (OTHER_NUMBER.test(before) || number.length > 16)) continue;
    found.push(...numberAndCode(text, { start: match.index, end: match.index + match[0].length }));
  }
  for (const match of text.matchAll(GROUPS)) {
    const number = compact(match[0]);
    if (!isIssued(number) || !passesLuhn(number) || !CARD.test(contextBefore(text, match.index).trimEnd())) continue;
    found.push(...numberAndCode(text, { start: match.index, end: match.index + match[0].length }));
  }
  return found;
}

function compact(digits: string): string {
  return digits.replace(/\D/g, "");
}

function contextBefore(text: string, at: number): string {
  return text.slice(Math.max(0, at - CONTEXT), at);
}

function numberAndCode(text: string, { start, end }: { start: number; end: number }): Secret[] {
  return [{ kind: "card_number", start, end }, ...codeAfter(text, end)];
}

function codeAfter(text: string, offset: number): Secret[] {
  EXPIRY_AND_CODE.lastIndex = offset;
  if (!EXPIRY_AND_CODE.test(text)) return [];
  const start = EXPIRY_AND_CODE.lastIndex;
  const length = /^\d*/.exec(text.slice(start, start + 4))?.[0].length ?? 0;
  return [{ kind: "card_security_code", start, end: start + length }];
}

function isIssued(number: string): boolean {
  return ISSUERS.some(({ first, lengths }) => lengths.includes(number.length) && first.test(number));
}

/** ISO/IEC 7812-1, annex B. */
function passesLuhn(number: string): boolean {
  let sum = 0;
  for (let i = 0; i < number.length; i += 1) {
    const digit = Number(number[number.length - 1 - i]);
    sum += i % 2 === 0 ? digit : digit > 4 ? digit * 2 - 9 : digit * 2;
  }
  return sum % 10 === 0;
}
