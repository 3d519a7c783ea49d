import { readFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { STATUS } from "#surfaces/rest/problem";
import { anchorsOf } from "../doc-links.ts";
import { ROOT } from "../wrangler.ts";
import { contentsOf } from "./contents.ts";
import { renderGuide } from "./guide.ts";

const FILES = new Set(["README.md", "docs/keys.md", "docs/memories.md", "packages/client/README.md"]);
const render = (markdown: string, file = "docs/memories.md") => renderGuide(file, markdown, FILES);

describe("a guide", () => {
  it("has the address, the title and the parts of its file", () => {
    const guide = render("# Memories\n\n## What a *memory* has\n\n### More\n\n## [Secrets](keys.md)\n");
    expect(guide).toMatchObject({ name: "memories", title: "Memories" });
    expect(guide.parts).toEqual([
      { anchor: "what-a-memory-has", title: "What a <em>memory</em> has" },
      { anchor: "secrets", title: "Secrets" },
    ]);
    expect(render("# Edgewise\n", "README.md").name).toBe("readme");
  });

  it.each([
    ["keys.md", "/docs/keys"],
    ["keys.md#browsers", "/docs/keys#browsers"],
    ["../README.md#tour", "/docs/readme#tour"],
    ["../packages/client/README.md", "/docs/package-client"],
    ["#secrets", "#secrets"],
    ["https://example.com/a?b=1&c=2", "https://example.com/a?b=1&amp;c=2"],
  ])("links %s to %s", (href, to) => {
    expect(render(`See [it](${href}).`).body).toBe(`<p>See <a href="${to}">it</a>.</p>\n`);
  });

  it("shows a link to a file without a page as text", () => {
    expect(render("See [the rules](../src/rules.ts) and [it](javascript.md).").body).toBe("<p>See the rules and it.</p>\n");
  });

  it("shows HTML as text, in prose and in code", () => {
    const { body } = render('A <script>alert("1")</script> and\n\n<b>block</b>\n\n```html\n<i a="1">&amp;</i>\n```\n');
    expect(body).not.toMatch(/<(?:script|b|i)\b/);
    expect(body).toContain("&lt;script&gt;");
    expect(body).toContain("&lt;i a=&quot;1&quot;&gt;&amp;amp;&lt;/i&gt;");
  });

  it("lets a reader scroll wide tables and code by keys", () => {
    const { body } = render("| A | B |\n|---|---|\n| `x` | [y](keys.md) |\n\n```sh\nls\n```\n");
    expect(body).toMatch(/<div class="table" role="region" aria-label="Table" tabindex="0"><table>[\s\S]*<\/table>\n<\/div>/);
    expect(body).toContain('<td><code>x</code></td>\n<td><a href="/docs/keys">y</a></td>');
    expect(body).toContain('<pre tabindex="0"><code>ls</code></pre>');
  });

  it("has the anchors that GitHub makes of the same page", () => {
    for (const file of ["README.md", "docs/extraction.md", "docs/benchmarks.md", "docs/errors.md"]) {
      const markdown = readFileSync(path.join(ROOT, file), "utf8");
      const anchors = [...render(markdown, file).body.matchAll(/<h\d id="([^"]*)"/g)].map(([, anchor]) => anchor);
      const [title, ...others] = anchorsOf(markdown);
      expect(title).toBeDefined();
      expect(anchors).toEqual(others);
    }
  });

  it("numbers the anchors of equal headings, as GitHub does, and counts the title", () => {
    const { body } = render("# Memories\n\n## Lists\n\n## Memories\n\n### Lists\n");
    expect([...body.matchAll(/id="([^"]*)"/g)].map(([, anchor]) => anchor)).toEqual(["lists", "memories-1", "lists-1"]);
  });

  it("about errors has a part for every code, at the address that problems name", () => {
    const { parts } = render(readFileSync(path.join(ROOT, "docs", "errors.md"), "utf8"), "docs/errors.md");
    expect(parts.map(({ anchor }) => anchor).toSorted()).toEqual(Object.keys(STATUS).toSorted());
  });
});

describe("the contents", () => {
  const readme =
    "# A\n\n## Documentation\n\n| | |\n|---|---|\n| The API | [Keys](docs/keys.md) · [People](docs/people.md#a) |\n| Code | [x](src/x.ts) |\n\n## Source\n\n| Not | [this](docs/memories.md) |\n";

  it("are in the order of README.md, which comes first, and what it does not list comes last", () => {
    expect(contentsOf(readme, ["README.md", "docs/keys.md", "docs/memories.md", "docs/people.md"])).toEqual([
      { heading: "Start", files: ["README.md"] },
      { heading: "The API", files: ["docs/keys.md", "docs/people.md"] },
      { heading: "Other", files: ["docs/memories.md"] },
    ]);
  });
});
