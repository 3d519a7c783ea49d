import { describe, expect, it } from "vitest";
import { readDocument } from "#domain/sources";
import { docxFile, docxParagraph } from "#test/docx-file";
import { pdfFile } from "#test/pdf-file";

const bytesOf = (text: string) => new TextEncoder().encode(text);
const read = (bytes: Uint8Array, path: string, page = 0) => readDocument({ bytes, path, mediaType: "" }, { page });

describe("readDocument", () => {
  it("reads a PDF page by page", async () => {
    const slice = await read(pdfFile(["First page.\nSecond line.", "Second (page)."], { title: "A plan" }), "plan.pdf");
    console.log(JSON.stringify(slice));
  });
  it("reads HTML", async () => {
    console.log(
      JSON.stringify(
        await read(
          bytesOf(
            "<title>A &amp; B</title><nav>x</nav><h1>One <b>two</b></h1><p>Text &eacute;<p>more<ul><li>a<li>b</ul><table><tr><td>1<td>2</table><script>var x</script>",
          ),
          "a.html",
        ),
      ),
    );
  });
  it("reads DOCX", async () => {
    console.log(JSON.stringify(await read(docxFile(docxParagraph("Head", 1) + docxParagraph("Some text")), "a.docx")));
  });
  it("reads others", async () => {
    for (const [text, path] of [
      ["a,b\n1,2\n=SUM(A1),x", "a.csv"],
      ['{"a":[1,2]}', "a.json"],
      ["# A\n\nb\n## C\nd", "a.md"],
      ["foo\n\nbar", "a.ts"],
      ["foo. bar", "a.txt"],
      ["\u00e9", "a.txt"],
    ] as const)
      console.log(JSON.stringify(await read(bytesOf(text), path)));
    console.log(JSON.stringify(await read(Uint8Array.from([0xe9, 0x74, 0xe9, 0x20, 0x61]), "a.txt")));
  });
});
