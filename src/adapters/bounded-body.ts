export type BodyLimits = {
  maxBytes: number;
  /** Without a piece. It is noticed after up to twice as long. */
  silenceMs: number;
  /** From the first piece to the last. */
  totalMs: number;
};

/** A stream that is faster than this lets others go first: an isolate does one thing at a time. */
const YIELD_BYTES = 100_000;

/** The body with an end: if it has more bytes or takes longer, its source is cancelled and it fails with `exceeded`. */
export function boundedBody(
  source: ReadableStream<Uint8Array>,
  { maxBytes, silenceMs, totalMs }: BodyLimits,
  exceeded: (limit: keyof BodyLimits) => Error,
): ReadableStream<Uint8Array> {
  const reader = source.getReader();
  let [bytes, pieces, yieldedAt] = [0, 0, 0];
  let failure: Error | null = null;
  const giveUp = (limit: keyof BodyLimits) => {
    failure = exceeded(limit);
    // The source may have failed already.
    reader.cancel(failure).catch(() => undefined);
  };
  const total = setTimeout(() => giveUp("totalMs"), totalMs);
  // One timer for many pieces, because a fast stream has thousands a second.
  const watch = (known: number) => setTimeout(() => (pieces === known ? giveUp("silenceMs") : rearm()), silenceMs);
  let silence = watch(0);
  const rearm = () => {
    silence = watch(pieces);
  };
  const stop = () => {
    clearTimeout(total);
    clearTimeout(silence);
  };
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        try {
          const { done, value } = await reader.read();
          pieces += 1;
          bytes += value?.byteLength ?? 0;
          if (bytes > maxBytes) giveUp("maxBytes");
          if (failure !== null) throw failure;
          if (!done) {
            if (bytes - yieldedAt > YIELD_BYTES) {
              yieldedAt = bytes;
              await new Promise((resolve) => setTimeout(resolve, 0));
            }
            return controller.enqueue(value);
          }
          stop();
          controller.close();
        } catch (error) {
          stop();
          controller.error(error);
        }
      },
      async cancel(reason) {
        stop();
        await reader.cancel(reason).catch(() => undefined);
      },
    },
    { highWaterMark: 0 },
  );
}
