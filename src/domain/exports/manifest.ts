/** What a part of an export has of one kind: its lines, and the SHA-256 of them with their line ends, in hex. */
export type Manifest = Record<string, { lines: number; sha256: string }>;

type Digest = { lines: number; stream: DigestStream; writer: WritableStreamDefaultWriter };

/** Counts and hashes the lines of a part as they are sent. */
export function createManifest() {
  const kinds = new Map<string, Digest>();
  const encoder = new TextEncoder();
  const digestOf = (kind: string): Digest => {
    const stream = new crypto.DigestStream("SHA-256");
    const digest = { lines: 0, stream, writer: stream.getWriter() };
    kinds.set(kind, digest);
    return digest;
  };
  const write = async (kind: string, lines: readonly string[]): Promise<void> => {
    const digest = kinds.get(kind) ?? digestOf(kind);
    digest.lines += lines.length;
    await digest.writer.write(encoder.encode(lines.map((line) => `${line}\n`).join("")));
  };
  return {
    /** Under their kind and in the total. */
    add: async (kind: string, lines: readonly string[]): Promise<void> => {
      if (lines.length === 0) return;
      await write(kind, lines);
      await write(TOTAL, lines);
    },
    /** The total has the header too, and stands apart. */
    addHeader: (line: string) => write(TOTAL, [line]),
    close: async (): Promise<{ kinds: Manifest; total: Manifest[string] }> => {
      const closed = await Promise.all(
        [...kinds].map(async ([kind, { lines, stream, writer }]) => {
          await writer.close();
          return [kind, { lines, sha256: toHex(await stream.digest) }] as const;
        }),
      );
      const { [TOTAL]: total = { lines: 0, sha256: "" }, ...rest } = Object.fromEntries(closed);
      return { kinds: rest, total };
    },
  };
}

/** No kind has this name. */
const TOTAL = "";

function toHex(digest: ArrayBuffer): string {
  return [...new Uint8Array(digest)].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}
