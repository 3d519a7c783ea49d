/** All bytes of a body; null if it has more than `maxBytes`, and then the rest is not read. */
export async function readWhole(
  body: ReadableStream<Uint8Array> | null,
  maxBytes: number,
): Promise<Uint8Array<ArrayBuffer> | null> {
  const pieces: Uint8Array[] = [];
  let size = 0;
  // Leaving the loop cancels the body.
  for await (const piece of body ?? []) {
    size += piece.byteLength;
    if (size > maxBytes) return null;
    pieces.push(piece);
  }
  return joinBytes(pieces, size);
}

/** The pieces, which have `size` bytes together, as one. */
export function joinBytes(pieces: readonly Uint8Array[], size: number): Uint8Array<ArrayBuffer> {
  const whole = new Uint8Array(size);
  let at = 0;
  for (const piece of pieces) {
    whole.set(piece, at);
    at += piece.byteLength;
  }
  return whole;
}
