import { describe, expect, it } from "vitest";
import { growthOf, MAX_LINEAR_GROWTH } from "#test/text-work";
import { readMarkdown } from "./read-markdown.ts";

const outline = (text: string) => readMarkdown(text).blocks.map(({ headings }) => headings.join(" > "));

describe("readMarkdown", () => {
  it("puts every section under its headings", () => {
    const { title, blocks } = readMarkdown(
      "Intro.\n\n# Guide #\n\n## Install `npm` **now**\nRun it.\n\n## [Use](https://a.example)\n# End\n",
    );
    expect(title).toBe("Guide");
    expect(blocks).toEqual([
      { text: "Intro.", headings: [], page: null },
      { text: "# Guide #", headings: ["Guide"], page: null },
      { text: "## Install `npm` **now**\nRun it.", headings: ["Guide", "Install npm now"], page: null },
      { text: "## [Use](https://a.example)", headings: ["Guide", "Use"], page: null },
      { text: "# End", headings: ["End"], page: null },
    ]);
  });

  it("knows underlined headings, and a missing level", () => {
    expect(outline("One\n===\na\n\nTwo\n---\nb\n\n#### Four\nc\n\n### Three\nd")).toEqual([
      "One",
      "One > Two",
      "One > Two > Four",
      "One > Two > Three",
    ]);
  });

  it("knows headings in HTML, of one line or several", () => {
    const { title, blocks } = readMarkdown(
      '<h1 align="center">Open Brain</h1>\n\nWords.\n\n<div><h2>\n  <img src="a.png">\n  Getting <b>started</b>\n</h2></div>\n\n## Use\nit',
    );
    expect(title).toBe("Open Brain");
    expect(blocks.map(({ headings }) => headings.join(" > "))).toEqual([
      "Open Brain",
      "Open Brain > Getting started",
      "Open Brain > Use",
    ]);
    expect(outline("```html\n<h1>No</h1>\n```\n<h1><img src='logo.png'></h1>\n# Yes")).toEqual(["", "Yes"]);
  });

  it("takes no heading from code, lists, tables or rules", () => {
    expect(
      outline("# A\n```sh\n# no\n~~~\n```\n~~~~\n# no\n~~~\n# no\n~~~~\n- item\n---\na | b\n--- | ---\n\ntwo\nlines\n---\n#no"),
    ).toEqual(["A"]);
  });

  it("reads the title of the front matter, which stays text", () => {
    const { title, blocks } = readMarkdown('---\nlayout: post\ntitle: "My: trip"\n---\n# Other\ntext');
    expect(title).toBe("My: trip");
    expect(blocks.map(({ text }) => text)).toEqual(['layout: post\ntitle: "My: trip"', "# Other\ntext"]);
    expect(readMarkdown("---\nno matter\n---\ntext").title).toBeNull();
  });

  it.each([
    ["headings", "# a\n"],
    ["unclosed links", "# [[[[[[\n"],
    ["marks", "# ****____\n"],
    ["underlines", "a\n\n---\n"],
    ["spaces in one heading", "#       "],
  ])("takes time in proportion to many %s", (_, unit) => {
    expect(growthOf(readMarkdown, (units) => unit.repeat(units / unit.length))).toBeLessThan(MAX_LINEAR_GROWTH);
  });

  it("reads 100,000 headings", () => {
    const { blocks } = readMarkdown("###### h\n".repeat(100_000));
    expect(blocks).toHaveLength(100_000);
  });
});
