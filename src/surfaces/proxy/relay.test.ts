import { describe, expect, it } from "vitest";
import { createReplyReader, relay } from "./relay.ts";

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

/** The reply read in pieces of so many bytes. */
function read(type: string, text: string, size = 7): string {
  const reader = createReplyReader(type);
  const all = bytes(text);
  for (let at = 0; at < all.length; at += size) reader.add(all.subarray(at, at + size));
  return reader.text();
}

const event = (value: unknown) => `data: ${JSON.stringify(value)}\n\n`;
const words = (content: unknown, index = 0) => event({ choices: [{ index, delta: { content } }] });
const EVENTS = "text/event-stream; charset=utf-8";

describe("a stream", () => {
  it("is read to its words, however its bytes are cut", () => {
    const stream = `: hello\n\n${words("")}${words("Grüße 🦊")}${words(", 东京")}${event({ choices: [], usage: {} })}data: [DONE]\n\n`;
    for (const size of [1, 2, 3, 5, 64, 10_000]) expect(read(EVENTS, stream, size)).toBe("Grüße 🦊, 东京");
  });

  it("is read with carriage returns, without blanks, and without its last line end", () => {
    expect(read(EVENTS, `data:{"choices":[{"delta":{"content":"one"}}]}\r\n\r\n${words(" two").trimEnd()}`)).toBe("one two");
  });

  it("is the first choice's words only, and no refusal, tool or sound", () => {
    const others = [
      words("other", 1),
      event({ choices: [{ index: 0, delta: { refusal: "no" } }] }),
      event({ choices: [{ index: 0, delta: { tool_calls: [{ index: 0, function: { arguments: "{}" } }] } }] }),
      event({ choices: [{ index: 0, delta: { content: null } }] }),
      event({ error: { message: "broken" } }),
      event(null),
      "data: {not json\n\n",
      "event: ping\n\n",
    ];
    expect(read(EVENTS, `${words("mine")}${others.join("")}`)).toBe("mine");
  });

  it("returns what had arrived when it broke off", () => {
    expect(read(EVENTS, `${words("half")}data: {"choices":[{"index":0,"del`)).toBe("half");
  });

  it("may be read more than once", () => {
    const reader = createReplyReader(EVENTS);
    reader.add(bytes(words("one").trimEnd()));
    expect([reader.text(), reader.text()]).toEqual(["one", "one"]);
  });

  it("of any length is read to a few messages', and a line that is too long is left out", () => {
    expect(read(EVENTS, words("x".repeat(1_000)).repeat(260), 4_096)).toHaveLength(256_000);
    expect(
      read("application/json", JSON.stringify({ choices: [{ message: { content: "x".repeat(300_000) } }] }), 100_000),
    ).toHaveLength(256_000);
    expect(read(EVENTS, `${words("y".repeat(1_200_000))}${words("after")}`, 100_000)).toBe("after");
  });
});

describe("a reply in one piece", () => {
  const whole = (message: unknown, more: unknown[] = []) => JSON.stringify({ choices: [{ index: 0, message }, ...more] });

  it("is its first choice's text", () => {
    const second = { index: 1, message: { content: "other" } };
    expect(read("application/json", whole({ content: "东京 🦊" }, [second]), 1)).toBe("东京 🦊");
    expect(read("application/json", JSON.stringify({ choices: [second, { index: 0, message: { content: "mine" } }] }))).toBe(
      "mine",
    );
    expect(read("application/json", whole({ content: [{ type: "text", text: "a" }, { type: "image" }, { text: "b" }] }))).toBe(
      "ab",
    );
  });

  it("is nothing where there is none", () => {
    for (const text of ["", "{", "null", "[]", "{}", '{"choices":{}}', whole(null), whole({ content: null }), "<html>"])
      expect(read("application/json", text)).toBe("");
  });

  it("of more than four million characters is not read", () => {
    expect(read("application/json", whole({ content: "x".repeat(4_000_000) }), 1_000_000)).toBe("");
  });
});
