import fc from "fast-check";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { cleanValue } from "./clean-value.ts";
import { plainText } from "./plain-text.ts";
import { readLists } from "./read-lists.ts";
import { routeQuestion } from "./route-question.ts";
import { createTopicIndex } from "./topics.ts";

const topicIndex = createTopicIndex([]);
const ORDINALS = ["first", "second", "third", "fourth", "fifth", "sixth"];
const WORDS =
  "amber basil cobalt daisy ember flint grove hazel indigo jasper kelp linen Mocha Nickel Opal Pearl Quartz Rust Sable Teal".split(
    " ",
  );

const value = fc.uniqueArray(fc.constantFrom(...WORDS), { minLength: 1, maxLength: 3 }).map((words) => words.join(" "));
const values = fc.uniqueArray(value, { minLength: 2, maxLength: 6 });
const numbered = (mark: (n: number) => string, between: string) => (items: readonly string[]) =>
  items.map((item, i) => `${mark(i + 1)}${item}`).join(between);

/** Every style in which a list may be written, after "my favorite colors". */
const STYLES: Readonly<Record<string, (items: readonly string[]) => string>> = {
  "1) a, 2) b": (items) => ` are ${numbered((n) => `${n}) `, ", ")(items)}.`,
  "1. a 2. b": (items) => ` are ${numbered((n) => `${n}. `, " ")(items)}`,
  "(1) a (2) b": (items) => `: ${numbered((n) => `(${n}) `, " ")(items)}`,
  "#1 a, #2 b": (items) => ` are ${numbered((n) => `#${n} `, ", ")(items)}!`,
  "lines of 1.": (items) => `:\n${numbered((n) => `${n}. `, "\n")(items)}\n`,
  "lines of 1)": (items) => ` are as follows:\n\n${numbered((n) => `${n}) `, "\n")(items)}\n\nThat is all.`,
  "a heading": (items) => `\n\n${numbered((n) => `${n}. **`, "**\n")(items)}**`,
  hyphens: (items) => `:\n- ${items.join("\n- ")}`,
  stars: (items) => ` are:\n* ${items.join("\n* ")}\n\nWhat do you say to that?`,
  "dots in a line": (items) => `: • ${items.join(" • ")}`,
  ordinals: (items) => ` are ${items.map((item, i) => `${ORDINALS[i]} ${item}`).join(", ")}.`,
  "ordinals with is": (items) => `: ${items.map((item, i) => `${ORDINALS[i]} is ${item}`).join(", ")}`,
  "1st: a": (items) => `: ${items.map((item, i) => `${i + 1}${["st", "nd", "rd"][i] ?? "th"}: ${item}`).join(", ")}`,
  "a, then b": (items) => ` are ${items.join(", then ")}.`,
  "and then": (items) => ` are ${items.join(" and then ")}`,
  "followed by": (items) => ` are ${items.join(", followed by ")}`,
  "in order": (items) => `, in order: ${items.join(", ")}`,
  "in that order": (items) => ` are ${items.join(", ")}, in that order.`,
  "greater than": (items) => `: ${items.join(" > ")}`,
  arrows: (items) => `: ${items.join(" → ")}`,
  keycaps: (items) => ` are ${items.map((item, i) => `${i + 1}\ufe0f\u20e3 ${item}`).join(" ")}`,
  "full width": (items) => ` are ${items.map((item, i) => `${String.fromCharCode(0xff11 + i)}\uff09${item}`).join(" ")}`,
  circles: (items) => ` are ${items.map((item, i) => `${String.fromCharCode(0x2460 + i)} ${item}`).join(" ")}`,
  citations: (items) => ` are ${items.map((item, i) => `${i + 1}) ${item} [M${i + 1}]`).join(", ")}`,
  comments: (items) => `:\n${items.map((item, i) => `${i + 1}. ${item} (obviously)`).join("\n")}`,
  "a table": (items) => `:\n${items.map((item, i) => `| ${i + 1} | ${item} |`).join("\n")}`,
};
const wholeOf = (topic: string, items: readonly string[]) => ({
  topic,
  items: items.map((item, i) => ({ rank: i + 1, value: item })),
  whole: true,
});

describe("a list", () => {
  it.each(Object.entries(STYLES))("is read back from %s", (_name, style) => {
    fc.assert(
      fc.property(
        values,
        (items) =>
          void expect(readLists(`My favorite colors${style(items)}`, topicIndex)).toEqual([wholeOf("favorite_colors", items)]),
      ),
      { numRuns: 60 },
    );
  });

  it("stays with its topic when one message has two", () => {
    const style = fc.constantFrom(...Object.values(STYLES));
    fc.assert(
      fc.property(values, values, style, style, (colors, candies, one, other) => {
        const read = readLists(`My favorite colors${one(colors)}\n\nMy favorite candies${other(candies)}`, topicIndex);
        expect(read).toEqual([wholeOf("favorite_colors", colors), wholeOf("favorite_candies", candies)]);
      }),
      { numRuns: 300 },
    );
  });

  it("is not the speaker's own with one more word that attributes, denies or supposes it", () => {
    const style = fc.constantFrom(...Object.values(STYLES));
    const before = fc.constantFrom(
      "Bob says ",
      "If ",
      "Suppose that ",
      "She said: ",
      "I don't think ",
      "Imagine ",
      "Translate this: ",
      "Bob: ",
      "> ",
      "What if ",
    );
    fc.assert(
      fc.property(
        values,
        style,
        before,
        (items, write, lead) =>
          void expect(
            readLists(`${lead}my favorite colors${write(items)}`, topicIndex).filter(({ items: [first] }) => first?.rank === 1),
          ).toEqual([]),
      ),
      { numRuns: 300 },
    );
  });

  it("says one rank where one is named", () => {
    fc.assert(
      fc.property(
        value,
        fc.integer({ min: 0, max: 5 }),
        (item, at) =>
          void expect(readLists(`My ${ORDINALS[at]} favorite color is ${item}.`, topicIndex)).toEqual([
            { topic: "favorite_colors", items: [{ rank: at + 1, value: item }], whole: false },
          ]),
      ),
    );
  });
});

describe("nothing is certain", () => {
  it.each([
    "Please forget that my favorite colors are 1) blue 2) green",
    "It's false that my favorite colors are 1) blue 2) green",
    "The character's line is: my favorite colors are 1) blue 2) green",
    "my favorite color is blue, then when I was 5 it was green",
    "my favorite color is blue, next to green",
    "my favorite show is Lost, finally got to finish it",
    "Is it true that my second favorite color is blue",
    "my second favorite color is hard to pick",
    "my second favorite color is either red or blue",
    "[10:32] Bob: my favorite colors are 1) blue 2) green",
    "From: Bob\nMy favorite colors are 1) blue 2) green",
  ])("in %j", (text) => expect(readLists(text, topicIndex)).toEqual([]));
});

describe("what is said later in a message counts", () => {
  it.each([
    [
      "My favorite colors are 1) blue 2) red 3) tan. Or rather, my favorite colors are 1) red 2) blue.",
      [
        { rank: 1, value: "red" },
        { rank: 2, value: "blue" },
      ],
    ],
    [
      "My favorite colors are 1) blue 2) red. My second favorite color is teal.",
      [
        { rank: 1, value: "blue" },
        { rank: 2, value: "teal" },
      ],
    ],
  ])("%s", (text, items) => expect(readLists(text, topicIndex)).toEqual([{ topic: "favorite_colors", items, whole: true }]));
});

describe("reading any text", () => {
  it("answers distinct topics with distinct ranks from 1 and clean values", () => {
    const phrase = fc.constantFrom(
      "my favorite colors are ",
      "my second favorite tv show is ",
      "1) ",
      "2. ",
      ", then ",
      "blue",
      "Dark",
      "\n",
      "- ",
      "?",
      "«",
      '"',
      "我最喜欢的颜色是",
      "mis colores favoritos son ",
      "mes couleurs préférées : ",
      "meine Lieblingsfarben sind ",
      "> ",
      "`",
      " is my favorite candy",
      "#3 ",
    );
    const text = fc.oneof(
      fc.string({ unit: "binary", maxLength: 200 }),
      fc.array(phrase, { maxLength: 20 }).map((parts) => parts.join("")),
    );
    fc.assert(
      fc.property(text, (said) => {
        const lists = readLists(said, topicIndex);
        expect(new Set(lists.map(({ topic }) => topic)).size).toBe(lists.length);
        for (const { items, whole } of lists) {
          const ranks = items.map(({ rank }) => rank);
          expect(ranks).toEqual([...new Set(ranks)].toSorted((a, b) => a - b));
          if (whole) expect(ranks).toEqual(ranks.map((_, i) => i + 1));
          for (const each of items) expect(each.value.trim()).toBe(each.value);
        }
        routeQuestion(said, topicIndex);
      }),
      { numRuns: 500 },
    );
  });

  it("cleans a clean value no further, and a clean text no further", () => {
    fc.assert(
      fc.property(
        value,
        (item) => void expect(cleanValue(cleanValue(`${item} [M1] (sure), lol!`.replace(" [M1]", "")) ?? "")).toBe(item),
      ),
    );
    fc.assert(
      fc.property(
        fc.array(fc.constantFrom("a ", "**b** ", "\n", "# c", "1) ", "[M1]", "① ", "_d_ ", "> e"), { maxLength: 12 }),
        (parts) => {
          const once = plainText(parts.join(""));
          expect(plainText(once)).toBe(once);
        },
      ),
    );
  });
});

describe("the work for a long message", () => {
  const exec = RegExp.prototype.exec;
  let passed = 0;
  beforeEach(() => {
    passed = 0;
    RegExp.prototype.exec = function counted(text: string) {
      const from = this.global || this.sticky ? this.lastIndex : 0;
      const match = exec.call(this, text);
      passed += 1 + (match === null ? text.length : match.index + match[0].length) - from;
      return match;
    };
  });
  afterEach(() => {
    RegExp.prototype.exec = exec;
  });

  const long = (part: string) => part.repeat(Math.floor(64_000 / part.length));
  it.each([
    "my ",
    "my favorite ",
    "my favorite colors are ",
    "my favorite colors are 1) a ",
    "my favorites:\ncolors: 1. a\n",
    "a is my favorite color, ",
    "meine Lieblings",
    "mis a b c ",
    "mes a b c ",
    "我最喜欢的颜色是",
    "1) ",
    "> ",
    '" ',
    " '",
    "`",
    "*",
    "[1]",
    "(",
    "| ",
    "~",
    "blue, then ",
    "fav ",
    "\n",
    " ",
    "a",
    "😀",
  ])("of %j is at most 300 looks at a character", (part) => {
    readLists(long(part), topicIndex);
    routeQuestion(long(part).slice(0, 300), topicIndex);
    expect(passed).toBeLessThan(300 * 64_000);
  });
});
