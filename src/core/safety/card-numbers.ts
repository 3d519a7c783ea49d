import type { Secret } from "./secret.ts";

/** Groups of digits as printed on cards; a number may also be run together. */
const LAYOUTS: readonly (readonly number[])[] = [
  [4, 4, 4, 4, 3],
  [4, 4, 4, 4],
  [4, 6, 5],
  [4, 6, 4],
];
const SEPARATOR = /^[\t ._/|·•・‧∙⋅-]{1,3}$/;
/** Groups of digits of any size with equal separators, also across lines; a card must be named before them. */
const GROUPS = /(?<![\p{N}_.,/#+-])\d{1,8}([\t\n\r ._/|·•・‧∙⋅-]{1,3})\d{1,8}(?:\1\d{1,8}){0,17}(?![\p{N}_])/gu;
/** A letter or digit that makes the number part of a longer word, or the plus sign of a phone number. */
const WORD_BEFORE = /[\p{Script=Latin}\p{Script=Cyrillic}\p{Script=Greek}\p{N}_+]$/u;
const WORD_AFTER = /^(?:[\p{Script=Latin}\p{Script=Cyrillic}\p{Script=Greek}\p{N}_]|\.\d)/u;
/** A decimal, a path or a hyphenated id: the number counts only if a card is named. */
const JOINED_BEFORE = /(?:[./-]|(?<![\d,])0,)$/;
/** More groups of four digits in a row are a table, in which a number may pass the checks by chance. */
const MAX_IN_A_ROW = 6;

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
  /(?:order|tracking|track|invoice|shipment|parcel|package|imei|isbn|serial|sku|iban|ticket|reference|booking|confirmation|account|customer|employee|bestell|sendung|rechnung|auftrag|commande|colis|facture|suivi|pedido|factura|envío|ordine|fattura|spedizione|заказ|посылк|трек|订单|单号|快递|注文|追跡|伝票)[^\n]{0,24}$/iu;
const CARD =
  /(?:card|visa|master ?card|maestro|amex|union ?pay|karte|carte|tarjeta|cart[aã]o|carta|карт|卡|カード|银联)[^\n]{0,32}$/iu;
const CONTEXT = 48;
/** The month of expiry and the security code after a number. */
const EXPIRY_AND_CODE = /[\s,;/|]{1,3}(?:exp\p{L}*[.:]?\s?)?\d{2}\s?[/-]\s?(?:20)?\d{2}[\s,;/|]{1,3}(?=\d{3,4}(?!\d|[./:]\d))/iuy;

/** A run of digits. `gap` separates it from the run before, null if that is no separator; all spaces are equal. */
type Group = { start: number; end: number; gap: string | null };
/** The text, its groups of digits, and for each group the first and last index of its row of four-digit groups with equal separators. */
type Digits = { text: string; groups: readonly Group[]; rowFirst: readonly number[]; rowLast: readonly number[] };

/** Payment card numbers by issuer range, length and Luhn check. A number without groups must not be named as something else. */
export function findCardNumbers(text: string): Secret[] {
  const digits = digitsOf(text);
  const found: Secret[] = [];
  let after = -1;
  for (let at = 0; at < digits.groups.length; ) {
    const next = cardAt(digits, at, after);
    const [first, last] = [digits.groups[at], next === null ? undefined : digits.groups[next - 1]];
    if (next !== null && first !== undefined && last !== undefined)
      found.push(...numberAndCode(text, { start: first.start, end: last.end }));
    after = next ?? after;
    at = next ?? at + 1;
  }
  for (const match of text.matchAll(GROUPS)) {
    if (!CARD.test(contextBefore(text, match.index).trimEnd())) continue;
    for (const { start, end } of cardsInGroups(match[0]))
      found.push(...numberAndCode(text, { start: match.index + start, end: match.index + end }));
  }
  return found;
}

function digitsOf(text: string): Digits {
  const groups: Group[] = [];
  for (const match of text.matchAll(/\d+/g)) {
    const between = text.slice(groups.at(-1)?.end ?? 0, Math.max(match.index, 0));
    const isParted = groups.length > 0 && between.length <= 3 && SEPARATOR.test(between);
    groups.push({
      start: match.index,
      end: match.index + match[0].length,
      gap: isParted ? between.replace(/^[\t ]+$/, " ") : null,
    });
  }
  const inRow = (at: number) => {
    const [before, here] = [groups[at - 1], groups[at]];
    return before !== undefined && here !== undefined && here.gap !== null && lengthOf(before) === 4 && lengthOf(here) === 4;
  };
  const rowFirst = groups.map((_, at) => at);
  const rowLast = groups.map((_, at) => at);
  for (let at = 1; at < groups.length; at += 1)
    if (inRow(at)) rowFirst[at] = inRow(at - 1) && groups[at - 1]?.gap === groups[at]?.gap ? (rowFirst[at - 1] ?? at) : at - 1;
  for (let at = groups.length - 1; at > 0; at -= 1)
    if (inRow(at)) rowLast[at] = inRow(at + 1) && groups[at + 1]?.gap === groups[at]?.gap ? (rowLast[at + 1] ?? at) : at;
  return { text, groups, rowFirst, rowLast };
}

function lengthOf({ start, end }: Group): number {
  return end - start;
}

/** The index after the card number that begins at group `at`, or null. `after` is where the previous card ended. */
function cardAt(digits: Digits, at: number, after: number): number | null {
  const first = digits.groups[at];
  if (first === undefined) return null;
  const length = lengthOf(first);
  if (length >= 14 && length <= 19) return isBareCard(digits.text, first) ? at + 1 : null;
  if (length !== 4) return null;
  for (const layout of LAYOUTS) {
    const end = at + layout.length;
    if (isLaidOut(digits, at, layout) && stands(digits, at, end) && (at === after || standsInItsRow(digits, at, end))) return end;
  }
  return null;
}

function isBareCard(text: string, { start, end }: Group): boolean {
  const number = text.slice(start, end);
  if (!isIssued(number) || !passesLuhn(number)) return false;
  const before = contextBefore(text, start);
  if (WORD_BEFORE.test(before) || WORD_AFTER.test(text.slice(end, end + 2))) return false;
  if (CARD.test(before)) return true;
  return number.length <= 16 && !OTHER_NUMBER.test(before) && !(JOINED_BEFORE.test(before) && !/\d-$/.test(before));
}

/** Whether groups have the lengths of a layout, equal or one-character separators, and form a valid number. */
function isLaidOut({ text, groups }: Digits, at: number, layout: readonly number[]): boolean {
  const parts = groups.slice(at, at + layout.length);
  if (parts.length < layout.length || parts.some((part, i) => lengthOf(part) !== layout[i])) return false;
  const gaps = parts.slice(1).map(({ gap }) => gap);
  if (gaps.includes(null) || (gaps.some((gap) => gap !== gaps[0]) && gaps.some((gap) => gap?.length !== 1))) return false;
  const number = parts.map(({ start, end }) => text.slice(start, end)).join("");
  return isIssued(number) && passesLuhn(number);
}

/** Whether the text around the groups lets them be a number of their own. */
function stands({ text, groups }: Digits, at: number, end: number): boolean {
  const [first, last] = [groups[at], groups[end - 1]];
  if (first === undefined || last === undefined) return false;
  const before = contextBefore(text, first.start);
  if (WORD_BEFORE.test(before) || WORD_AFTER.test(text.slice(last.end, last.end + 2))) return false;
  return !JOINED_BEFORE.test(before) || /\d[/-]$/.test(before) || CARD.test(before);
}

/** A card within a row of four-digit groups: not part of an account or parcel number, and in a table only if a card is named. */
function standsInItsRow(digits: Digits, at: number, end: number): boolean {
  const { text, groups, rowFirst, rowLast } = digits;
  const [first, last] = [rowFirst[at + 1] ?? at, rowLast[at + 1] ?? end - 1];
  const start = groups[first]?.start ?? 0;
  const gap = groups[first + 1]?.gap;
  const rest = groups[last + 1];
  const until = rest !== undefined && rest.gap === gap && lengthOf(rest) < 4 ? last + 2 : last + 1;
  if (first === at && until <= end && groups[at]?.gap === null) return true;
  const row = groups.slice(first, Math.min(until, first + MAX_GROUPS_OF_ACCOUNT));
  const number = row.map((group) => text.slice(group.start, group.end)).join("");
  const lead = contextBefore(text, start);
  if (isAccount(lead, number)) return false;
  if (CARD.test(lead) || CARD.test(contextBefore(text, groups[at]?.start ?? 0))) return true;
  if (PARCEL.test(number) || (first !== at && OTHER_NUMBER.test(contextBefore(text, groups[at]?.start ?? 0)))) return false;
  const isTable = last - first + 1 > MAX_IN_A_ROW;
  return !isTable || first === at || end > last || LAYOUTS.some((layout) => isLaidOut(digits, end, layout));
}

/** The longest IBAN has 34 characters. */
const MAX_GROUPS_OF_ACCOUNT = 8;
/** USPS and FedEx number parcels with 20 or 22 digits. */
const PARCEL = /^9[1-6]\d{18}(?:\d\d)?$/;
const CHECK_DIGITS = /(?<![\p{L}\p{N}])([A-Za-z]{2})?(\d{2})[^\p{L}\p{N}]{1,3}$/u;

/** An IBAN in groups of four, whose country and check digits come before; Polish accounts are also written without the country. */
function isAccount(before: string, number: string): boolean {
  const match = CHECK_DIGITS.exec(before);
  if (match === null) return false;
  const [, country = "PL", check = ""] = match;
  if (match[1] === undefined && number.length !== 24) return false;
  return modulo97(`${number}${country}${check}`) === 1;
}

/** The remainder of an IBAN, its first four characters moved to the end, with A as 10 (ISO 13616); 1 if it is valid. */
export function modulo97(rearranged: string): number {
  let rest = 0;
  for (const character of rearranged) {
    const value = Number.parseInt(character, 36);
    rest = (rest * (value > 9 ? 100 : 10) + value) % 97;
  }
  return rest;
}

/** Card numbers in digits with groups of any length. */
function cardsInGroups(grouped: string): { start: number; end: number }[] {
  const groups = [...grouped.matchAll(/\d+/g)];
  const found: { start: number; end: number }[] = [];
  for (let at = 0; at < groups.length; ) {
    const sizes = groups.slice(at).map((_, i) => at + i + 1);
    const end = sizes.findLast((until) => {
      const number = groups.slice(at, until).join("");
      return isIssued(number) && passesLuhn(number);
    });
    const [first, last] = [groups[at], end === undefined ? undefined : groups[end - 1]];
    if (end === undefined || first === undefined || last === undefined) break;
    found.push({ start: first.index, end: last.index + last[0].length });
    at = end;
  }
  return found;
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
export function passesLuhn(number: string): boolean {
  let sum = 0;
  for (let i = 0; i < number.length; i += 1) {
    const digit = Number(number[number.length - 1 - i]);
    sum += i % 2 === 0 ? digit : digit > 4 ? digit * 2 - 9 : digit * 2;
  }
  return sum % 10 === 0;
}
