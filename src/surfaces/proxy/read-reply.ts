import { isRecord } from "#core/is-record";

/** Of a reply in one piece, more than this is not read. */
const MAX_JSON_CHARACTERS = 4_000_000;
/** An event of a stream that is longer holds no words worth keeping, such as a sound. */
const MAX_LINE_CHARACTERS = 1_000_000;
/** More than is stored, because what a model thinks comes first. */
const MAX_TEXT_CHARACTERS = 256_000;

export type ReplyReader = {
  /** The next bytes, wherever they were cut. */
  add(bytes: Uint8Array): void;
  /** What the assistant has said so far: the words of the first choice. */
  text(): string;
};

/** Reads along with a reply, as events or in one piece. What cannot be read says nothing. */
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
  /** Null where it is too long. */
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

/** Some servers write the text as parts. */
function contentIn(message: unknown): string {
  if (!isRecord(message)) return "";
  const { content } = message;
  if (typeof content === "string") return content;
  if (!Array.isArray(content)) return "";
  return content.map((part) => (isRecord(part) && typeof part.text === "string" ? part.text : "")).join("");
}
