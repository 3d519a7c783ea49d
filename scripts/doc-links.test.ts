import { expect, it } from "vitest";
import { anchorsOf, findBrokenLinks } from "./doc-links.ts";

const pages = (more: Record<string, string>) =>
  new Map(Object.entries({ "docs/a.md": "# A page\n\n## Who said it?\n", ...more }));
const broken = (text: string) => findBrokenLinks(pages({ "README.md": text }), (path) => ["LICENSE", "examples/"].includes(path));

it.each([
  "[a](docs/a.md)",
  "[a](docs/a.md#who-said-it)",
  "[l](LICENSE)",
  "[e](examples/)",
  "[x](https://example.com/none)",
  "# Here\n[h](#here)",
])("accepts %s", (text) => expect(broken(text)).toEqual([]));

it("names file, line and reason of a link that leads nowhere", () => {
  expect(broken("text\n[b](docs/b.md)\n[c](docs/a.md#nothing) and [d](#none)")).toEqual([
    { file: "README.md", line: 2, link: "docs/b.md", reason: "There is no docs/b.md." },
    { file: "README.md", line: 3, link: "docs/a.md#nothing", reason: "docs/a.md has no heading for #nothing." },
    { file: "README.md", line: 3, link: "#none", reason: "README.md has no heading for #none." },
  ]);
});

it("reads links from the page's own folder", () => {
  const found = findBrokenLinks(pages({ "docs/b.md": "[up](../README.md) [same](a.md)", "README.md": "" }), () => false);
  expect(found).toEqual([]);
});

it("looks for files that code in a sentence names, from the repository's folder", () => {
  const text = "In `src/a.ts`, `src/b.ts` and `rank/c.ts`; `src/domain/` too.";
  const found = findBrokenLinks(pages({ "docs/b.md": text }), (file) => ["src/a.ts", "src/domain/"].includes(file));
  expect(found).toEqual([{ file: "docs/b.md", line: 1, link: "src/b.ts", reason: "There is no src/b.ts." }]);
});

it("leaves code alone", () => {
  expect(broken("```\n[b](docs/b.md)\n```\nand `[b](docs/b.md)`")).toEqual([]);
  expect(anchorsOf("```\n# no heading\n```")).toEqual(new Set());
});

it("makes anchors as GitHub does", () => {
  expect(
    anchorsOf(
      "# The proxy\n## `invalid_input`\n## What is replaced, what is contradicted\n## The proxy\n## [Keys](k.md) & users",
    ),
  ).toEqual(new Set(["the-proxy", "invalid_input", "what-is-replaced-what-is-contradicted", "the-proxy-1", "keys--users"]));
});
