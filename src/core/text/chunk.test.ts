import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { repeated } from "#test/hostile-inputs";
import { growthOf, MAX_LINEAR_GROWTH } from "#test/text-work";
import { chunkText } from "./chunk.ts";

const sentence = fc
  .array(fc.constantFrom("word", "another", "我爱北京", "ฉันชอบ", "😀", "3.14", "e.g."), { minLength: 1, maxLength: 60 })
  .map((words) => `${words.join(" ")}. `);
const texts = fc.oneof(
  fc.array(sentence, { maxLength: 12 }).map((sentences) => sentences.join("")),
  fc
    .array(fc.constantFrom("字", "a", "😀", "\ud800", "\udc00", "\n", " ", "。"), { maxLength: 300 })
    .map((units) => units.join("")),
  fc
    .tuple(fc.constantFrom("字", "a", "😀", "คน", "a "), fc.integer({ min: 1, max: 6_000 }))
    .map(([unit, times]) => unit.repeat(times)),
);
const words = (text: string) =>
  [...new Intl.Segmenter("und", { granularity: "word" }).segment(text)].filter((w) => w.isWordLike).length;

describe("chunkText", () => {
  it("covers the whole text apart from white space, in order", () => {
    fc.assert(
      fc.property(texts, (text) => {
        let covered = 0;
        let last = -1;
        for (const { start, end } of chunkText(text)) {
          expect(start).toBeGreaterThan(last);
          expect(end).toBeGreaterThan(covered);
          expect(text.slice(covered, Math.max(covered, start)).trim()).toBe("");
          [covered, last] = [end, start];
        }
        expect(text.slice(covered).trim()).toBe("");
      }),
    );
  });

  it("never cuts a surrogate pair", () => {
    fc.assert(
      fc.property(texts, (text) => {
        const whole = text.toWellFormed();
        for (const { start, end } of chunkText(whole)) expect(whole.slice(start, end).isWellFormed()).toBe(true);
      }),
    );
  });

  it("leaves a short text whole and a blank one without a passage", () => {
    expect(chunkText("  One sentence. And another!\n")).toEqual([{ start: 2, end: 28 }]);
    expect(chunkText(" \n\t ")).toEqual([]);
    expect(chunkText("")).toEqual([]);
  });

  it("cuts on sentence borders at about 200 words and repeats the last sentence", () => {
    const sentences = Array.from({ length: 70 }, (_, i) => `Sentence number ${i} has exactly eight words here.`);
    const text = sentences.join(" ");
    const passages = chunkText(text).map(({ start, end }) => text.slice(start, end));
    expect(passages.length).toBeGreaterThan(2);
    for (const passage of passages) {
      expect(passage).toMatch(/^Sentence/);
      expect(passage).toMatch(/here\.$/);
      expect(words(passage)).toBeLessThanOrEqual(240);
    }
    for (const passage of passages.slice(0, -1)) {
      expect(words(passage)).toBeGreaterThan(170);
      expect(words(passage)).toBeLessThanOrEqual(200);
    }
    for (let i = 1; i < passages.length; i++) {
      const head = passages[i]?.split(/(?<=\.) /)[0] ?? "";
      expect(passages[i - 1]?.endsWith(head)).toBe(true);
    }
  });

  it("keeps a remainder with the last passage rather than alone", () => {
    const text = Array.from({ length: 13 }, () => `${"longerword ".repeat(19)}longerword.`).join(" ");
    expect(chunkText(text)).toHaveLength(2);
  });

  it("counts the words of Chinese and Thai, which have no spaces", () => {
    for (const unit of ["我爱北京天安门。", "ฉันชอบกินข้าวผัดมาก "]) {
      const text = unit.repeat(300);
      const passages = chunkText(text);
      expect(passages.length).toBeGreaterThan(4);
      for (const { start, end } of passages) expect(words(text.slice(start, end))).toBeLessThanOrEqual(240);
    }
  });

  it("cuts one endless sentence between words and one endless word between characters", () => {
    const list = "word, ".repeat(1_000);
    expect(chunkText(list).every(({ start, end }) => words(list.slice(start, end)) <= 240)).toBe(true);
    const blob = "a".repeat(9_000);
    expect(chunkText(blob).every(({ start, end }) => end - start <= 2_000)).toBe(true);
  });

  it.each(["a", "a b ", "字", "😀", "Yes. ", "a\n", "\n"])("takes work in proportion to its length for a run of %j", (unit) => {
    expect(growthOf(chunkText, repeated(unit))).toBeLessThanOrEqual(MAX_LINEAR_GROWTH);
  });
});
