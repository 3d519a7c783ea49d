import type { Readable } from "node:stream";
import { JSONParser } from "@streamparser/json";

/** The JSON ends early or is none. What came before it was read. */
export class BrokenJson extends Error {
  /** The byte, from 0, at which it was noticed. */
  readonly position: number;

  constructor(position: number) {
    super("The JSON is broken.");
    this.name = "BrokenJson";
    this.position = position;
  }
}

/** One item that is longer than this is held to be no conversation. */
const MAX_ITEM_BYTES = 256_000_000;
const [SPACE, TAB, LINE, RETURN, ARRAY, OBJECT] = [0x20, 0x09, 0x0a, 0x0d, 0x5b, 0x7b];
const BOM = Buffer.from([0xef, 0xbb, 0xbf]);

/**
 * The elements of a JSON array, or the values of JSON Lines (and the only one of a file that is an object), one after the other: no more of
 * the file is in memory than one of them and what was read of the next. Of JSON Lines whose lines are arrays, the first one comes as its
 * elements, because a file that begins so may be one array; those after it come whole.
 * @throws BrokenJson where it does not go on.
 */
export async function* readItems(stream: Readable, onBytes: (bytes: number) => void): AsyncGenerator<unknown> {
  const items: unknown[] = [];
  let parser: Begun | null = null;
  let [bytes, itemEnd] = [0, 0];
  for await (const chunk of stream) {
    let part: Buffer = Buffer.isBuffer(chunk) ? chunk : Buffer.from(chunk);
    if (bytes === 0 && part.subarray(0, BOM.length).equals(BOM)) part = part.subarray(BOM.length);
    try {
      parser = write(part, { parser, items, before: bytes });
    } catch (error) {
      yield* items.splice(0);
      throw error instanceof BrokenJson ? error : new BrokenJson(bytes + part.length);
    }
    bytes += part.length;
    onBytes(part.length);
    if (items.length > 0) itemEnd = bytes;
    else if (bytes - itemEnd > MAX_ITEM_BYTES) throw new BrokenJson(itemEnd);
    yield* items.splice(0);
  }
  try {
    if (parser === null) throw new BrokenJson(bytes);
    if (!parser.json.isEnded) parser.json.end();
  } catch {
    yield* items.splice(0);
    throw new BrokenJson(bytes);
  }
  yield* items.splice(0);
}

/** A parser, and the byte of the file at which it began. */
type Begun = { json: JSONParser; from: number; isEnded: boolean };
type Writing = { parser: Begun | null; items: unknown[]; before: number };

/** Parses the bytes that follow the first `before`. After an array that is not the whole file, the other lines are parsed as JSON Lines. */
function write(part: Buffer, { parser, items, before }: Writing): Begun | null {
  const begun = parser ?? begin(part, { items, before, isFirst: true });
  try {
    begun?.json.write(part);
    return begun;
  } catch (error) {
    const position = positionIn(error);
    if (begun === null || position === null) throw error;
    const at = begun.from + position;
    if (!begun.isEnded || at < before) throw new BrokenJson(at);
    return write(part.subarray(at - before), {
      parser: begin(part.subarray(at - before), { items, before: at, isFirst: false }),
      items,
      before: at,
    });
  }
}

/** A parser for what these bytes begin with; null if they are white space only. */
function begin(part: Buffer, { items, before, isFirst }: { items: unknown[]; before: number; isFirst: boolean }): Begun | null {
  const at = part.findIndex((byte) => byte !== SPACE && byte !== TAB && byte !== LINE && byte !== RETURN);
  if (at === -1) return null;
  if (part[at] !== ARRAY && part[at] !== OBJECT) throw new BrokenJson(before + at);
  const isList = isFirst && part[at] === ARRAY;
  const json = isList
    ? new JSONParser({ paths: ["$.*"], keepStack: false })
    : new JSONParser({ paths: ["$"], separator: "", keepStack: false });
  const begun: Begun = { json, from: before, isEnded: false };
  json.onValue = ({ value }) => void items.push(value);
  json.onEnd = () => {
    begun.isEnded = isList;
  };
  return begun;
}

/** The parser's messages say where, from its beginning: `at chunk position "2" (absolute position "12")`, or `at position "12"`. */
function positionIn(error: unknown): number | null {
  const found = error instanceof Error ? /(?:absolute|at) position "?(\d+)/.exec(error.message)?.[1] : undefined;
  return found === undefined ? null : Number(found);
}
