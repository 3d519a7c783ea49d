import { type ProblemBody, toError } from "./answer.ts";
import { EdgewiseConnectionError } from "./errors.ts";

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
    throw new EdgewiseConnectionError("The connection broke in the middle of the answer.", { cause });
  } finally {
    await reader.cancel().catch(() => undefined);
  }
}

/**
 * The data of server-sent events, parsed; `[DONE]` ends them. A model server that fails in the middle of its answer sends the error as an
 * event.
 */
export async function* readEvents(response: Response, signal?: AbortSignal): AsyncGenerator<unknown, void> {
  let data = "";
  for await (const line of readLines(response, signal)) {
    if (line.startsWith("data:")) data += `${line.slice(5)}\n`;
    if (line !== "" || data === "") continue;
    if (data.trim() === "[DONE]") return;
    const event: ProblemBody = JSON.parse(data);
    if (event?.error) throw toError(response, event, 0);
    yield event;
    data = "";
  }
}
