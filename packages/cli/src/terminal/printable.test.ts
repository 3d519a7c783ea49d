import fc from "fast-check";
import { expect, it } from "vitest";
import { printable, printableJson, printableLine } from "./printable.ts";

/** What a terminal obeys, apart from line breaks and tabs. */
const OBEYED = [
  [0x00, 0x08],
  [0x0b, 0x1f],
  [0x7f, 0x9f],
  [0x202a, 0x202e],
  [0x2066, 0x2069],
] as const;

function isObeyed(text: string): boolean {
  const codes = [...text].map((character) => character.codePointAt(0) ?? 0);
  return codes.some((code) => OBEYED.some(([from, to]) => code >= from && code <= to));
}

const text = () => fc.string({ unit: fc.integer({ min: 0, max: 0x2100 }).map((code) => String.fromCodePoint(code)) });

it("shows escape sequences instead of sending them to the terminal", () => {
  expect(printable("a\u001b[31mred\u0007")).toBe("a\\u{1b}[31mred\\u{7}");
  expect(printable("\u009b2J")).toBe("\\u{9b}2J");
  expect(printable("safe\u202egnp.exe")).toBe("safe\\u{202e}gnp.exe");
  expect(printable("over\rwritten")).toBe("over\\u{d}written");
});

it("keeps what people write: line breaks, tabs, all scripts, emoji", () => {
  const written = "東京\tمرحبا\nà la carte 👩‍👩‍👧";
  expect(printable(written)).toBe(written);
  expect(printable("two\r\nlines")).toBe("two\nlines");
  expect(printableLine(" two\r\n  lines\t")).toBe("two lines");
});

it("leaves nothing that a terminal obeys in any text", () => {
  fc.assert(fc.property(text(), (any) => !isObeyed(printable(any))));
});

it("prints JSON that parses to the same value and that a terminal does not obey", () => {
  fc.assert(
    fc.property(text(), (any) => {
      const json = printableJson({ any, list: [any] });
      expect(JSON.parse(json)).toEqual({ any, list: [any] });
      expect(isObeyed(json)).toBe(false);
    }),
  );
});
