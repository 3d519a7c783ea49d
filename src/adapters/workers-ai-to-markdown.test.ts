import { describe, expect, it } from "vitest";
import { Unavailable } from "#core/errors";
import { SimulatedToMarkdown } from "#test/simulated-to-markdown";
import { aiError } from "#test/simulated-workers-ai";
import { createWorkersAiToMarkdown } from "./workers-ai-to-markdown.ts";

const sheet = { bytes: new Uint8Array(7), extension: "xlsx", mediaType: "application/vnd.ms-excel" };

function converterOf(errors: readonly Error[] = []) {
  const ai = new SimulatedToMarkdown(errors);
  return { ai, converter: createWorkersAiToMarkdown({ ai, pause: async () => {}, timeoutMs: 50 }) };
}

describe("Workers AI Markdown conversion", () => {
  it("sends the bytes with the extension, and no name of a person's file", async () => {
    const { ai, converter } = converterOf();
    expect(await converter.convert(sheet)).toBe("# A converted xlsx\n\nIts text.");
    expect(ai.calls).toEqual([{ name: "document.xlsx", bytes: 7, type: "application/vnd.ms-excel" }]);
  });

  it("sends nothing that the platform does not convert, and answers null where it cannot", async () => {
    const { ai, converter } = converterOf();
    expect(await converter.convert({ ...sheet, extension: "zip" })).toBeNull();
    expect(ai.calls).toEqual([]);
    expect(await converter.convert({ ...sheet, bytes: new Uint8Array() })).toBeNull();
  });

  it("tries again after a temporary failure, and gives up after three", async () => {
    const { ai, converter } = converterOf([aiError(3040, "out of capacity")]);
    expect(await converter.convert(sheet)).toContain("converted");
    expect(ai.calls).toHaveLength(2);
    const down = converterOf(Array.from({ length: 3 }, () => aiError(3040, "a secret")));
    await expect(down.converter.convert(sheet)).rejects.toThrow(new Unavailable("Workers AI failed (3040).", { kind: "busy" }));
    expect(down.ai.calls).toHaveLength(3);
  });

  it("does not wait for ever", async () => {
    const converter = createWorkersAiToMarkdown({ ai: { toMarkdown: () => new Promise(() => {}) }, timeoutMs: 1 });
    await expect(converter.convert(sheet)).rejects.toThrow("did not answer in time");
  });
});
