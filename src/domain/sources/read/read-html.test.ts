import { describe, expect, it } from "vitest";
import { readHtml, readHtmlText } from "./read-html.ts";

const text = (html: string) => readHtmlText(html).blocks.map((block) => block.text);
const HTML = `<!doctype html><html><head><title> A &amp; B </title><style>p{}</style></head><body><nav>Menu<p>Home</nav>
<h1>One <b>two</b></h1><p>Caf&eacute;   au
lait<br>next<script>alert("<p>no</p>")</script><h3>Sub</h3><ul><li>a<li>b</ul><table><tr><th>x<th>y<tr><td>1<td>2</table>
<pre>  kept
   here</pre><p hidden>secret</p><h2></h2>end</body></html>`;

describe("readHtml", () => {
  it("reads text by its headings, without what no reader sees", () => {
    expect(readHtmlText(HTML)).toEqual({
      title: "A & B",
      blocks: [
        { text: "One two\n\nCafé au lait\nnext", headings: ["One two"], page: null },
        { text: "Sub\n\n- a\n- b\n\nx | y\n1 | 2\n\n  kept\n   here", headings: ["One two", "Sub"], page: null },
        { text: "end", headings: ["One two", "Sub"], page: null },
      ],
      pages: null,
      next: null,
    });
  });

  it("keeps the rows of tables whose cells hold paragraphs, as those of Word documents do", () => {
    const cell = (inner: string) => `<td><p>${inner}</p></td>`;
    const row = (...cells: string[]) => `<tr>${cells.map(cell).join("")}</tr>`;
    const table = `<table><thead>${row("Room", "Guest")}</thead><tbody>${row("Blue", "Marguerite")}${row("", "Nobody")}</tbody></table>`;
    expect(text(`<p>Before</p>${table}<p>After</p>`)).toEqual(["Before\n\nRoom | Guest\nBlue | Marguerite\nNobody\n\nAfter"]);
    expect(text("<table><tr><td><ul><li>a</li><li>b</li></ul></td><td>c</td></tr></table>d")).toEqual(["- a\n- b | c\n\nd"]);
    expect(text("<table><tr><td>a<table><tr><td>b</td><td>c</td></tr></table></td><td>d</td></tr></table>")).toEqual([
      "a\n\nb | c\n\nd",
    ]);
  });

  it("takes the first heading for a missing title", () => {
    expect(readHtmlText("<p>a<h2>Head</h2>b").title).toBe("Head");
  });

  it("decodes the encoding that the page declares", () => {
    const bytes = Uint8Array.from('<meta charset="iso-8859-2">\xb1', (letter) => letter.charCodeAt(0));
    expect(readHtml(bytes).blocks[0]?.text).toBe("ą");
  });

  it("decodes references once, also those that are none", () => {
    expect(text("&amp;lt; &#xD800; &#0; &nosuch; &notit; &#128512;")).toEqual(["&lt; \ufffd \ufffd &nosuch; ¬it; 😀"]);
  });

  it("reads a page whose navigation or whose heading is never closed", () => {
    expect(text("<nav>a<p>b")).toEqual(["a\n\nb"]);
    expect(text("<div><nav>a</div><p>b")).toEqual(["b"]);
    expect(text("<h1>a<p>b<h2>c</h2>d")).toEqual(["a\n\nb", "c\n\nd"]);
  });

  it("reads one token of 10 MB, whatever it is", () => {
    const long = "a".repeat(10_000_000);
    for (const token of [`<a href="${long}">x</a>`, `<!--${long}-->x`, `x<a b="${long}`, `x<script>${long}`, `x<${long}`])
      expect(text(token)[0]).toMatch(/^x/);
  });

  it("refuses 100,000 nested elements and too much text", () => {
    expect(() => readHtmlText("<div>".repeat(100_000))).toThrow("1,000 elements");
    expect(() => readHtmlText("<b>".repeat(100_000))).toThrow("1,000 elements");
    expect(() => readHtmlText(`<p>${"a".repeat(5_000_001)}`)).toThrow("5,000,000 characters");
  });

  it("reads 100,000 elements beside each other", () => {
    expect(readHtmlText("<h1>a</h1>b".repeat(100_000)).blocks).toHaveLength(100_000);
  });
});
