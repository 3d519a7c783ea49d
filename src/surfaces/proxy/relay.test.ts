import { describe, expect, it } from "vitest";
import { relay } from "./relay.ts";

const bytes = (text: string) => new TextEncoder().encode(text);

function setUp(source: UnderlyingSource<Uint8Array>, isWanted = true) {
  const events: string[] = [];
  const stream = relay(new ReadableStream(source, { highWaterMark: 0 }), {
    chunk: (piece) => void events.push(new TextDecoder().decode(piece)),
    end: () => void events.push("end"),
    leave: () => void events.push("leave"),
    isWanted: () => isWanted,
  });
  return { events, reader: stream.getReader() };
}

describe("relay", () => {
  it("passes the very bytes on, each piece before the next is asked for", async () => {
    const pieces = [bytes("one"), bytes("two")];
    const asked: number[] = [];
    const { events, reader } = setUp({
      pull(controller) {
        asked.push(pieces.length);
        const piece = pieces.shift();
        if (piece === undefined) controller.close();
        else controller.enqueue(piece);
      },
    });
    expect(asked).toEqual([]);
    expect(new TextDecoder().decode((await reader.read()).value)).toBe("one");
    expect([asked, events]).toEqual([[2], ["one"]]);
    await reader.read();
    expect((await reader.read()).done).toBe(true);
    expect(events).toEqual(["one", "two", "end"]);
  });

  it("breaks off when the source does, unless nobody is there", async () => {
    const breaking = { pull: (controller: ReadableStreamDefaultController) => controller.error(new Error("broken")) };
    const seen = setUp(breaking);
    await expect(seen.reader.read()).rejects.toThrow("broken");
    const unseen = setUp(breaking, false);
    expect((await unseen.reader.read()).done).toBe(true);
    expect([seen.events, unseen.events]).toEqual([["end"], ["end"]]);
  });

  it("lets the source go when its reader leaves", async () => {
    let cancelled = false;
    const { events, reader } = setUp({
      pull: (controller) => controller.enqueue(bytes("one")),
      cancel: () => {
        cancelled = true;
      },
    });
    await reader.read();
    await reader.cancel();
    expect([cancelled, events]).toEqual([true, ["one", "leave", "end"]]);
  });
});
