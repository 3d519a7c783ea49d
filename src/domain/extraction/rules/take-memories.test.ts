import { describe, expect, it } from "vitest";
import { FITTED } from "#corpora/extraction";
import { repeated } from "#test/hostile-inputs";
import { growthOf, MAX_LINEAR_GROWTH } from "#test/text-work";
import { MAX_READ_UNITS, takeMemories } from "./take-memories.ts";

function contents(text: string): string[] {
  return takeMemories([{ role: "user", text }]).map(({ content }) => content);
}

describe("a taken memory", () => {
  it("has its offsets in the message as it was given", () => {
    for (const { messages } of FITTED)
      for (const { content, messageIndex, start, end } of takeMemories(messages)) {
        const said = messages[messageIndex]?.text.slice(start, end).replace(/\s+/gu, " ");
        expect(content.toLowerCase().endsWith(said?.toLowerCase() ?? "?")).toBe(true);
        expect(content.length - (said?.length ?? 0)).toBeLessThanOrEqual("I'm ".length);
      }
  });

  it("has its offsets after injected memory, too", () => {
    const text = "<edgewise-memory>I live in Rome</edgewise-memory> hey, I live in Rome";
    expect(takeMemories([{ role: "user", text }])).toMatchObject([{ start: 55, end: 69, content: "I live in Rome" }]);
  });

  it("comes in the order of the messages, and once", () => {
    const taken = takeMemories([
      { role: "user", text: "I live in Bonn." },
      { role: "assistant", text: "I live in Oslo." },
      { role: "user", text: "i LIVE in Bonn!! And I work at Shell." },
    ]);
    expect(taken.map(({ content, messageIndex }) => [content, messageIndex])).toEqual([
      ["I live in Bonn", 0],
      ["I work at Shell", 2],
    ]);
  });

  it("is cut at a word before 500 units", () => {
    const [content] = contents(`Remember that ${"walking and ".repeat(80)}tea is good`);
    expect(content?.length).toBeLessThanOrEqual(500);
    expect(content).toMatch(/^walking.* (?:walking|and)$/u);
  });

  it("has its white space collapsed", () => {
    expect(contents("I   live\tin \u00a0 Rome")).toEqual(["I live in Rome"]);
  });

  it("is not extracted from an empty message, or from none", () => {
    expect(takeMemories([])).toEqual([]);
    expect(contents("")).toEqual([]);
  });
});

describe("a quotation of several sentences is not taken", () => {
  it.each([
    ["“", "”"],
    ["„", "“"],
    ["«", "»"],
    ["»", "«"],
    ["‹", "›"],
    ["‘", "’"],
    ["「", "」"],
    ["『", "』"],
    ['"', '"'],
    ["'", "'"],
    ["`", "`"],
    ["＂", "＂"],
    ["<blockquote>", "</blockquote>"],
    ["<q>", "</q>"],
    ["*", "*"],
  ])("%s%s", (open, close) => {
    expect(
      contents(`Overheard. ${open}Nice town, this. I live in Rome. I live well here, too.${close} I work at Shell.`),
    ).toEqual(["I work at Shell"]);
  });

  it("nor what has no end of it in its paragraph", () => {
    expect(contents('Overheard. "Nice town. I live in Rome. I live in Oslo.\n\nI work at Shell.')).toEqual(["I work at Shell"]);
  });

  it("but an apostrophe quotes nothing", () => {
    expect(
      contents("It's the dogs' house. I live in Rome. 'Twas late. I work at Shell. That's 5'10\" or 6\". I'm vegan."),
    ).toEqual(["I live in Rome", "I work at Shell", "I'm vegan"]);
  });
});

describe("of a long conversation", () => {
  it("the end is read", () => {
    const filler = "All quiet here. ".repeat(MAX_READ_UNITS / 16);
    expect(contents(`I live in Rome. ${filler}`)).toEqual([]);
    expect(contents(`${filler} I live in Rome.`)).toEqual(["I live in Rome"]);
  });

  it("the last messages are read", () => {
    const filler = { role: "user" as const, text: "All quiet here. ".repeat(MAX_READ_UNITS / 16) };
    const stated = { role: "user" as const, text: "I live in Rome." };
    expect(takeMemories([stated, filler])).toEqual([]);
    expect(takeMemories([filler, stated])).toHaveLength(1);
  });

  it("what assistants say does not push out what users say", () => {
    const long = { role: "assistant" as const, text: "All quiet here. ".repeat(MAX_READ_UNITS / 8) };
    expect(takeMemories([{ role: "user", text: "I live in Rome." }, long])).toHaveLength(1);
  });

  it("a quotation that began before its end stays one", () => {
    const filler = "All quiet here. ".repeat(MAX_READ_UNITS / 16);
    expect(contents(`\`\`\`\n${filler}\nI live in Rome.\n\`\`\`\n`)).toEqual([]);
  });
});

/** What is read in proportion to the text takes a second at most, and what is quadratic takes minutes, so that the test runs out of time. */
describe("hostile text of 64 Ki units is read with work in proportion to it", () => {
  it.each([
    "I prefer ",
    "I prefer, ",
    "and I prefer tea ",
    "i and we and ",
    "I'm a really really ",
    "my brother Tom, my brother ",
    "Anna and Bert and ",
    "Is my favorite ",
    "when I when I ",
    "remember that ",
    "so, well, and, but ",
    "((((",
    "'a 'b ",
    '"" "',
    "“„«‘",
    "......",
    "?!?!x",
    "…”…”",
    "* ** *a",
    "`` ``` ",
    "<q><q ",
    "<edgewise-memory></edgewise-memory>",
    "-- - -",
    "Dr. Mr. ",
    "a: b: ",
    "Kim: \n",
    "On wrote ",
    "我喜欢，",
    "我今年",
    "ich trinke gerne und ",
    "me gusta y ",
    "j'aime et ",
    "write a ",
    "\n\n \n",
    "    ",
    "é́",
    "😀",
    "I have a sister named ",
    "one of my favorite ",
  ])("%j", (piece) => {
    let taken = 0;
    const take = (text: string) => {
      taken = takeMemories([{ role: "user", text }]).length;
    };
    expect(growthOf(take, repeated(piece), MAX_READ_UNITS / 10)).toBeLessThanOrEqual(MAX_LINEAR_GROWTH);
    expect(taken).toBeLessThan(10);
  });
});

describe("a sentence that is too long", () => {
  it("is read where it begins: a statement before 64,000 digits is taken", () => {
    const [taken, ...others] = takeMemories([{ role: "user", text: `I live in Rome because ${"1".repeat(64_000)}` }]);
    expect(taken?.content).toMatch(/^I live in Rome\b/u);
    expect(others).toEqual([]);
  });

  it("stays a question to its end: nothing is extracted from its rest", () => {
    const statement = `${"and so on ".repeat(150)}, I live in Rome and I prefer tea`;
    expect(takeMemories([{ role: "user", text: `Is it true that ${statement}` }])).toEqual([]);
  });
});
