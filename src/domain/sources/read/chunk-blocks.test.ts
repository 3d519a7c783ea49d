import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { growthOf, MAX_LINEAR_GROWTH } from "#test/text-work";
import { type Block, textOf } from "./blocks.ts";
import { chunkBlocks } from "./chunk-blocks.ts";

const block = (text: string, headings: string[] = [], page: number | null = null): Block => ({ text, headings, page });
const words = (count: number, word = "word") => Array.from({ length: count }, () => word).join(" ");
const long = Array.from({ length: 60 }, (_, i) => `Sentence number ${i} has exactly eight words here.`).join(" ");

const blocks = fc.array(
  fc.record({
    text: fc.oneof(
      fc.string({ unit: "grapheme", maxLength: 400 }),
      fc
        .array(fc.constantFrom("word ", "我爱北京。", "a\n\nb ", "\n", "😀. "), { maxLength: 900 })
        .map((parts) => parts.join("")),
    ),
    headings: fc.array(fc.constantFrom("A", "B", "C"), { maxLength: 4 }),
    page: fc.constantFrom(null, 1, 2),
  }),
  { maxLength: 12 },
);

describe("chunkBlocks", () => {
  it("gives every chunk the offsets of its text in the whole text, moved by the offset", () => {
    fc.assert(
      fc.property(blocks, fc.nat(1_000), (read, offset) => {
        const whole = textOf(read);
        for (const { text, start, end } of chunkBlocks(read, offset))
          expect(whole.slice(start - offset, end - offset)).toBe(text);
      }),
    );
  });

  it("covers all text but white space, with the page and the outer headings of every block", () => {
    fc.assert(
      fc.property(blocks, (read) => {
        const whole = textOf(read);
        const chunks = chunkBlocks(read, 0);
        let covered = 0;
        for (const { start, end } of chunks) {
          expect(whole.slice(covered, Math.max(covered, start)).trim()).toBe("");
          covered = end;
        }
        expect(whole.slice(covered).trim()).toBe("");
        let at = 0;
        for (const { text, page } of read) {
          const inside = chunks.filter((chunk) => chunk.start < at + text.length && chunk.end > at);
          for (const chunk of inside) expect(chunk.page).toBe(page);
          at += text.length + 2;
        }
      }),
    );
  });

  it("never joins sections of different upper headings, unless both are tiny", () => {
    const chunks = chunkBlocks([block(words(80), ["A"]), block(words(80), ["B"])], 0);
    expect(chunks.map(({ headings }) => headings)).toEqual([["A"], ["B"]]);
    const tiny = chunkBlocks([block("# A\n\none", ["T", "A"]), block("# B\n\ntwo", ["T", "B"])], 0);
    expect(tiny).toMatchObject([{ text: "# A\n\none\n\n# B\n\ntwo", headings: ["T"] }]);
  });

  it("joins sections below two shared headings while they fit", () => {
    const chunks = chunkBlocks(
      [block(words(90), ["A", "B", "C"]), block(words(90), ["A", "B", "D"]), block(words(90), ["A", "B", "E"])],
      0,
    );
    expect(chunks.map(({ headings }) => headings)).toEqual([
      ["A", "B"],
      ["A", "B", "E"],
    ]);
  });

  it("puts a heading without text before what follows below it, however long that is", () => {
    const chunks = chunkBlocks([block("# A", ["A"]), block(`## B\n\n${long}`, ["A", "B"])], 0);
    expect(chunks.length).toBeGreaterThan(2);
    expect(chunks[0]?.text).toMatch(/^# A\n\n## B\n\nSentence number 0/);
    for (const { headings } of chunks) expect(headings).toEqual(["A", "B"]);
  });

  it("never joins two pages", () => {
    expect(chunkBlocks([block("one", [], 1), block("two", [], 2)], 0).map(({ page }) => page)).toEqual([1, 2]);
  });

  it("keeps rows and functions whole", () => {
    const rows = Array.from({ length: 10 }, (_, i) => block(`${words(59)} end${i}`));
    for (const { text } of chunkBlocks(rows, 0)) expect(text).toMatch(/^word[\s\S]*end\d$/);
  });

  it("cuts sentences at their ends, not at the ends of full lines", () => {
    const wrapped = long.replace(/(.{60,80}) /g, "$1\n");
    for (const { text } of chunkBlocks([block(wrapped)], 0)) expect(text).toMatch(/^Sentence[\s\S]*here\.$/);
  });

  /** Without an abbreviation before a capital letter, which Unicode takes for an end. Sentences of which every one fits a passage, by how a language writes them; each ends with `end`. */
  const languages = {
    English: {
      words: ["committee", "met", "at 3.14 km", "version 2.0.1", "e.g.", "(the U.S.)", "10,000"],
      blank: " ",
      end: ". ",
      start: "The ",
    },
    German: { words: ["(z.B. am Fluss)", "Gemeinde", "usw. an", "Straße", "1.000"], blank: " ", end: "! ", start: "Die " },
    Chinese: { words: ["北京", "是", "首都", "3.14", "很大"], blank: "", end: "。", start: "我" },
    Japanese: { words: ["東京", "は", "大きい", "です", "2.0"], blank: "", end: "。", start: "私" },
  };

  it.each(Object.entries(languages))(
    "cuts %s between sentences alone, if each of them fits",
    (_, { words: parts, blank, end, start }) => {
      const sentence = fc
        .array(fc.constantFrom(...parts), { minLength: 8, maxLength: 30 })
        .map((chosen) => `${start}${chosen.join(blank)}x${end}`);
      fc.assert(
        fc.property(fc.array(sentence, { minLength: 20, maxLength: 60 }), (sentences) => {
          const text = sentences.join("");
          const borders = new Set([0]);
          for (const one of sentences) borders.add(Math.max(...borders) + one.length);
          const chunks = chunkBlocks([block(text)], 0);
          for (const chunk of chunks) {
            expect(text.slice(chunk.start, chunk.end)).toBe(chunk.text);
            expect(borders).toContain(chunk.start);
            expect([...borders].some((border) => text.slice(chunk.end, border).trim() === "" && border >= chunk.end)).toBe(true);
          }
        }),
        { numRuns: 30 },
      );
    },
  );

  it("cuts Thai, which marks no ends of sentences, between words", () => {
    const text = fc.array(fc.constantFrom("ฉัน", "ชอบ", "กิน", "ข้าว", "ประเทศไทย", " "), { minLength: 400, maxLength: 900 });
    fc.assert(
      fc.property(text, (written) => {
        const thai = written.join("").trim();
        const segments = [...new Intl.Segmenter("und", { granularity: "word" }).segment(thai)];
        const borders = new Set([...segments.map(({ index }) => index), thai.length]);
        for (const { text: passage, start, end } of chunkBlocks([block(thai)], 0)) {
          expect(thai.slice(start, end)).toBe(passage);
          expect(borders).toContain(start);
          expect(borders).toContain(end);
        }
      }),
      { numRuns: 20 },
    );
  });

  it("takes full lines for one sentence, in any script with spaces, and lines that end otherwise for their own", () => {
    const sentence = `${"Слово за словом идёт по строке ".repeat(3)}и кончается здесь.`;
    const wrapped = sentence.replace(/(.{45,60}) /g, "$1\n");
    for (const { text } of chunkBlocks([block(Array.from({ length: 30 }, () => wrapped).join("\n"))], 0))
      expect(text).toMatch(/^Слово[\s\S]*здесь\.$/);
  });

  it("takes time in proportion to the number of headings", () => {
    const read = (text: string) =>
      chunkBlocks(
        text.split("\n").map((line, i) => block(line, [String(i)])),
        0,
      );
    expect(growthOf(read, (units) => "# ab\n".repeat(units / 5))).toBeLessThan(MAX_LINEAR_GROWTH);
  });
});
