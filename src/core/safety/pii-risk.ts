import { findAccountNumbers } from "./account-numbers.ts";
import { findBirthDates } from "./birth-dates.ts";
import { findEmails } from "./emails.ts";
import { findGovernmentIds } from "./government-ids.ts";
import type { Occurrence } from "./labelled.ts";
import { findPhones } from "./phones.ts";
import { readPlainly } from "./plain-reading.ts";
import { findPreciseLocations } from "./precise-locations.ts";
import { findStreetAddresses } from "./street-addresses.ts";

export type PiiKind =
  | "email"
  | "phone"
  | "street_address"
  | "date_of_birth"
  | "account_number"
  | "precise_location"
  | "government_id";

/** Offsets are UTF-16 units. */
export type PiiFinding = { kind: PiiKind; start: number; end: number };

export type PiiRisk = 0 | 1 | 2 | 3;

/** UTF-16 units that are read: the longest memory. */
const MAX_UNITS = 4_000;

/** In order of precedence: overlapping findings of later entries are dropped. `numbered`: there is none without a digit. */
const KINDS: readonly { kind: PiiKind; risk: PiiRisk; numbered: boolean; occurrencesIn: (text: string) => Occurrence[] }[] = [
  { kind: "email", risk: 1, numbered: false, occurrencesIn: findEmails },
  { kind: "government_id", risk: 3, numbered: true, occurrencesIn: findGovernmentIds },
  { kind: "account_number", risk: 2, numbered: true, occurrencesIn: findAccountNumbers },
  { kind: "precise_location", risk: 2, numbered: false, occurrencesIn: findPreciseLocations },
  { kind: "date_of_birth", risk: 1, numbered: true, occurrencesIn: findBirthDates },
  { kind: "phone", risk: 1, numbered: true, occurrencesIn: findPhones },
  { kind: "street_address", risk: 1, numbered: true, occurrencesIn: findStreetAddresses },
];

type Found = PiiFinding & { risk: PiiRisk; identity: string };

/** Every mention of an identifier in the first 4,000 UTF-16 units, in order, none overlapping. Never throws. */
export function findPii(text: string): PiiFinding[] {
  return find(text).map(({ kind, start, end }) => ({ kind, start, end }));
}

/**
 * 0 none; 1 one contact detail; 2 several, an account number or a precise location; 3 a government id. Mentions of one identifier
 * count once. Health, money, religion, sexuality and politics are sensitivity (see sensitivity.ts), not PII.
 */
export function piiRisk(text: string): PiiRisk {
  const found = find(text);
  const several = new Set(found.map(({ kind, identity }) => `${kind} ${identity}`)).size > 1;
  return found.reduce<PiiRisk>((highest, { risk }) => (risk > highest ? risk : highest), several ? 2 : 0);
}

function find(text: string): Found[] {
  const [{ plain: read, spanOf }] = readPlainly(text.slice(0, MAX_UNITS));
  const plain = withoutUuids(plainCharacters(read));
  const found: Found[] = [];
  const hasNumbers = /\d/.test(plain);
  for (const { kind, risk, numbered, occurrencesIn } of KINDS) {
    if (numbered && !hasNumbers) continue;
    const occurrences = occurrencesIn(plain).sort((a, b) => a.start - b.start || b.end - a.end);
    for (const one of occurrences)
      if (!found.some(({ start, end }) => one.start < end && start < one.end)) found.push({ kind, risk, ...one });
  }
  return found.map((one) => ({ ...one, ...spanOf(one.start, one.end) })).sort((a, b) => a.start - b.start);
}

/** Digits of a UUID are nobody's: with the words after it, one of hundreds passes for an IBAN or a telephone number. */
const UUID = /(?<![0-9a-f])[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}(?![0-9a-f])/giu;

/** Puts marks, unit for unit, in place of UUIDs. */
function withoutUuids(text: string): string {
  return text.replace(UUID, (id) => "_".repeat(id.length));
}

const NOT_ASCII = /[^\0-\x7f]/;
const FULL_WIDTH = /[\uff01-\uff5e]/g;
const DIGITS = /[\u0660-\u0669\u06f0-\u06f9\u0966-\u096f]/g;
const SPACES = /[\u00a0\u2000-\u200a\u202f\u3000]/g;
const HYPHENS = /[\u2010-\u2015\u2212]/g;

/** Replaces digits, spaces, hyphens, primes and full-width forms by ASCII, unit for unit, so that offsets stay the same. */
function plainCharacters(text: string): string {
  if (!NOT_ASCII.test(text)) return text;
  return text
    .replace(FULL_WIDTH, (form) => String.fromCharCode(form.charCodeAt(0) - 0xfee0))
    .replace(DIGITS, (digit) => String(digitValue(digit.charCodeAt(0))))
    .replace(SPACES, " ")
    .replace(HYPHENS, "-")
    .replace(/[\u2018\u2019\u02bc\u2032]/g, "'")
    .replace(/[\u201c\u201d\u2033]/g, '"');
}

function digitValue(code: number): number {
  return code >= 0x966 ? code - 0x966 : code & 15;
}
