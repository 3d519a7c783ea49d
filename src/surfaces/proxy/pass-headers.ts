import type { MemoryOutcome } from "#domain/injection";

/** What a client may say to the upstream beside the body. Never a credential, a cookie or anything of ours. */
const TO_UPSTREAM = [
  "accept",
  "idempotency-key",
  "openai-organization",
  "openai-project",
  "openai-beta",
  // By which OpenRouter tells applications apart.
  "http-referer",
  "x-title",
];

export function headersToUpstream(headers: Headers): Record<string, string> {
  return Object.fromEntries(
    TO_UPSTREAM.flatMap((name) => [headers.get(name)].flatMap((value) => (value ? [[name, value]] : []))),
  );
}

/** The body's form, and what a client's own retries look at. Lengths and encodings are the runtime's to say. */
const FROM_UPSTREAM = /^(?:content-type|cache-control|retry-after(?:-ms)?|x-should-retry|x-ratelimit-.+|openai-.+)$/;

/** Our `x-request-id` stays; the upstream's has a name of its own. */
export function headersFromUpstream(headers: Headers): Headers {
  const passed = new Headers([...headers].filter(([name]) => FROM_UPSTREAM.test(name)));
  const requestId = headers.get("x-request-id");
  if (requestId !== null) passed.set("x-upstream-request-id", requestId);
  return passed;
}

/** What became of memory, as `injected; items=3; tokens=120`. */
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
