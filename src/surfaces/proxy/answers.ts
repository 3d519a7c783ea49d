import type { MemoryOutcome } from "#domain/injection";

/** A conversation with its images. It is held in memory several times, and an isolate has 128 MB. */
export const MAX_CONVERSATION_BYTES = 10_000_000;

/** An answer of the model server, passed on as it comes. */
export function passed({ body, status, headers }: Response): Response {
  return new Response(body, { status, headers: headersFromUpstream(headers) });
}

/** A route's types describe our own answers; this one comes from another server and may be anything. */
export function asAnswer(response: Response): never {
  return response as never;
}

/** Only the body's type and the headers that a client's own retries use. The runtime sets lengths and encodings. */
const FROM_UPSTREAM = /^(?:content-type|cache-control|retry-after(?:-ms)?|x-should-retry|x-ratelimit-.+|openai-.+)$/;

/**
 * What is passed on has this service's origin. A page that a model server answers with runs nothing here, loads nothing, and no other page
 * can show it.
 */
const INERT = {
  "x-content-type-options": "nosniff",
  "content-security-policy": "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; sandbox",
};

/** The response keeps our `x-request-id`; the upstream's is passed on under another name. */
export function headersFromUpstream(headers: Headers): Headers {
  const passed = new Headers([...headers].filter(([name]) => FROM_UPSTREAM.test(name)));
  for (const [name, value] of Object.entries(INERT)) passed.set(name, value);
  const requestId = headers.get("x-request-id");
  if (requestId !== null) passed.set("x-upstream-request-id", requestId);
  return passed;
}

/** What memory did, as `injected; items=3; tokens=120`. */
export function memoryHeader(note: MemoryOutcome): string {
  switch (note.kind) {
    case "injected":
      return `injected; items=${note.items}; tokens=${note.tokens}`;
    case "answered":
      return note.topic === null ? "answered" : `answered; topic=${encodeURIComponent(note.topic)}`;
    case "skipped":
      return `skipped; reason=${note.reason}`;
    default:
      return note.kind;
  }
}
