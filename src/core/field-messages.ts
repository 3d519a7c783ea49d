import { z } from "zod";
import { isSameName, nearestName } from "./nearest-name.ts";
import { secretInName } from "./safety/name-secrets.ts";

/** The most names in a message; a longer list is in /openapi.json. */
const MAX_LISTED = 14;

/** Fields of one object that a message names; a request may send thousands that are not known. */
const MAX_NAMED = 50;

const NAMES_OF_TYPES: Readonly<Record<string, string>> = {
  string: "a string",
  number: "a number",
  int: "a whole number",
  boolean: "true or false",
  array: "a list",
  record: "a JSON object",
  null: "null",
};

const EXAMPLES: Readonly<Record<string, string>> = {
  datetime: 'a time as ISO 8601 with a time zone, such as "2026-11-22T10:00:00Z"',
  date: 'a date as ISO 8601, such as "2026-11-22"',
  url: 'a whole URL, such as "https://example.com/v1"',
};

/**
 * The advice for an issue, for zod's `customError`; it never repeats a value. `unrecognized_keys` gets one line for each key, which
 * `unknownFieldMessages` splits. A schema's own message has priority.
 */
export function describeIssue(issue: z.core.$ZodRawIssue): string | undefined {
  const wanted = wantedOf(issue);
  if (issue.code === "unrecognized_keys")
    return issue.keys
      .slice(0, MAX_NAMED)
      .map((key) => unknownField(key, issue.inst))
      .join("\n");
  if (wanted === undefined) return undefined;
  return issue.input === undefined ? `It is missing. Send ${wanted}.` : `Send ${wanted}.`;
}

/** The first keys of an `unrecognized_keys` issue, each with its message. */
export function unknownFieldMessages(issue: z.core.$ZodIssueUnrecognizedKeys): { key: string; message: string }[] {
  const lines = issue.message.split("\n");
  return issue.keys.slice(0, MAX_NAMED).map((key, i) => ({ key, message: lines[i] ?? "There is no such field." }));
}

/**
 * Whether the name of a field may be repeated: it has the shape of a field name, and holds no secret. Clients can send anything as a name.
 */
export function isRepeatable(name: string): boolean {
  return /^[A-Za-z0-9_.-]{1,40}$/.test(name) && secretInName(name) === null;
}

function wantedOf(issue: z.core.$ZodRawIssue): string | undefined {
  switch (issue.code) {
    case "invalid_type":
      return issue.expected === "object" ? objectOf(issue.inst) : NAMES_OF_TYPES[issue.expected];
    case "invalid_value":
      return oneOf(issue.values.map(String), issue.input);
    case "invalid_format":
      return EXAMPLES[issue.format];
    case "too_small":
      return sizeOf(issue.origin, `${issue.inclusive === false ? "more than" : "at least"} ${issue.minimum}`);
    case "too_big":
      return sizeOf(issue.origin, `${issue.inclusive === false ? "less than" : "at most"} ${issue.maximum}`);
    case "invalid_union":
      return "one of the forms that /openapi.json describes";
    default:
      return undefined;
  }
}

function sizeOf(origin: string, size: string): string | undefined {
  if (origin === "string") return `${size} characters`.replace(/\b1 characters/, "1 character");
  if (origin === "array" || origin === "set") return `${size} items`.replace(/\b1 items/, "1 item");
  return origin === "number" || origin === "int" ? `a number of ${size}` : undefined;
}

/** An object with the fields that it must have, else those that it may have. */
function objectOf(schema: unknown): string {
  const fields = Object.entries(shapeOf(schema));
  const needed = fields.filter(([, field]) => !z.safeParse(field, undefined).success).slice(0, MAX_LISTED);
  if (needed.length > 0) return `a JSON object such as {${needed.map(([name]) => `"${name}":…`).join(",")}}`;
  return fields.length === 0 ? "a JSON object" : `a JSON object, which may have ${listOf(fields.map(([name]) => name))}`;
}

function oneOf(values: readonly string[], given: unknown): string {
  const all = values.length === 1 ? listOf(values) : `one of ${listOf(values)}`;
  const near = typeof given === "string" && given.length <= 40 ? nearestName(given, values) : null;
  return near === null || values.length === 1 ? all : `${all}; \`${near}\` is the nearest`;
}

function unknownField(name: string, schema: unknown): string {
  const shape = shapeOf(schema);
  const said = isRepeatable(name) ? `There is no field \`${name}\`.` : "There is a field here that is not known.";
  const names = Object.keys(shape);
  const meant = nearestName(name, names) ?? nestedName(name, shape);
  if (meant !== null) return `${said} Did you mean \`${meant}\`?`;
  if (names.length === 0) return `${said} Leave it out: this part of the request takes no fields.`;
  return `${said} Leave it out; there ${names.length === 1 ? "is" : "are"} ${listOf(names)}.`;
}

function listOf(names: readonly string[]): string {
  const listed = names.slice(0, MAX_LISTED).map((each) => `\`${each}\``);
  return `${listed.join(", ")}${names.length > MAX_LISTED ? ", …" : ""}`;
}

/** A field of that name one level deeper, as `messages[0].role`. */
function nestedName(name: string, shape: Shape): string | null {
  for (const [field, schema] of Object.entries(shape)) {
    const { inner, isList } = unwrapped(schema);
    const found = Object.keys(shapeOf(inner)).find((nested) => isSameName(name, nested));
    if (found !== undefined) return `${field}${isList ? "[0]" : ""}.${found}`;
  }
  return null;
}

type Shape = Readonly<Record<string, z.core.$ZodType>>;

function shapeOf(schema: unknown): Shape {
  return schema instanceof z.ZodObject ? schema.shape : {};
}

/** The schema inside `optional`, `default`, `transform` and the like, and of a list its items. */
function unwrapped(schema: z.core.$ZodType): { inner: z.core.$ZodType; isList: boolean } {
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodNullable || schema instanceof z.ZodDefault)
    return unwrapped(schema.def.innerType);
  if (schema instanceof z.ZodPipe) return unwrapped(schema.def.in);
  if (schema instanceof z.ZodArray) return { inner: unwrapped(schema.def.element).inner, isList: true };
  return { inner: schema, isList: false };
}
