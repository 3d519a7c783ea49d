import { AppError, upstreamFailed } from "#core/errors";
import { joinBytes } from "#core/read-whole";
import { beginsEvents } from "./reply-reader.ts";

/** A reply in one piece is held until its end has come, as a request is. */
export const MAX_WHOLE_REPLY_BYTES = 10_000_000;

/** A reply as it comes: events, which are passed on at once, or one piece, with its JSON. */
export type OpenReply =
  | { kind: "events"; body: ReadableStream<Uint8Array> }
  | { kind: "whole"; bytes: Uint8Array<ArrayBuffer>; json: unknown };

/**
 * A model server's reply, whose form its first bytes show where its type does not. One in one piece is read to its end before anything is
 * answered: half of it would be a 200 with a body that no client can read.
 * @throws upstream_failed for a reply in one piece that breaks off, has no content, is half of a JSON text, or is too long.
 */
export async function openReply({ body, headers }: Response): Promise<OpenReply> {
  if (body !== null && /^\s*text\/event-stream\b/i.test(headers.get("content-type") ?? "")) return { kind: "events", body };
  const reader = body?.getReader();
  const pieces: Uint8Array[] = [];
  const decoder = new TextDecoder();
  let [head, size] = ["", 0];
  let isEvents: boolean | undefined;
  try {
    for (;;) {
      const { done, value } = (await reader?.read()) ?? { done: true, value: undefined };
      if (done) break;
      pieces.push(value);
      size += value.byteLength;
      if (isEvents === undefined) {
        head = (head + decoder.decode(value, { stream: true })).trimStart();
        isEvents = beginsEvents(head);
      }
      if (isEvents === true && reader !== undefined) return { kind: "events", body: continued(pieces, reader) };
      if (size > MAX_WHOLE_REPLY_BYTES) throw upstreamFailed("The model server's answer is longer than is passed on.");
    }
  } catch (error) {
    await reader?.cancel(error).catch(() => undefined);
    throw error instanceof AppError ? error : brokenOff(error);
  }
  const bytes = joinBytes(pieces, size);
  return { kind: "whole", bytes, json: jsonOf(new TextDecoder().decode(bytes)) };
}

/** Another text, such as a page of HTML, is passed on as it is. */
function jsonOf(text: string): unknown {
  if (text.trim() === "") throw brokenOff();
  try {
    return JSON.parse(text);
  } catch (error) {
    if (/^\s*[{[]/.test(text)) throw brokenOff(error);
    return null;
  }
}

function brokenOff(cause?: unknown): AppError {
  return upstreamFailed("The model server's answer broke off. Send the request again.", cause);
}

/** The stream with what was read of it. */
function continued(read: Uint8Array[], reader: ReadableStreamDefaultReader<Uint8Array>): ReadableStream<Uint8Array> {
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        const { done, value } = read.length > 0 ? { done: false, value: read.shift() } : await reader.read();
        if (done || value === undefined) controller.close();
        else controller.enqueue(value);
      },
      cancel: (reason) => reader.cancel(reason),
    },
    { highWaterMark: 0 },
  );
}
