import { z } from "@hono/zod-openapi";
import type { Context } from "hono";
import { accepts } from "hono/accepts";
import { Cursor, wholeNumber } from "#core/fields";
import { headerRefs } from "./response-headers.ts";

type Answer<T> = { description: string; example: T };

/** A success with a JSON body. `routesOf` adds the errors. */
export function answers<S extends number, T extends z.ZodType>(
  status: S,
  schema: T,
  { description, example }: Answer<z.output<T>>,
) {
  return keyed(status, { description, content: jsonOf(schema, example) });
}

/** A success with an `etag`, the version that a change can name in `if-match`. */
export function versioned<S extends number, T extends z.ZodType>(
  status: S,
  schema: T,
  { description, example }: Answer<z.output<T>>,
) {
  return keyed(status, { description, headers: headerRefs("etag"), content: jsonOf(schema, example) });
}

/** TypeScript widens a computed key of a generic type; this object has exactly one entry, under that key. */
function keyed<S extends number, T>(status: S, success: T): Record<S, T> {
  return { [status]: success } as Record<S, T>;
}

/** JSON Lines, or the same as plain text for a client that asks for it: the types of zod-openapi support no other content. */
export function lines(description: string, example: string): { 200: { description: string } } {
  const content = { schema: z.string(), example };
  const success = { description, content: { [NDJSON]: content, [PLAIN_TEXT]: content } };
  return { 200: success };
}

const NDJSON = "application/x-ndjson";
const PLAIN_TEXT = "text/plain";

/** The media type of JSON Lines that the client accepts. */
export function linesType(c: Context): string {
  return accepts(c, { header: "Accept", supports: [NDJSON, PLAIN_TEXT], default: NDJSON });
}

export const nothing = { 204: { description: "Done" } };

export function body<T extends z.ZodType>(schema: T, example: z.input<T>) {
  return { body: { required: true, content: jsonOf(schema, example) } };
}

/** For a PUT or PATCH whose fields are all optional, the body is optional too. */
export function optionalBody<T extends z.ZodType>(schema: T, example: z.input<T>) {
  return { body: { required: false, content: jsonOf(schema, example) } };
}

/** The bytes of a file, of any media type. */
export function fileBody(example: string) {
  return { body: { required: true, content: { [ANY_TYPE]: { schema: FileBytes, example } } } };
}

const ANY_TYPE = "*/*";
const FileBytes = z.string().meta({ format: "binary", description: "The bytes of the file, with `content-length`" });

function jsonOf<T extends z.ZodType>(schema: T, example: unknown): { "application/json": { schema: T } } {
  const content = { schema, example };
  return { "application/json": content };
}

/** A page of a list. */
export function pageOf<T extends z.ZodType>(item: T, name: string) {
  return z.object({ items: z.array(item), nextCursor: z.string().nullable() }).meta({ id: name });
}

/** An example of a page. */
export function page<T>(item: T): { items: T[]; nextCursor: null } {
  return { items: [item], nextCursor: null };
}

export const pageQuery = z.strictObject({
  cursor: Cursor.optional(),
  limit: wholeNumber({ min: 1, max: 100 }).default(20),
});
