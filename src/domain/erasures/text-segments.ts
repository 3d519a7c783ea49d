/**
 * A segment of an FTS5 index: a part that is written once. Deleting from a contentless table only marks rows in the segments that may hold
 * them; their words stay until the segment is merged into another.
 */
export type Segment = {
  /** Names this segment and no later one: ids are given again, but then with another origin or another number of entries. */
  name: string;
  /** Rows of it that were deleted and whose words are still there. */
  deleted: number;
};

const COOKIE_BYTES = 4;
const VERSION_2 = "ff000001";

/**
 * The segments that the structure record of an FTS5 table names (row 10 of its `_data`, in hex). The format is described in SQLite's
 * fts5_index.c, "Structure record", version 2, which tables with `contentless_delete` have.
 * @throws RangeError for another version.
 */
export function segmentsOf(structureHex: string): Segment[] {
  const bytes = Uint8Array.from(structureHex.match(/../g) ?? [], (byte) => Number.parseInt(byte, 16));
  if (bytes.length === 0) return [];
  const version = structureHex.slice(COOKIE_BYTES * 2, COOKIE_BYTES * 4).toLowerCase();
  if (version !== VERSION_2) throw new RangeError("This version of FTS5 is not known.");
  const next = varints(bytes, COOKIE_BYTES * 2);
  const levels = next();
  next(); // The number of segments.
  next(); // The number of writes.
  const segments: Segment[] = [];
  for (let level = 0; level < levels; level += 1) {
    next(); // How many of them are being merged.
    const count = next();
    for (let i = 0; i < count; i += 1) segments.push(readSegment(next));
  }
  return segments;
}

function readSegment(next: () => number): Segment {
  const id = next();
  next(); // The first page, which moves on while the segment is being merged.
  next(); // The last page.
  const [firstOrigin, lastOrigin] = [next(), next()];
  next(); // Pages with deleted rows.
  const [deleted, entries] = [next(), next()];
  return { name: `${id}:${firstOrigin}-${lastOrigin}:${entries}`, deleted };
}

/** Reads SQLite's variable-length integers, one a call: seven bits a byte, the high bit says that another follows; 0 behind the end. */
function varints(bytes: Uint8Array, from: number): () => number {
  let at = from;
  return () => {
    let value = 0;
    for (let i = 0; i < 9; i += 1) {
      const byte = bytes[at] ?? 0;
      at += 1;
      if (i === 8) return value * 256 + byte;
      value = value * 128 + (byte & 0x7f);
      if (byte < 0x80) return value;
    }
    return value;
  };
}
