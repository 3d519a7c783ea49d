import { describe, expect, it } from "vitest";
import { type Counts, count, judgeListAnswer, placeOfCurrent, precisionAndRecall } from "./score.ts";

describe("the place of the current value", () => {
  const words = { current: ["York"], stale: ["Leeds"] };

  it("is that of the first line with all its words, and a line with an old value before it counts", () => {
    expect(placeOfCurrent(["I live in york"], words)).toEqual({ at: 0, staleBefore: false });
    expect(placeOfCurrent(["I live in Leeds", "now York"], words)).toEqual({ at: 1, staleBefore: true });
    expect(placeOfCurrent(["now York", "I live in Leeds"], words)).toEqual({ at: 0, staleBefore: false });
    expect(placeOfCurrent(["from Leeds to York"], words)).toEqual({ at: 0, staleBefore: false });
  });

  it("is nowhere without it, and then any old value stands before it", () => {
    expect(placeOfCurrent(["I live in Leeds"], words)).toEqual({ at: -1, staleBefore: true });
    expect(placeOfCurrent([], words)).toEqual({ at: -1, staleBefore: false });
  });
});

describe("an answer about a list", () => {
  const got = (text: string, values: string[] = [], found = true) => ({
    routed: true,
    found,
    text,
    values,
  });
  const asked = (answer: string | string[], ordered = false) => ({ answer, ordered });

  it.each([
    ["right", got("milk, eggs", ["milk", "eggs"]), asked(["eggs", "milk"])],
    ["wrong", got("milk, eggs", ["milk", "eggs"]), asked(["eggs", "milk"], true)],
    ["wrong", got("milk, eggs", ["milk", "eggs"]), asked(["milk"])],
    ["right", got("Your second is eggs."), asked(["eggs"])],
    ["right", got("3 things are left."), asked("count:3")],
    ["wrong", got("13 things are left."), asked("count:3")],
    ["right", got("Yes, milk is."), asked("yes")],
    ["denied", got("", [], false), asked("yes")],
    ["right", got("", [], false), asked("not stored")],
    ["wrong", got("milk", ["milk"]), asked("not stored")],
    ["not routed", { ...got(""), routed: false }, asked("yes")],
    ["left alone", { ...got(""), routed: false }, asked("not a list question")],
    ["taken", got("milk", ["milk"]), asked("not a list question")],
  ])("is %s", (verdict, answer, question) => {
    expect(judgeListAnswer(answer, question)).toBe(verdict);
  });
});

describe("precision and recall of a question", () => {
  it("are shares of what came back and of what is needed", () => {
    expect(precisionAndRecall(new Set(["a", "b"]), ["a", "x", "y", "z"])).toEqual({ precision: 0.25, recall: 0.5 });
    expect(precisionAndRecall(new Set(["a"]), [])).toEqual({ precision: 0, recall: 0 });
  });

  it("have no recall where nothing is needed, and any result is wrong", () => {
    expect(precisionAndRecall(new Set(), [])).toEqual({ precision: 1, recall: null });
    expect(precisionAndRecall(new Set(), ["a"])).toEqual({ precision: 0, recall: null });
  });
});

it("counts hits and cases", () => {
  const counts: Counts = new Map();
  count(counts, "first", true);
  count(counts, "first", false);
  count(counts, "first", 0.5);
  expect(counts.get("first")).toEqual({ hits: 1.5, of: 3 });
});
