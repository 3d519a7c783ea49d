import type { Context } from "hono";
import { AppError, invalid } from "#core/errors";
import { findJsonError } from "./json-position.ts";

/** Hono's validator throws an HTTPException: status 400 when a body is not JSON, 415 when it does not say that it is. Null for all else. */
export async function bodyRefusal(c: Context, error: unknown): Promise<AppError | null> {
  const status = error instanceof Error && !(error instanceof AppError) && "status" in error ? error.status : null;
  if (status === 415)
    return invalid("content-type", "It has to say that the body is JSON. Send the header `content-type: application/json`.");
  if (status !== 400) return null;
  const text = await c.req.text();
  if (text.trim() === "") return invalid("body", "It is empty. Send a JSON object.");
  const position = findJsonError(text);
  const place = position === null ? "" : ` from line ${position.line}, column ${position.column} on`;
  return invalid(
    "body",
    `It is not JSON${place}. Send a JSON object, with double quotes and without a comma at the end of a list.`,
  );
}
