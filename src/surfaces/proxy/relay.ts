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
