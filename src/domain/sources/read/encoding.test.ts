import { describe, expect, it } from "vitest";
import { decodeText } from "./decode-text.ts";
import { encodingOf } from "./encoding.ts";

const utf16 = (text: string, littleEndian: boolean) => {
  const view = new DataView(new ArrayBuffer(text.length * 2));
  for (let i = 0; i < text.length; i++) view.setUint16(i * 2, text.charCodeAt(i), littleEndian);
  return new Uint8Array(view.buffer);
};
const utf8 = (text: string) => new TextEncoder().encode(text);
const latin = (text: string) => Uint8Array.from(text, (letter) => letter.charCodeAt(0));
const GERMAN = "Die Straße führt über die Brücke, und die Vögel fliegen nach Süden. Äpfel und Öl gibt es für alle.";
const TEXTS = {
  English: "The quick brown fox jumps over the lazy dog.",
  Russian: "Съешь же ещё этих мягких французских булок, да выпей чаю.",
  Chinese: "我爱北京天安门。今天天气很好，我们去公园散步吧。",
  Japanese: "吾輩は猫である。名前はまだ無い。どこで生れたかとんと見当がつかぬ。",
};

describe("decodeText", () => {
  it.each(Object.entries(TEXTS))("reads %s as UTF-8 and as UTF-16, with a mark and without", (_, text) => {
    const long = `${text}\n`.repeat(5);
    expect(decodeText(utf8(long))).toBe(long);
    expect(decodeText(utf8(`\ufeff${long}`))).toBe(long);
    for (const littleEndian of [true, false]) {
      expect(decodeText(utf16(`\ufeff${long}`, littleEndian))).toBe(long);
      expect(decodeText(utf16(long, littleEndian))).toBe(long);
    }
  });

  it("guesses other encodings", () => {
    expect(decodeText(latin(GERMAN))).toBe(GERMAN);
    const shiftJis = latin(
      "\x8c\xe1\x94y\x82\xcd\x94L\x82\xc5\x82\xa0\x82\xe9\x81B\x96\xbc\x91O\x82\xcd\x82\xdc\x82\xbe\x96\xb3\x82\xa2\x81B",
    );
    expect(decodeText(shiftJis)).toBe("吾輩は猫である。名前はまだ無い。");
    const windows1251 = latin(
      "\xcf\xe0\xec\xff\xf2\xfc \xed\xf3\xe6\xed\xe0 \xed\xe5 \xf2\xee\xeb\xfc\xea\xee \xeb\xfe\xe4\xff\xec. \xca\xee\xe3\xe4\xe0 \xec\xfb \xe3\xee\xe2\xee\xf0\xe8\xec \xf1 \xec\xe0\xf8\xe8\xed\xee\xe9, \xee\xed\xe0 \xe4\xee\xeb\xe6\xed\xe0 \xef\xee\xec\xed\xe8\xf2\xfc, \xf7\xf2\xee \xe1\xfb\xeb\xee \xf1\xea\xe0\xe7\xe0\xed\xee \xf0\xe0\xed\xfc\xf8\xe5, \xe8 \xe7\xe0\xe1\xfb\xe2\xe0\xf2\xfc \xf2\xee, \xee \xf7\xb8\xec \xe5\xb8 \xef\xee\xef\xf0\xee\xf1\xe8\xeb\xe8 \xe7\xe0\xe1\xfb\xf2\xfc.",
    );
    expect(decodeText(windows1251)).toBe(
      "Память нужна не только людям. Когда мы говорим с машиной, она должна помнить, что было сказано раньше, и забывать то, о чём её попросили забыть.",
    );
  });

  it("believes a declared encoding before a guess, if it decodes", () => {
    expect(encodingOf(latin("caf\xe9"), "iso-8859-2")).toBe("iso-8859-2");
    expect(encodingOf(utf8("café"), "iso-8859-2")).toBe("utf-8");
    expect(decodeText(latin("caf\xe9"), { declared: "no such encoding" })).toBe("café");
  });

  it("replaces what cannot be stored, keeps what turns text around, and makes line ends one", () => {
    expect(decodeText(utf8(`a\0${"b".repeat(100)}\u202ec\r\nd\re`))).toBe(`a\ufffd${"b".repeat(100)}\u202ec\nd\ne`);
    expect(decodeText(utf16(`\ufeffa\ud800b`, true)).isWellFormed()).toBe(true);
  });

  it("refuses what is no text, and UTF-32", () => {
    const noise = Uint8Array.from({ length: 5_000 }, (_, i) => (i * 7919 + (i >> 3) * 31) & 0xff);
    expect(() => decodeText(noise)).toThrow("no text");
    expect(() => decodeText(latin("\xff\xfe\0\0a\0\0\0"))).toThrow("UTF-32");
  });

  it("refuses a text that is too long before it is decoded", () => {
    expect(() => decodeText(new Uint8Array(5_000_001).fill(0x61))).toThrow("5,000,000 characters");
    expect(decodeText(new Uint8Array(5_000_000).fill(0x61))).toHaveLength(5_000_000);
  });
});
