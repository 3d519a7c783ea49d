export type Watch = {
  /** The bytes as they pass; they may not be kept or changed. */
  chunk: (bytes: Uint8Array) => void;
  /** Once: the source came to its end, broke off, or nobody wants the rest. */
  end: () => void;
  /** Nobody wants the rest. */
  leave: () => void;
  /** Whether somebody still wants it; a break that nobody sees is none. */
  isWanted: () => boolean;
};

/**
 * The source byte by byte, as fast as it is taken and no faster. A source that breaks off breaks the stream off, so that the reader
 * cannot take a part for the whole (workerd on this machine ends the body all the same, as if it were whole).
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
        // It may have failed already, which is what was wanted.
        await reader.cancel(reason).catch(() => undefined);
      },
    },
    { highWaterMark: 0 },
  );
}
