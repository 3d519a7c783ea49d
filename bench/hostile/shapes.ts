import { randomOf } from "#scripts/random-of";
import { PLAIN_SHAPES, repeated } from "#test/hostile-inputs";

type Make = (units: number) => string;

function randomly(seed: number, pick: (random: () => number) => string): Make {
  return (units) => {
    const random = randomOf(seed);
    let text = "";
    while (text.length < units) text += pick(random);
    return text.slice(0, units);
  };
}

const between = (from: number, to: number) => (random: () => number) =>
  String.fromCodePoint(from + Math.floor(random() * (to - from)));
const letters = (random: () => number, length: number) => Array.from({ length }, () => between(97, 123)(random)).join("");
const digits = (random: () => number, length: number) => Array.from({ length }, () => Math.floor(random() * 10)).join("");
const nested =
  (open: string, close: string): Make =>
  (units) => {
    const depth = Math.floor(units / (open.length + close.length));
    return open.repeat(depth) + close.repeat(depth);
  };

/** Words of other letters than any shape has, by which all that is compiled once is compiled. */
export const ORDINARY: Make = randomly(99, (random) => `${letters(random, 3 + Math.floor(random() * 7))} `);

/** Texts that are hard to read: characters without spaces, what opens and never closes, what almost is an identifier, and many small things. */
export const HOSTILE_SHAPES: Readonly<Record<string, Make>> = {
  ...PLAIN_SHAPES,
  "random Han": randomly(1, between(0x4e00, 0x9fff)),
  "random kana": randomly(2, between(0x3041, 0x30ff)),
  "random Hangul": randomly(3, between(0xac00, 0xd7a3)),
  "random Thai": randomly(4, between(0xe01, 0xe30)),
  "random Arabic": randomly(5, (random) => between(0x620, 0x64a)(random) + (random() < 0.2 ? " " : "")),
  "random emoji": randomly(6, between(0x1f300, 0x1f5ff)),
  "joined emoji": repeated("👩‍👩‍👧‍👦"),
  "random combining marks": randomly(7, (random) => `e${between(0x300, 0x36f)(random)}`),
  "zero-width characters": repeated("a\u200bb\u200d"),
  "direction marks": repeated("\u202ea\u202cb"),
  "lone surrogates": repeated("\ud800a"),
  "random words": randomly(8, (random) => `${letters(random, 3 + Math.floor(random() * 7))} `),
  "random long words": randomly(9, (random) => `${letters(random, 60)} `),
  "one long word": (units) => letters(randomOf(10), units),
  "random base64": randomly(11, (random) => btoa(letters(random, 12))),
  "random digits": randomly(12, (random) => digits(random, 16)),
  "card-like numbers": randomly(
    13,
    (random) => `4${digits(random, 3)} ${digits(random, 4)} ${digits(random, 4)} ${digits(random, 4)} `,
  ),
  "telephone-like numbers": randomly(14, (random) => `+49 30 ${digits(random, 7)} `),
  "ids and UUIDs": randomly(
    15,
    (random) => `${digits(random, 8)}-${digits(random, 4)}-4${digits(random, 3)}-8${digits(random, 3)}-${digits(random, 12)} `,
  ),
  "key-like words": randomly(16, (random) => `sk-${letters(random, 20)}${digits(random, 4)} `),
  addresses: randomly(17, (random) => `${letters(random, 6)}@${letters(random, 6)}.com `),
  dates: randomly(18, (random) => `20${digits(random, 2)}-0${1 + Math.floor(random() * 9)}-1${digits(random, 1)}T10:00 `),
  "numbered cries": repeated("1. x! "),
  homes: repeated("I live in Zwolle. "),
  "requests to forget": repeated("forget that. "),
  "statements of different things": randomly(19, (random) => `I like ${letters(random, 7)}. `),
  "facts of different things": randomly(20, (random) => `my favorite ${letters(random, 6)} is ${letters(random, 6)}. `),
  "people of different names": randomly(
    21,
    (random) => `my friend ${letters(random, 1).toUpperCase()}${letters(random, 5)} is here. `,
  ),
  "bullets of different things": randomly(22, (random) => `- ${letters(random, 6)}\n`),
  "list edits": randomly(23, (random) => `add ${letters(random, 6)} to my shopping list. `),
  questions: randomly(24, (random) => `what is my ${letters(random, 6)}? `),
  "opened HTML tags": repeated("<a "),
  "HTML comments": repeated("<!--"),
  "less-than signs before a greater-than": (units) => `${"< ".repeat((units - 1) / 2)}>`,
  "nested HTML": nested("<div>", "</div>"),
  "nested HTML lists": nested("<ul><li>", "</li></ul>"),
  "HTML tables": repeated("<table><tr><td>"),
  "HTML entities": repeated("&amp;&#65;&"),
  "nested JSON": nested("[", "]"),
  "opened JSON": repeated('{"a":'),
  "nested quotations": (units) => `${"> ".repeat(units / 2)}a`,
  "nested Markdown lists": (units) => {
    let text = "";
    for (let depth = 0; text.length < units; depth = (depth + 1) % 200) text += `${" ".repeat(depth)}- a\n`;
    return text.slice(0, units);
  },
  "Markdown headings": repeated("# a\n"),
  "Markdown links": repeated("[a](b "),
  "Markdown emphasis": repeated("**a*_"),
  "Markdown tables": repeated("|a|b|\n|-|-|\n"),
  "CSV quotes": repeated('"a""b,'),
  "CSV columns": repeated("a,"),
  "SQL and search operators": repeated('a" OR NEAR( * '),
};
