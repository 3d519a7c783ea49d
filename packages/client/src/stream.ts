import { EdgewiseConnectionError, EdgewiseError } from "./errors.ts";

/** The lines of an answer, as they arrive. Ending the loop early closes the connection. */
export async function* readLines({ body }: Response, signal?: AbortSignal): AsyncGenerator<string, void> {
  if (body === null) return;
  const reader = body.pipeThrough(new TextDecoderStream()).getReader();
  let rest = "";
  try {
    for (;;) {
      const { done, value = "" } = await reader.read();
      const lines = (rest + value).split("\n");
      rest = done ? "" : (lines.pop() ?? "");
      for (const line of lines) if (!done || line !== "") yield line.replace(/\r$/, "");
      if (done) return;
    }
  } catch (cause) {
    signal?.throwIfAborted();
    throw new EdgewiseConnectionError("The connection broke before the end of the answer.", { cause });
  } finally {
    await reader.cancel().catch(() => undefined);
  }
}

/** The data of server-sent events, parsed; `[DONE]` ends them. */
export async function* readEvents(response: Response, signal?: AbortSignal): AsyncGenerator<unknown, void> {
  let data: string[] = [];
  for await (const line of readLines(response, signal)) {
    if (line.startsWith("data:")) data.push(line.slice(5).replace(/^ /, ""));
    if (line !== "" || data.length === 0) continue;
    const event = data.join("\n");
    data = [];
    if (event === "[DONE]") return;
    yield checked(JSON.parse(event), response);
  }
}

type Event = { error?: { message?: string; code?: string | null } | null } | null;

/** A model server that fails in the middle of an answer sends the error as an event. */
function checked(event: Event, { status, headers }: Response): unknown {
  if (!event?.error) return event;
  throw new EdgewiseError({
    status,
    code: event.error.code ?? "upstream_failed",
    detail: event.error.message ?? "The model server failed in the middle of its answer.",
    requestId: headers.get("x-request-id"),
    fields: [],
    retryAfterMs: null,
  });
}
