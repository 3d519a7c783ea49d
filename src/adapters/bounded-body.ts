export type BodyLimits = {
  maxBytes: number;
  /** Between two pieces. */
  silenceMs: number;
  /** From the first piece to the last. */
  totalMs: number;
};

/** The body with an end: if it has more bytes or takes longer, its source is cancelled and it fails with `exceeded`. */
export function boundedBody(
  source: ReadableStream<Uint8Array>,
  { maxBytes, silenceMs, totalMs }: BodyLimits,
  exceeded: (limit: keyof BodyLimits) => Error,
): ReadableStream<Uint8Array> {
  const reader = source.getReader();
  let bytes = 0;
  const giveUp = Promise.withResolvers<never>();
  // It is awaited only while a piece is read.
  giveUp.promise.catch(() => undefined);
  const timers = new Map<keyof BodyLimits, ReturnType<typeof setTimeout>>();
  const limit = (name: "silenceMs" | "totalMs", milliseconds: number) => {
    clearTimeout(timers.get(name));
    timers.set(
      name,
      setTimeout(() => giveUp.reject(exceeded(name)), milliseconds),
    );
  };
  const stop = () => {
    for (const timer of timers.values()) clearTimeout(timer);
  };
  return new ReadableStream<Uint8Array>(
    {
      start: () => limit("totalMs", totalMs),
      async pull(controller) {
        limit("silenceMs", silenceMs);
        try {
          const { done, value } = await Promise.race([reader.read(), giveUp.promise]);
          clearTimeout(timers.get("silenceMs"));
          if (done) {
            stop();
            controller.close();
            return;
          }
          bytes += value.byteLength;
          if (bytes > maxBytes) throw exceeded("maxBytes");
          controller.enqueue(value);
        } catch (error) {
          stop();
          controller.error(error);
          // The source may have failed already.
          await reader.cancel(error).catch(() => undefined);
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
