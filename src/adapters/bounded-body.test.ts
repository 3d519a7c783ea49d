import { describe, expect, it } from "vitest";
import { readWhole } from "#core/read-whole";
import { boundedBody } from "./bounded-body.ts";

const LIMITS = { maxBytes: 100, silenceMs: 60_000, totalMs: 60_000 };

/** A source that sends so many pieces of the size, and then ends, goes silent or goes on. */
function source(pieces: number, then: "end" | "silence", size = 10) {
  let [sent, cancelled] = [0, false];
  const stream = new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        if (sent < pieces) {
          sent += 1;
          controller.enqueue(new Uint8Array(size));
        } else if (then === "end") controller.close();
        else await new Promise(() => undefined);
      },
      cancel: () => {
        cancelled = true;
      },
    },
    { highWaterMark: 0 },
  );
  return { stream, seen: () => ({ sent, cancelled }) };
}

const bounded = (stream: ReadableStream<Uint8Array>, limits: Partial<typeof LIMITS> = {}) =>
  boundedBody(stream, { ...LIMITS, ...limits }, (limit) => new Error(limit));

describe("a body with limits", () => {
  it("is the body, where it keeps to them", async () => {
    const { stream, seen } = source(10, "end");
    expect((await readWhole(bounded(stream), 1_000))?.byteLength).toBe(100);
    expect(seen()).toEqual({ sent: 10, cancelled: false });
  });

  it("fails at the first byte too many, and lets its source go", async () => {
    const { stream, seen } = source(1_000_000, "end");
    await expect(readWhole(bounded(stream), 1_000)).rejects.toThrow("maxBytes");
    expect(seen()).toEqual({ sent: 11, cancelled: true });
  });

  it("fails after too long a silence, and after too long in all", async () => {
    for (const limit of ["silenceMs", "totalMs"] as const) {
      const { stream, seen } = source(3, "silence");
      await expect(readWhole(bounded(stream, { [limit]: 5 }), 1_000)).rejects.toThrow(limit);
      expect(seen()).toEqual({ sent: 3, cancelled: true });
    }
  });

  it("that comes fast lets others go first", async () => {
    const { stream } = source(100, "end", 100_000);
    let turns = 0;
    const other = setInterval(() => {
      turns += 1;
    }, 0);
    await readWhole(bounded(stream, { maxBytes: 10_000_000 }), 10_000_000);
    clearInterval(other);
    expect(turns).toBeGreaterThan(10);
  });

  it("that its reader leaves lets its source go", async () => {
    const { stream, seen } = source(1_000_000, "end");
    const reader = bounded(stream).getReader();
    await reader.read();
    await reader.cancel();
    expect(seen()).toEqual({ sent: 1, cancelled: true });
  });
});

it("a body that is too long to be held is not read to its end", async () => {
  const { stream, seen } = source(1_000_000, "end");
  expect(await readWhole(stream, 25)).toBeNull();
  expect(seen()).toEqual({ sent: 3, cancelled: true });
  expect(await readWhole(null, 25)).toEqual(new Uint8Array());
});
