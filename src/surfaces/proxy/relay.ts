import { isRecord } from "#core/is-record";

export type Watch = {
  /** Called with the bytes as they pass; the bytes must not be kept or changed. */
  chunk: (bytes: Uint8Array) => void;
  /** Called once: the source has ended or failed, or the reader has cancelled. */
  end: () => void;
  /** The reader has cancelled. */
  leave: () => void;
  /** Whether the client is still connected. If it has disconnected, an upstream error is not an error. */
  isWanted: () => boolean;
};

/**
 * Passes the source on byte by byte, as fast as it is read. If the source fails, the stream fails, so that the reader does not mistake a
 * part for the whole (the local workerd ends the body anyway, as if it were complete).
 */
export function relay(source: ReadableStream<Uint8Array>, watch: Watch): ReadableStream<Uint8Array> {
  const reader = source.getReader();
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        try {
          const { done, value } = await reader.read();
          if (done) {
            watch.end();
            controller.close();
            return;
          }
          watch.chunk(value);
          controller.enqueue(value);
        } catch (error) {
          watch.end();
          if (watch.isWanted()) controller.error(error);
          else controller.close();
        }
      },
      async cancel(reason) {
        watch.leave();
        watch.end();
        // The source may have failed already.
        await reader.cancel(reason).catch(() => undefined);
      },
    },
    { highWaterMark: 0 },
  );
}

/** A non-streaming reply is read up to this size. */
const MAX_JSON_CHARACTERS = 4_000_000;
/** A longer event of a stream is skipped; it contains audio or the like. */
const MAX_LINE_CHARACTERS = 1_000_000;
/** More than is stored, because a model's reasoning comes first and is removed later. */
const MAX_TEXT_CHARACTERS = 256_000;

export type ReplyReader = {
  /** The next bytes, split anywhere. */
  add(bytes: Uint8Array): void;
  /** The text of the first choice so far. */
  text(): string;
};

/** Reads a reply as it passes, as events or as one JSON body. What cannot be parsed is skipped. */
export function createReplyReader(contentType: string | null): ReplyReader {
  return /^\s*text\/event-stream\b/i.test(contentType ?? "") ? eventReader() : jsonReader();
}

function eventReader(): ReplyReader {
  const decoder = new TextDecoder();
  let rest = "";
  let text = "";
  const read = (line: string) => {
    const data = /^data:(.*)$/s.exec(line.trimEnd())?.[1];
    if (data !== undefined && text.length < MAX_TEXT_CHARACTERS) text += contentIn(firstChoice(parsed(data))?.delta);
  };
  return {
    add(bytes) {
      const lines = (rest + decoder.decode(bytes, { stream: true })).split("\n");
      rest = lines.pop() ?? "";
      if (rest.length > MAX_LINE_CHARACTERS) rest = "";
      for (const line of lines) read(line);
    },
    text() {
      read(rest);
      rest = "";
      return text.slice(0, MAX_TEXT_CHARACTERS);
    },
  };
}

function jsonReader(): ReplyReader {
  const decoder = new TextDecoder();
  /** Null if it is too long. */
  let json: string | null = "";
  return {
    add(bytes) {
      if (json !== null) json += decoder.decode(bytes, { stream: true });
      if (json !== null && json.length > MAX_JSON_CHARACTERS) json = null;
    },
    text: () => (json === null ? "" : contentIn(firstChoice(parsed(json))?.message).slice(0, MAX_TEXT_CHARACTERS)),
  };
}

function parsed(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    return null;
  }
}

function firstChoice(reply: unknown): Record<string, unknown> | undefined {
  if (!isRecord(reply) || !Array.isArray(reply.choices)) return undefined;
  return reply.choices.filter(isRecord).find(({ index }) => index === 0 || index === undefined);
}

/** Some servers send the text as parts. */
function contentIn(message: unknown): string {
  if (!isRecord(message)) return "";
  const { content } = message;
  if (typeof content === "string") return content;
  if (!Array.isArray(content)) return "";
  return content.map((part) => (isRecord(part) && typeof part.text === "string" ? part.text : "")).join("");
}
