import { z } from "zod";
import { invalid } from "./errors.ts";

// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what it refuses.
const ID = /^(?!\.{1,2}$)[^\u0000-\u001f\u007f\ufffd]*$/;

/** An id that the app chooses: any script, no control characters, so that it fits a path segment when percent-encoded. */
export const ExternalId = z
  .string()
  .min(1)
  .max(200)
  .regex(
    ID,
    "An id may not hold control characters or U+FFFD, which stands for bytes that somebody could not decode, nor be . or .., which no path can hold.",
  )
  .refine((id) => id.isWellFormed(), "An id may not hold half a surrogate pair: it has no UTF-8, so two such ids would be one.")
  .describe("The app's own id");

/**
 * At least one character that is no white space, as `trim` defines it. It is written out, because `\s` means something else in the regular
 * expressions of other languages, and the pattern is in /openapi.json.
 */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are white space, which is no text.
export const HAS_TEXT = /[^\u0009-\u000d\u0020\u00a0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000\ufeff]/;

/**
 * A letter or a digit of any script, of which a name needs one. Its `pattern` is given separately, because zod-to-openapi writes flags into
 * it.
 */
const LETTER_OR_DIGIT = /[\p{L}\p{N}]/u;

/** Text with a letter or a digit in it. */
export function named<T extends z.ZodString>(text: T, message: string) {
  return text.regex(LETTER_OR_DIGIT, message).meta({ pattern: LETTER_OR_DIGIT.source });
}

/** The `nextCursor` of an earlier page. */
export const Cursor = z
  .string()
  .min(1)
  .max(512)
  .regex(/^[A-Za-z0-9_-]*$/, "A cursor is the nextCursor of an earlier page.");

/** A whole number in a query or path, in decimal digits and nothing else. */
export function wholeNumber({ min, max }: { min: number; max: number }) {
  return z.preprocess(readWhole, z.number(NO_WHOLE_NUMBER).int().min(min).max(max));
}

const NO_WHOLE_NUMBER = {
  error: ({ code }: { code?: string }) => (code === "invalid_type" ? "A whole number in decimal digits." : undefined),
};

function readWhole(value: unknown): unknown {
  return typeof value === "string" && /^-?\d{1,16}$/.test(value) ? Number(value) : value;
}

/** A boolean in a query: `true` or `false`. */
export function queryFlag() {
  return z
    .enum(["true", "false"])
    .transform((value) => value === "true")
    .meta({ type: "boolean" });
}

/** One or more of these, separated by commas. */
export function listOf<T extends string>(values: readonly [T, ...T[]]) {
  const one = values.join("|");
  return z
    .string()
    .regex(
      new RegExp(`^(?:${one})(?:,(?:${one})){0,${values.length - 1}}$`),
      `One or more of ${values.join(", ")}, separated by commas.`,
    )
    .transform((text) => text.split(","))
    .pipe(z.array(z.enum(values)));
}

/**
 * For a refinement that no JSON schema can express: a request that breaks it is well-formed, and `unprocessable` instead of
 * `invalid_input`. `path` is the field that the error names.
 */
export function asRule(message: string, path?: string) {
  return { message, params: { isRule: true }, ...(path === undefined ? {} : { path: [path] }) };
}

/**
 * For `.meta()` of an object: at least one of these fields is present. Uses `propertyNames`, because generators of types turn a list of
 * `required` beside `properties` into `unknown`.
 */
export function atLeastOneOf(...names: readonly string[]) {
  return { not: absent(...names) };
}

/** For `.meta()` of an object: exactly one of these fields is present. */
export function exactlyOneOf(...names: readonly string[]) {
  const pairs = names.flatMap((name, i) => names.slice(i + 1).map((other) => [name, other] as const));
  return {
    not: { anyOf: [absent(...names), ...pairs.map(([one, other]) => ({ not: { anyOf: [absent(one), absent(other)] } }))] },
  };
}

/** A JSON schema of objects without these fields. */
function absent(...names: readonly string[]) {
  return { propertyNames: { not: { enum: names } } };
}

/** The user field of every request about a user. */
export const UserId = ExternalId.describe(
  "The user for whom the request acts, by the app's id. A server key must name one; a personal key acts for its own and may name no other",
);

/** When something happened or was said, as ISO 8601 with a time zone; internally, Unix milliseconds. */
export const Moment = z.iso
  .datetime({ offset: true, abort: true })
  .refine((moment) => isWritable(Date.parse(moment)), asRule("A time between the years 1 and 9999 in UTC."))
  .describe("ISO 8601 with a time zone, as 2026-03-01T09:30:00Z");

/** Whether a time has a year of four digits in UTC, whatever its offset. */
function isWritable(millis: number): boolean {
  return millis >= Date.parse("0001-01-01T00:00:00Z") && millis <= Date.parse("9999-12-31T23:59:59.999Z");
}

/** Unix milliseconds of a moment that `Moment` has accepted. */
export function toMillis(moment: string): number {
  return Date.parse(moment);
}

/** For an input with both ends of a span, for `refine(...SPAN)`. An empty span is refused too. */
export const SPAN = [
  ({ from, to }: { from?: string | undefined; to?: string | undefined }) =>
    from === undefined || to === undefined || toMillis(from) <= toMillis(to),
  asRule("The span ends before it begins.", "to"),
] as const;

/** How far a clock may be ahead of ours. */
const MAX_AHEAD_MS = 24 * 60 * 60 * 1000;

/**
 * Refuses times more than a day from now, most often milliseconds mistaken for seconds.
 * @throws invalid_input
 */
export function refuseSaidLater(moment: string | undefined, { now, path }: { now: number; path: string }): void {
  if (moment !== undefined && toMillis(moment) > now + MAX_AHEAD_MS)
    throw invalid(path, "It is more than a day ahead of this service's clock: say when it was said, as ISO 8601.");
}

export function toIso(millis: number): string {
  return new Date(millis).toISOString();
}
