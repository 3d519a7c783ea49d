/** A non-streaming reply is read up to this size. */
const MAX_JSON_CHARACTERS = 4_000_000;
/** A longer event of a stream is skipped; it contains audio, or the whole reply once more. */
const MAX_LINE_CHARACTERS = 1_000_000;
/** More than is stored, because a model's reasoning comes first and is removed later. */
const MAX_TEXT_CHARACTERS = 256_000;

/** Where an API has the text of a reply. Replies come from another server and may have any form. */
export type ReplyFormat = {
  /** The text of a reply that is one JSON body. */
  textOf: (reply: unknown) => string;
  /** Makes a reader of one stream: it returns the text that an event adds to the text so far. */
  createEventReader: () => (event: unknown, soFar: string) => string;
};

export type ReplyReader = {
  /** The next bytes, split anywhere. */
  add(bytes: Uint8Array): void;
  /** The text of the reply so far. */
  text(): string;
};

/** Reads a reply as it passes, as events or as one JSON body. What cannot be parsed is skipped. */
export function createReplyReader(contentType: string | null, format: ReplyFormat): ReplyReader {
  return /^\s*text\/event-stream\b/i.test(contentType ?? "")
    ? eventReader(format.createEventReader())
    : jsonReader(format.textOf);
}

function eventReader(added: (event: unknown, soFar: string) => string): ReplyReader {
  const decoder = new TextDecoder();
  let rest = "";
  let text = "";
  const read = (line: string) => {
    const data = /^data:(.*)$/s.exec(line.trimEnd())?.[1];
    if (data !== undefined && text.length < MAX_TEXT_CHARACTERS) text += added(parsed(data), text);
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

function jsonReader(textOf: ReplyFormat["textOf"]): ReplyReader {
  const decoder = new TextDecoder();
  /** Null if it is too long. */
  let json: string | null = "";
  return {
    add(bytes) {
      if (json !== null) json += decoder.decode(bytes, { stream: true });
      if (json !== null && json.length > MAX_JSON_CHARACTERS) json = null;
    },
    text: () => (json === null ? "" : textOf(parsed(json)).slice(0, MAX_TEXT_CHARACTERS)),
  };
}

function parsed(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    return null;
  }
}
