import { describe, expect, it, vi } from "vitest";
import { readEvents, readLines } from "./stream.ts";

/** An answer that arrives in these pieces. */
function answer(pieces: readonly (string | Uint8Array | Error)[], cancel = () => undefined): Response {
  const left = [...pieces];
  const body = new ReadableStream<Uint8Array>({
    pull(controller) {
      const piece = left.shift();
      if (piece === undefined) return controller.close();
      if (piece instanceof Error) return controller.error(piece);
      controller.enqueue(typeof piece === "string" ? new TextEncoder().encode(piece) : piece);
    },
    cancel,
  });
  return new Response(body, { headers: { "x-request-id": "req-1" } });
}

async function all<T>(parts: AsyncIterable<T>): Promise<T[]> {
  const read: T[] = [];
  for await (const part of parts) read.push(part);
  return read;
}

describe("readLines", () => {
  it("joins what arrives in pieces, also within a character", async () => {
    const bytes = new TextEncoder().encode("é");
    expect(await all(readLines(answer(["a\nb", "c\r", "\n\nx", bytes.slice(0, 1), bytes.slice(1)])))).toEqual([
      "a",
      "bc",
      "",
      "xé",
    ]);
    expect(await all(readLines(answer(["a\n"])))).toEqual(["a"]);
    expect(await all(readLines(new Response(null)))).toEqual([]);
  });

  it("closes the connection when the loop ends early", async () => {
    const cancel = vi.fn();
    for await (const line of readLines(answer(["a\n", "b\n", "c\n"], cancel))) if (line === "a") break;
    expect(cancel).toHaveBeenCalled();
  });

  it("reports a connection that breaks, or the reason why the caller ended it", async () => {
    const cause = new TypeError("terminated");
    await expect(all(readLines(answer(["a\n", cause])))).rejects.toMatchObject({ name: "EdgewiseConnectionError", cause });
    const reason = new Error("The user left.");
    await expect(all(readLines(answer([cause]), AbortSignal.abort(reason)))).rejects.toBe(reason);
  });
});

describe("readEvents", () => {
  it("parses data up to [DONE], and ignores everything else", async () => {
    const text = ': ping\n\ndata: {"a":1}\n\nevent: x\ndata:{"b":\ndata: 2}\n\ndata: [DONE]\n\ndata: {"c":3}\n\n';
    expect(await all(readEvents(answer([...text])))).toEqual([{ a: 1 }, { b: 2 }]);
  });

  it("ends with [DONE] also without the line after it", async () => {
    expect(await all(readEvents(answer(['data: {"a":1}\n\ndata: [DONE]'])))).toEqual([{ a: 1 }]);
  });

  it.each(["response.completed", "response.incomplete", "response.failed", "error"])("ends with %s", async (type) => {
    const last = JSON.stringify({ type });
    expect(await all(readEvents(answer([`data: {"type":"response.created"}\n\ndata: ${last}\n\n`])))).toHaveLength(2);
  });

  it.each([
    ["nothing", ""],
    ["half a reply", 'data: {"a":1}\n\n'],
    ["half a response", 'data: {"type":"response.output_text.delta"}\n\n'],
    ["an event without its end", 'data: {"type":"error"}\n\ndata: {"a":1}'],
    ["a last event without its end", 'data: {"a":1}\n\ndata: {"type":"response.completed"}'],
    ["half an event", 'data: {"a":1}\n\ndata: {"my secret\n\ndata: [DONE]\n\n'],
  ])("reports an answer that ends too early: %s", async (_, text) => {
    const error = await all(readEvents(answer([text]))).catch((each: unknown) => each);
    expect(error).toMatchObject({ name: "EdgewiseConnectionError" });
    expect(error).not.toHaveProperty("cause");
  });

  it("throws the error that a model server sends in the middle", async () => {
    const events = readEvents(answer(['data: {"a":1}\n\ndata: {"error":{"message":"Overloaded.","code":null}}\n\n']));
    expect(await events.next()).toEqual({ done: false, value: { a: 1 } });
    await expect(events.next()).rejects.toMatchObject({ detail: "Overloaded.", code: "unexpected_answer", requestId: "req-1" });
  });
});
