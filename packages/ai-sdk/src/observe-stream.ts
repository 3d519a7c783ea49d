import { Reply, type ReplyPart } from "./model.ts";

type Watch = {
  signal: AbortSignal | undefined;
  /** Called once with the reply as far as it came: at its end, when it breaks off, and when the reader cancels or aborts. */
  onEnd: (text: string | null) => void;
};

/** The same stream, part by part as it is read; nothing waits for `onEnd`. */
export function observeStream<P extends ReplyPart>(stream: ReadableStream<P>, { signal, onEnd }: Watch): ReadableStream<P> {
  const reader = stream.getReader();
  const reply = new Reply();
  let isOver = false;
  const end = () => {
    if (isOver) return;
    isOver = true;
    signal?.removeEventListener("abort", end);
    onEnd(reply.text());
  };
  // After an abort nobody may read or cancel the stream, and a signal that is already aborted fires no event.
  if (signal?.aborted === true) end();
  else signal?.addEventListener("abort", end);
  return new ReadableStream<P>(
    {
      async pull(controller) {
        try {
          const { done, value } = await reader.read();
          if (done) {
            end();
            controller.close();
            return;
          }
          reply.add(value);
          if (value?.type === "finish") end();
          controller.enqueue(value);
        } catch (error) {
          end();
          controller.error(error);
        }
      },
      async cancel(reason) {
        end();
        await reader.cancel(reason);
      },
    },
    // Nothing is read ahead of the reader.
    { highWaterMark: 0 },
  );
}
