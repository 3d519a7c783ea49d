import { findCardNumbers } from "./card-numbers.ts";
import {
  findAuthorizations,
  findAwsSecrets,
  findConnectionStrings,
  findJwts,
  findOneTimeSeeds,
  findPrivateKeys,
  findSecurityCodes,
  findSeedPhrases,
} from "./credentials.ts";
import { isInvisible, type PlainReading, readPlainly } from "./plain-reading.ts";
import type { Secret, SecretKind } from "./secret.ts";
import { findLogins, findStatedSecrets } from "./stated-secrets.ts";
import { findVendorKeys } from "./vendor-keys.ts";

export { SECRET_KINDS, type Secret, type SecretKind } from "./secret.ts";

/** The most certain first: where two findings overlap, the earlier finder decides the kind. */
const FINDERS: readonly ((text: string) => Secret[])[] = [
  findPrivateKeys,
  findVendorKeys,
  findAwsSecrets,
  findJwts,
  findOneTimeSeeds,
  findConnectionStrings,
  findAuthorizations,
  findCardNumbers,
  findSecurityCodes,
  findSeedPhrases,
  findStatedSecrets,
  findLogins,
];

const MARKER = /\[redacted:[a-z_]{1,32}\]/g;

/**
 * Secrets in the order of the text, without overlaps. They are found in the text as it looks (see `readPlainly`), so that invisible
 * characters, other digits and look-alike letters hide none; offsets are into the text itself. Redaction markers separate the text.
 */
export function findSecrets(text: string): Secret[] {
  const [first, ...others] = readPlainly(text);
  const found = findIn(first);
  if (others.length === 0) return found;
  return merged([...found, ...others.flatMap(findIn).filter((secret) => isSureWithSpaces(text, secret))]);
}

/** A reading with spaces separates a number from the word that names it, so there a card number must itself be separated by invisible characters. */
function isSureWithSpaces(text: string, { kind, start, end }: Secret): boolean {
  return kind !== "card_number" || isInvisible(text[start - 1]) || isInvisible(text[end]);
}

function findIn({ plain, spanOf }: PlainReading): Secret[] {
  const found: Secret[] = [];
  let from = 0;
  for (const marker of plain.matchAll(MARKER)) {
    found.push(...findBetweenMarkers(plain, { start: from, end: marker.index }));
    from = marker.index + marker[0].length;
  }
  found.push(...findBetweenMarkers(plain, { start: from, end: plain.length }));
  return found.map(({ kind, start, end }) => ({ kind, ...spanOf(start, end) }));
}

function findBetweenMarkers(text: string, { start, end }: { start: number; end: number }): Secret[] {
  const part = start === 0 && end === text.length ? text : text.slice(start, end);
  return merged(FINDERS.flatMap((find) => find(part))).map((secret) => ({
    kind: secret.kind,
    start: secret.start + start,
    end: secret.end + start,
  }));
}

/** Merges overlapping findings into one that covers all, of the kind that comes first in `ranked`. */
function merged(ranked: readonly Secret[]): Secret[] {
  const byStart = ranked.map((secret, rank) => ({ ...secret, rank })).sort((a, b) => a.start - b.start || a.rank - b.rank);
  const result: typeof byStart = [];
  for (const next of byStart) {
    const last = result.at(-1);
    if (last === undefined || next.start >= last.end) result.push(next);
    else
      result[result.length - 1] = {
        ...(next.rank < last.rank ? next : last),
        start: last.start,
        end: Math.max(last.end, next.end),
      };
  }
  return result;
}

export type Redaction = { text: string; kinds: SecretKind[] };

/** Passes that redact what the previous pass uncovered; ordinary texts need two or three. */
const MAX_PASSES = 12;

/**
 * Replaces each secret by `[redacted:kind]` until none is left, because a redaction may make a secret of the text next to it. Redacting
 * twice therefore changes nothing. If MAX_PASSES leave a secret, all text between the markers around it is redacted.
 */
export function redactSecrets(text: string): Redaction {
  const kinds = new Set<SecretKind>();
  let redacted = text;
  let passes = 0;
  for (let secrets = findSecrets(redacted); secrets.length > 0; secrets = findSecrets(redacted)) {
    passes += 1;
    let from = 0;
    const parts: string[] = [];
    for (const { kind, start, end } of passes > MAX_PASSES ? wholeParts(redacted, secrets) : secrets) {
      kinds.add(kind);
      parts.push(redacted.slice(from, start), `[redacted:${kind}]`);
      from = end;
    }
    redacted = parts.join("") + redacted.slice(from);
  }
  return { text: redacted, kinds: [...kinds] };
}

/** For each stretch between markers that has secrets: the whole stretch, as the kind of its first secret. */
function wholeParts(text: string, secrets: readonly Secret[]): Secret[] {
  const markers = [...text.matchAll(MARKER)];
  const result: Secret[] = [];
  let next = 0;
  for (const { kind, start } of secrets) {
    if (start < (result.at(-1)?.end ?? 0)) continue;
    while ((markers[next]?.index ?? text.length) < start) next += 1;
    const before = markers[next - 1];
    result.push({
      kind,
      start: before === undefined ? 0 : before.index + before[0].length,
      end: markers[next]?.index ?? text.length,
    });
  }
  return result;
}
