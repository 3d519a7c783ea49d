import type { Context, HonoRequest, MiddlewareHandler } from "hono";
import { AppError, invalid } from "#core/errors";
import { isRepeatable } from "#core/field-messages";
import { findJsonError } from "./json-position.ts";
import type { RestEnv } from "./rest-env.ts";

const NOT_UTF8 = "It is not UTF-8: some bytes are no character. Send UTF-8.";
const NOT_PLAIN = "Compressed bodies are not taken. Send the body as it is, without content-encoding.";
const COMPRESSED = /gzip|deflate|compress|zstd|\bbr\b/i;
const NOT_ENCODED = "It is not percent-encoded UTF-8. A percent sign is %25, and é is %C3%A9.";

/**
 * Refuses a body, path or query that cannot be decoded, because a lenient decoder replaces every such byte by U+FFFD and so makes two names
 * equal. The bytes of a file (`rawBody`) are left as they are. Half a surrogate pair, which JSON can escape, is left to the schemas: ids refuse it, texts are stored with U+FFFD in its place.
 */
export const strictUtf8: MiddlewareHandler<RestEnv> = async (c, next) => {
  refuseUndecodable(new URL(c.req.url));
  const coding = c.req.header("content-encoding") ?? "";
  if (COMPRESSED.test(coding)) throw invalid("content-encoding", NOT_PLAIN);
  if (c.var.route.traits?.rawBody === true) return await next();
  if (c.req.raw.body !== null) keepText(c.req, decode(await c.req.arrayBuffer()));
  if (c.req.method === "DELETE" && (await c.req.text()).trim() === "") c.req.raw = withoutContentType(c.req.raw);
  await next();
};

/** Many clients declare every request as JSON, even a DELETE with an empty body. */
function withoutContentType({ url, method, headers, signal }: Request): Request {
  const left = new Headers(headers);
  left.delete("content-type");
  return new Request(url, { method, headers: left, signal });
}

function decode(bytes: ArrayBuffer): string {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: false }).decode(bytes);
  } catch {
    throw invalid("body", NOT_UTF8);
  }
}

/** All readers of the body get this text: Hono derives JSON and other forms from its cache. */
function keepText(request: HonoRequest, text: string): void {
  const cached: Record<string, Promise<unknown>> = { text: Promise.resolve(text) };
  request.bodyCache = cached as HonoRequest["bodyCache"];
}

function refuseUndecodable({ pathname, search }: URL): void {
  if (decoded(pathname) === null) throw invalid("path", NOT_ENCODED);
  for (const pair of search.slice(1).split("&")) {
    const [name = "", ...value] = pair.split("=");
    const known = decoded(name);
    if (known === null || decoded(value.join("=")) === null)
      throw invalid(known !== null && isRepeatable(known) ? known : "query", NOT_ENCODED);
  }
}

function decoded(part: string): string | null {
  try {
    return decodeURIComponent(part.replaceAll("+", " "));
  } catch {
    return null;
  }
}

/**
 * Hono's validator throws an HTTPException: status 400 if a body is not JSON, 415 if its content type is missing or different. Null for all
 * other errors.
 */
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
