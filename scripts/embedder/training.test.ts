import { describe, expect, it } from "vitest";
import { principalAxes, projected } from "./principal-axes.ts";
import { refine } from "./refine.ts";
import { trainingTexts } from "./training-texts.ts";
import { centred, distilled, vocabularyOf } from "./vocabulary.ts";

const message = (text: string, lang: "en" | "de" = "en") => ({ lang, text, keep: [] });

describe("training texts", () => {
  it("are English messages, their sentences and clauses, each once and of two words at least", () => {
    expect(trainingTexts([message("I sing. My dog howls, but quietly at night"), message("Ich singe gern", "de")])).toEqual([
      "I sing. My dog howls, but quietly at night",
      "I sing",
      "My dog howls, but quietly at night",
      "My dog howls",
      "quietly at night",
    ]);
  });
});

describe("vocabulary", () => {
  it("has each stem once, in the order of its most frequent word, and nothing that is several tokens, a number or a letter", () => {
    expect(vocabularyOf(["dogs", "tea", "dog", "x", "42", "e-mail"], 10)).toEqual({
      tokens: ["dog", "tea"],
      wordsOf: [[0, 2], [1]],
    });
    expect(vocabularyOf(["dogs", "tea", "dog"], 1)).toEqual({ tokens: ["dog"], wordsOf: [[0, 2]] });
  });

  it("begins with the mean of a stem's words, and frequent stems weigh less", () => {
    const rows = { dimensions: 2, values: Float32Array.from([1, 0, 0, 1, 1, 0]) };
    const [x = 0, y = 0, , tea = 0] = distilled({ tokens: ["dog", "tea"], wordsOf: [[0, 2], [1]] }, rows).values;
    expect(y).toBe(0);
    expect(x).toBeGreaterThan(0);
    expect(tea).toBeGreaterThan(x);
  });

  it("is centred by taking the mean of all rows away", () => {
    expect([...centred({ dimensions: 2, values: Float32Array.from([1, 0, 3, 4]) }).values]).toEqual([-1, -2, 1, 2]);
  });
});

describe("principal axes", () => {
  it("are the directions in which the rows reach furthest", () => {
    const rows = { dimensions: 3, values: Float32Array.from([9, 1, 0, -9, 1, 0, 8, -1, 0.1]) };
    const axes = principalAxes([{ rows, weight: 1 }], 2);
    expect(Math.abs(axes[0] ?? 0)).toBeCloseTo(1, 2);
    expect(Math.abs(axes[4] ?? 0)).toBeCloseTo(1, 2);
    expect(Math.abs(projected(rows, axes).values[0] ?? 0)).toBeCloseTo(9, 1);
  });
});

describe("refining", () => {
  it("turns the sum of a text's vectors to the teacher's vector of the text", () => {
    const vectors = { dimensions: 2, values: Float32Array.from([1, 0, 0.9, 0.1, 0, 1]) };
    const samples = Array.from({ length: 64 }, () => ({ rows: [0, 1], target: 0 }));
    refine(vectors, samples, { dimensions: 2, values: Float32Array.from([0, 5]) });
    const [x = 0, y = 0, otherX = 0, otherY = 0, ...third] = vectors.values;
    expect((y + otherY) / Math.hypot(x + otherX, y + otherY)).toBeGreaterThan(0.1);
    expect(third).toEqual([0, 1]);
  });
});
