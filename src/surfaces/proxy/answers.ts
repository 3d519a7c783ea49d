import type { MemoryOutcome } from "#domain/injection";

/** Only the body's type and the headers that a client's own retries use. The runtime sets lengths and encodings. */
const FROM_UPSTREAM = /^(?:content-type|cache-control|retry-after(?:-ms)?|x-should-retry|x-ratelimit-.+|openai-.+)$/;

/** The response keeps our `x-request-id`; the upstream's is passed on under another name. */
export function headersFromUpstream(headers: Headers): Headers {
  const passed = new Headers([...headers].filter(([name]) => FROM_UPSTREAM.test(name)));
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
