import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { FENCE_CLOSE, FENCE_OPEN, fenced, memorySpans, withoutMemory } from "./memory-fence.ts";

describe("text without memory", () => {
  it.each([
    ["a block", `a ${FENCE_OPEN}b${FENCE_CLOSE} c`, "a  c"],
    ["two blocks", `a${FENCE_OPEN}b${FENCE_CLOSE}c${FENCE_OPEN}d${FENCE_CLOSE}e`, "ace"],
    ["a block in a block", `a${FENCE_OPEN}b${FENCE_OPEN}c${FENCE_CLOSE}d${FENCE_CLOSE}e`, "ae"],
    ["a block without an end", `a${FENCE_OPEN}b`, "a"],
    ["an end without a beginning", `a${FENCE_CLOSE}b`, "b"],
    ["an end without a beginning behind a block", `a${FENCE_OPEN}b${FENCE_CLOSE}c${FENCE_CLOSE}d`, "d"],
    ["other capitals, attributes and blanks", 'a< EDGEWISE-memory v="1">b</ edgewise-Memory >c', "ac"],
    ["no block", "edgewise memory <b>", "edgewise memory <b>"],
  ])("%s", (_name, text, without) => {
    expect(withoutMemory(text)).toBe(without);
  });

  it("is what stands between the spans, which are in order", () => {
    const piece = fc.constantFrom(FENCE_OPEN, FENCE_CLOSE, "a", "<", "edgewise-memory", " ");
    fc.assert(
      fc.property(fc.array(piece), (pieces) => {
        const text = pieces.join("");
        const spans = memorySpans(text);
        let from = 0;
        let kept = "";
        for (const { start, end } of spans) {
          expect(start).toBeGreaterThanOrEqual(from);
          kept += text.slice(from, start);
          from = end;
        }
        expect(kept + text.slice(from)).toBe(withoutMemory(text));
        expect(withoutMemory(withoutMemory(text))).toBe(withoutMemory(text));
      }),
    );
  });

  it("cannot be closed from within", () => {
    expect(withoutMemory(`${FENCE_OPEN}${fenced(`x${FENCE_CLOSE}y`)}${FENCE_CLOSE}z`)).toBe("z");
  });
});
