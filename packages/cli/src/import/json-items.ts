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
 * The elements of a JSON array, or the objects of JSON Lines (and the only one of a file that is an object), one after the other: no more of
 * the file is in memory than one of them and what was read of the next.
 * @throws BrokenJson where it does not go on.
 */
export async function* readItems(stream: Readable, onBytes: (bytes: number) => void): AsyncGenerator<unknown> {
  const items: unknown[] = [];
  let parser: JSONParser | null = null;
  let [bytes, itemEnd] = [0, 0];
  for await (const chunk of stream) {
    let part: Buffer = Buffer.isBuffer(chunk) ? chunk : Buffer.from(chunk);
    if (bytes === 0 && part.subarray(0, BOM.length).equals(BOM)) part = part.subarray(BOM.length);
    try {
      parser ??= begin(part, items, bytes);
      parser?.write(part);
    } catch (error) {
      yield* items.splice(0);
      throw error instanceof BrokenJson ? error : new BrokenJson(positionIn(error) ?? bytes + part.length);
    }
    bytes += part.length;
    onBytes(part.length);
    if (items.length > 0) itemEnd = bytes;
    else if (bytes - itemEnd > MAX_ITEM_BYTES) throw new BrokenJson(itemEnd);
    yield* items.splice(0);
  }
  try {
    if (parser === null) throw new BrokenJson(bytes);
    if (!parser.isEnded) parser.end();
  } catch {
    yield* items.splice(0);
    throw new BrokenJson(bytes);
  }
  yield* items.splice(0);
}

/** A parser for what the file begins with; null if these bytes are white space only. */
function begin(part: Buffer, items: unknown[], before: number): JSONParser | null {
  const at = part.findIndex((byte) => byte !== SPACE && byte !== TAB && byte !== LINE && byte !== RETURN);
  if (at === -1) return null;
  if (part[at] !== ARRAY && part[at] !== OBJECT) throw new BrokenJson(before + at);
  const parser =
    part[at] === ARRAY
      ? new JSONParser({ paths: ["$.*"], keepStack: false })
      : new JSONParser({ paths: ["$"], separator: "", keepStack: false });
  parser.onValue = ({ value }) => void items.push(value);
  return parser;
}

/** The parser's messages say where: `at position "12"`. */
function positionIn(error: unknown): number | null {
  const found = error instanceof Error ? /position "?(\d+)/.exec(error.message)?.[1] : undefined;
  return found === undefined ? null : Number(found);
}
