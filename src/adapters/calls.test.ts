import { describe, expect, it } from "vitest";
import { batches, inParallel } from "./calls.ts";

describe("batches", () => {
  it("cuts in order, the rest last", () => {
    expect(batches([1, 2, 3, 4, 5], 2)).toEqual([[1, 2], [3, 4], [5]]);
    expect(batches([], 2)).toEqual([]);
  });
});

describe("inParallel", () => {
  const later = () => new Promise((resolve) => setTimeout(resolve, 1));

  it("answers in order and keeps to its width", async () => {
    let running = 0;
    let most = 0;
    const answers = await inParallel([5, 3, 1, 4, 2, 0], 3, async (number) => {
      most = Math.max(most, ++running);
      for (let i = 0; i < number; i++) await later();
      running--;
      return number * 10;
    });
    expect(answers).toEqual([50, 30, 10, 40, 20, 0]);
    expect(most).toBe(3);
  });

  it("starts nothing after a failure", async () => {
    const started: number[] = [];
    const work = inParallel([1, 2, 3, 4, 5, 6], 2, async (number) => {
      started.push(number);
      await later();
      if (number === 1) throw new Error("first");
      await later();
    });
    await expect(work).rejects.toThrow("first");
    await later();
    await later();
    await later();
    expect(started).toEqual([1, 2]);
  });
});
