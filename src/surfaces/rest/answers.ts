import { z } from "@hono/zod-openapi";
import { Cursor, wholeNumber } from "#core/fields";
import { ProblemView } from "./problem.ts";

const problem = (description: string) => ({ description, content: { "application/problem+json": { schema: ProblemView } } });

const PROBLEMS = {
  400: problem("The failing fields are named"),
  401: problem("No key, or none that is valid"),
  403: problem("The missing permission is named"),
  404: problem("It does not exist, or the viewer may not see it: the same answer"),
  405: problem("The path has no such method; `allow` names those that it has"),
  409: problem("The client must decide; with retry-after, others changed the same at this moment"),
  413: problem("The body is larger than 1 MB"),
  422: problem("The request has the right form and breaks a rule, which is told with the field"),
  429: problem("Too many requests; see retry-after"),
  503: problem("The service, or another on which it depends, cannot answer now; see retry-after"),
};

type Success<S extends number, T extends z.ZodType> = Record<
  S,
  { description: string; content: { "application/json": { schema: T } } }
>;

/** What every operation may answer beside its success. */
export function answers<S extends number, T extends z.ZodType>(status: S, schema: T, description: string) {
  return { ...PROBLEMS, ...keyed(status, { description, content: { "application/json": { schema } } }) };
}

/** TypeScript widens a computed key of a generic type; this is exactly one entry under that key. */
function keyed<S extends number, T extends z.ZodType>(status: S, success: Success<S, T>[S]): Success<S, T> {
  return { [status]: success } as Success<S, T>;
}

/** JSON Lines. The types of zod-openapi know no content but JSON and plain text, so to them it is an answer without any. */
export function lines(description: string): typeof PROBLEMS & { 200: { description: string } } {
  const content = { "application/x-ndjson": { schema: z.string() } };
  const success = { description, content };
  return { ...PROBLEMS, 200: success };
}

/** Of a change that names the version it was made for. */
export const outdated = { 412: problem("It has another version than if-match names") };

export const nothing = { ...PROBLEMS, 204: { description: "Done" } };

export function body<T extends z.ZodType>(schema: T) {
  return { body: { required: true, content: { "application/json": { schema } } } };
}

/** Of a PUT or PATCH of which every field may be left out, the body may be too. */
export function optionalBody<T extends z.ZodType>(schema: T) {
  return { body: { required: false, content: { "application/json": { schema } } } };
}

/** What every POST that changes something takes. */
export const idempotencyKey = z.object({
  "idempotency-key": z
    .string()
    .min(1)
    .max(200)
    .regex(/^[\x20-\x7e]*$/)
    .optional()
    .describe(
      "The same request with it is carried out once. A repeat is answered with the status, the ids, the versions and the outcomes of the first answer, without content",
    ),
});

/** A page of a list. */
export function pageOf<T extends z.ZodType>(item: T, name: string) {
  return z.object({ items: z.array(item), nextCursor: z.string().nullable() }).meta({ id: name });
}

export const secured = [{ key: [] }];

export const pageQuery = z.strictObject({
  cursor: Cursor.optional(),
  limit: wholeNumber({ min: 1, max: 100 }).default(20),
});
