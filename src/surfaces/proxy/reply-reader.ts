/** A reply in one piece that says it is a stream is read up to this size. */
const MAX_JSON_CHARACTERS = 4_000_000;
/** A longer event of a stream is skipped; it contains audio, or the whole reply once more. */
const MAX_EVENT_CHARACTERS = 1_000_000;
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

/** The text of a whole reply, as much as is read of it. */
export function readReply(reply: unknown, { textOf }: ReplyFormat): string {
  return textOf(reply).slice(0, MAX_TEXT_CHARACTERS);
}

/** What the first bytes of a reply show: whether it is a stream of events. Undefined while they show nothing. */
export function beginsEvents(text: string): boolean | undefined {
  const start = text.trimStart();
  if (/^(?::|(?:data|event|id|retry)(?::|\r|\n))/.test(start)) return true;
  const mayBegin = ["data:", "event:", "id:", "retry:"].some((field) => field.startsWith(start));
  return mayBegin ? undefined : false;
}

/** Reads a reply as it passes: events, or one JSON body, as its first bytes show. What cannot be parsed is skipped. */
export function createReplyReader(format: ReplyFormat): ReplyReader {
  const decoder = new TextDecoder();
  let head = "";
  let reader: TextReader | null = null;
  const choose = (isEvents: boolean | undefined) => {
    if (isEvents === undefined) return;
    reader = isEvents ? eventReader(format.createEventReader()) : jsonReader(format);
    reader.add(head);
  };
  return {
    add(bytes) {
      // Nothing more is stored of it.
      if (reader?.isFull() === true) return;
      const text = decoder.decode(bytes, { stream: true });
      if (reader !== null) return reader.add(text);
      head = (head + text).trimStart();
      choose(beginsEvents(head));
    },
    text: () => reader?.text() ?? "",
  };
}

type TextReader = { add(text: string): void; text(): string; isFull(): boolean };

/**
 * Reads server-sent events by the HTML standard, section 9.2.6: the data of an event may be on several lines. Servers that end events with
 * a single line break are read too: a line that is a whole value is an event.
 */
function eventReader(added: (event: unknown, soFar: string) => string): TextReader {
  let text = "";
  /** The pieces of a line whose end has not come. */
  let line: string[] = [];
  let lineSize = 0;
  let endsInReturn = false;
  /** The data lines of an event whose end has not come. */
  let data: string[] = [];
  let dataSize = 0;
  const take = (event: unknown) => {
    if (text.length < MAX_TEXT_CHARACTERS) text += added(event, text);
  };
  const dispatch = () => {
    const lines = data;
    [data, dataSize] = [[], 0];
    const whole = parsed(lines.join("\n"));
    if (whole !== undefined) take(whole);
    else for (const each of lines) take(parsed(each) ?? null);
  };
  const read = (whole: string) => {
    if (whole === "") return dispatch();
    const value = /^data: ?(.*)$/s.exec(whole)?.[1];
    if (value === undefined) return;
    const alone = data.length === 0 ? parsed(value) : undefined;
    if (alone !== undefined) return take(alone);
    dataSize += value.length;
    if (dataSize > MAX_EVENT_CHARACTERS) [data, dataSize] = [[], 0];
    else data.push(value);
  };
  const lengthen = (piece: string) => {
    lineSize += piece.length;
    if (lineSize > MAX_EVENT_CHARACTERS) line = [];
    else line.push(piece);
  };
  const endLine = () => {
    if (lineSize <= MAX_EVENT_CHARACTERS) read(line.join(""));
    [line, lineSize] = [[], 0];
  };
  return {
    add(more) {
      if (more === "") return;
      const [first = "", ...others] = (endsInReturn && more.startsWith("\n") ? more.slice(1) : more).split(/\r\n|\n|\r/);
      endsInReturn = more.endsWith("\r");
      lengthen(first);
      for (const other of others) {
        endLine();
        lengthen(other);
      }
    },
    text() {
      endLine();
      dispatch();
      return text.slice(0, MAX_TEXT_CHARACTERS);
    },
    isFull: () => text.length >= MAX_TEXT_CHARACTERS,
  };
}

function jsonReader(format: ReplyFormat): TextReader {
  /** Null if it is too long. */
  let json: string | null = "";
  return {
    add(more) {
      if (json !== null) json += more;
      if (json !== null && json.length > MAX_JSON_CHARACTERS) json = null;
    },
    text: () => (json === null ? "" : readReply(parsed(json), format)),
    isFull: () => json === null,
  };
}

/** Undefined for a text that is no JSON. */
function parsed(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    return undefined;
  }
}
