import { deflateSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { withoutBombs } from "./pdf-streams.ts";

const latin = (text: string) => Uint8Array.from(text, (letter) => letter.charCodeAt(0));
const text = (bytes: Uint8Array) => Array.from(bytes, (byte) => String.fromCharCode(byte)).join("");
const zip = (content: Uint8Array) => text(deflateSync(content));
const stream = (dictionary: string, data: string) => `1 0 obj\n<< ${dictionary} >>\nstream\r\n${data}\nendstream\nendobj\n`;
const isBlanked = (file: string, data: string) => !text(withoutBombs(latin(file))).includes(data);

const MB = 1024 * 1024;

describe("withoutBombs", () => {
  it("keeps what pages have, and blanks pictures", () => {
    for (const data of ["q BT (a) Tj ET Q", zip(latin("q BT (a) Tj ET Q")), zip(new Uint8Array(2 * MB))])
      expect(isBlanked(stream("/Filter /FlateDecode", data), data)).toBe(false);
    expect(isBlanked(stream("/Subtype /Image", "picture"), "picture")).toBe(true);
    expect(isBlanked(stream("/Filter /DCTDecode", "picture"), "picture")).toBe(true);
  });

  it("blanks what becomes too large, also zipped twice or with names written in codes", () => {
    const bomb = zip(new Uint8Array(17 * MB));
    expect(isBlanked(stream("/Filter /FlateDecode", bomb), bomb)).toBe(true);
    const twice = zip(latin(zip(latin("small"))));
    expect(isBlanked(stream("/Filter [/FlateDecode /FlateDecode]", twice), twice)).toBe(true);
    const runs = "\x81a".repeat(40_000);
    expect(isBlanked(stream("/Filter /Run#4cengthDecode", runs), runs)).toBe(true);
  });

  it("blanks what saves too many states", () => {
    expect(isBlanked(stream("", "q Q ".repeat(20_000)), "q Q ")).toBe(false);
    expect(isBlanked(stream("", "q ".repeat(20_000)), "q ")).toBe(true);
  });

  it("refuses a file that becomes larger than 256 MB in all", () => {
    const part = stream("", zip(new Uint8Array(15 * MB)));
    expect(() => withoutBombs(latin(part.repeat(18)))).toThrow("256 MB");
  });

  it("reads a million streams that never end, or end together", () => {
    expect(withoutBombs(latin("stream\n".repeat(100)))).toHaveLength(700);
    expect(() => withoutBombs(latin("stream\n".repeat(1_000_000)))).toThrow("256 MB");
    expect(() => withoutBombs(latin(`${"stream\n".repeat(1_000_000)}endstream`))).toThrow("256 MB");
  });
});
