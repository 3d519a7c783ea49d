import { describe, expect, it } from "vitest";
import type { ReplyPart } from "./model.ts";
import { observeStream } from "./observe-stream.ts";

const delta = (text: string): ReplyPart => Object.assign({ type: "text-delta" }, { id: "0", delta: text });
const finish = (unified: string): ReplyPart => Object.assign({ type: "finish" }, { finishReason: { unified, raw: undefined } });
const toolCall = (fields = {}): ReplyPart => Object.assign({ type: "tool-call" }, { toolCallId: "1", toolName: "look" }, fields);

/** A source that a test feeds; `left` is the reason for which the reader cancelled it. */
function sourceOf(parts: readonly ReplyPart[] = []) {
  let controller: ReadableStreamDefaultController<ReplyPart> | undefined;
  const state: { left?: unknown; pulls: number } = { pulls: 0 };
  const stream = new ReadableStream<ReplyPart>(
    {
      start: (started) => {
        controller = started;
        for (const part of parts) started.enqueue(part);
      },
      pull: () => {
        state.pulls += 1;
      },
      cancel: (reason) => {
        state.left = reason;
      },
    },
    { highWaterMark: 0 },
  );
  if (controller === undefined) throw new Error("The stream has not started.");
  return { stream, state, controller };
}

function observed(parts: readonly ReplyPart[], signal?: AbortSignal) {
  const source = sourceOf(parts);
  const ends: (string | null)[] = [];
  const reader = observeStream(source.stream, { signal, onEnd: (text) => ends.push(text) }).getReader();
  return { ...source, ends, reader };
}

describe("observeStream", () => {
  it("passes each part on as it comes, and reads none ahead", async () => {
    const { reader, state, controller, ends } = observed([]);
    // What a stream reads ahead, it reads after it has been made.
    await new Promise((resolve) => setTimeout(resolve, 0));
    expect(state.pulls).toBe(0);
    const first = reader.read();
    controller.enqueue(delta("Once"));
    expect(await first).toEqual({ done: false, value: delta("Once") });
    expect(ends).toEqual([]);
  });

  it("says the whole text once, at the part that ends it", async () => {
    const { reader, controller, ends } = observed([delta("Once"), delta(" upon"), finish("stop")]);
    for (let i = 0; i < 3; i += 1) await reader.read();
    expect(ends).toEqual(["Once upon"]);
    controller.close();
    expect(await reader.read()).toMatchObject({ done: true });
    expect(ends).toEqual(["Once upon"]);
  });

  it("says the text at the end of a stream that has no such part", async () => {
    const { reader, controller, ends } = observed([delta("Once")]);
    controller.close();
    while (!(await reader.read()).done);
    expect(ends).toEqual(["Once"]);
  });

  it("says what had come when the reader cancels, and passes the reason on", async () => {
    const { reader, state, ends } = observed([delta("Once")]);
    await reader.read();
    await reader.cancel("enough");
    expect([ends, state.left]).toEqual([["Once"], "enough"]);
  });

  it("says what had come when the source breaks off, and passes the error on", async () => {
    const { reader, controller, ends } = observed([delta("Once")]);
    await reader.read();
    controller.error(new Error("broken"));
    await expect(reader.read()).rejects.toThrow("broken");
    expect(ends).toEqual(["Once"]);
  });

  it("says what had come when the call is aborted, although nobody reads on", async () => {
    const leaving = new AbortController();
    const { reader, ends } = observed([delta("Once"), delta(" upon")], leaving.signal);
    await reader.read();
    leaving.abort();
    expect(ends).toEqual(["Once"]);
    await reader.read();
    await reader.cancel();
    expect(ends).toEqual(["Once"]);
  });

  it("says so at once if the call was aborted before", () => {
    expect(observed([delta("Once")], AbortSignal.abort()).ends).toEqual([""]);
  });

  it.each([
    ["that calls tools", [delta("Let me see"), finish("tool-calls")], null],
    ["that calls a tool and says stop", [toolCall(), finish("stop")], null],
    ["whose tool the provider ran", [toolCall({ providerExecuted: true }), delta("Sunny"), finish("stop")], "Sunny"],
    ["that is cut", [delta("On"), finish("length")], "On"],
  ])("a step %s", async (_, parts, text) => {
    const { reader, ends } = observed(parts);
    for (const _part of parts) await reader.read();
    expect(ends).toEqual([text]);
  });
});
