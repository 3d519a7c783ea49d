import { deflateSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { createWorkersAiToMarkdown } from "#adapters/workers-ai-to-markdown";
import { chunkBlocks, readDocument } from "#domain/sources";
import { docxFile, docxParagraph } from "#test/docx-file";
import { compositeFontPdf, pdfFile, pdfOf } from "#test/pdf-file";
import { SimulatedToMarkdown } from "#test/simulated-to-markdown";

const utf8 = (text: string) => new TextEncoder().encode(text);
const latin = (text: string) => Uint8Array.from(text, (letter) => letter.charCodeAt(0));
const read = (bytes: Uint8Array, path: string, page = 0) => readDocument({ bytes, path, mediaType: "" }, { page });
const refusal = (bytes: Uint8Array, path: string) =>
  read(bytes, path).then(
    () => "read",
    (error: Error) => `${error.name}: ${error.message}`,
  );

describe("readDocument", () => {
  it("refuses empty and large files, and files without text", async () => {
    expect(await refusal(new Uint8Array(), "a.txt")).toBe("UnreadableFile: The file is empty.");
    expect(await refusal(new Uint8Array(26_214_401), "a.pdf")).toContain("larger than 25 MB");
    expect(await refusal(utf8("word ".repeat(1_000_001)), "a.txt")).toContain("5,000,000 characters");
    expect(await refusal(utf8(" \n"), "a.md")).toBe("UnreadableFile: The file holds no text.");
    expect(await refusal(utf8("<script>x</script>"), "a.html")).toBe("UnreadableFile: The file holds no text.");
  });

  it("names what it does not read", async () => {
    expect(await refusal(latin("\x89PNG\r\n\x1a\n"), "a.txt")).toBe(
      "UnreadableFile: The file is a PNG image, which is not read.",
    );
  });

  it("lets a converter read what it does not read", async () => {
    const ai = new SimulatedToMarkdown();
    const sheet = { bytes: latin("\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"), path: "private name.xls", mediaType: "" };
    const slice = await readDocument(sheet, { page: 0 }, createWorkersAiToMarkdown({ ai }));
    expect(slice).toMatchObject({ title: "A converted xls", blocks: [{ headings: ["A converted xls"] }] });
    expect(ai.calls).toEqual([{ name: "document.xls", bytes: 8, type: "" }]);
    await readDocument({ ...sheet, bytes: utf8("a"), path: "a.txt" }, { page: 0 }, createWorkersAiToMarkdown({ ai }));
    expect(ai.calls).toHaveLength(1);
  });

  it("knows every encoding that may be guessed", () => {
    for (const name of [
      "Shift_JIS",
      "Big5",
      "EUC-JP",
      "EUC-KR",
      "GB18030",
      "KOI8-R",
      "windows-1251",
      "ISO-8859-2",
      "ISO-2022-JP",
    ])
      expect(new TextDecoder(name).encoding).toBe(name.toLowerCase());
  });
});

describe("a PDF", () => {
  it("is read page by page, with its title", async () => {
    const slice = await read(pdfFile(["First page.\nSecond line.", "", "Third (page)."], { title: "A plan" }), "plan.txt");
    expect(slice).toEqual({
      title: "A plan",
      blocks: [
        { text: "First page.\nSecond line.", headings: [], page: 1 },
        { text: "Third (page).", headings: [], page: 3 },
      ],
      pages: 3,
      next: null,
    });
  });

  it("is read in slices of 100 pages, and its bytes stay as they are", async () => {
    const bytes = pdfFile(Array.from({ length: 250 }, (_, i) => `This is page ${i + 1}.`));
    const before = bytes.slice();
    const pages: (number | null)[] = [];
    for (let from: number | null = 0; from !== null; ) {
      const slice = await read(bytes, "a.pdf", from);
      pages.push(...slice.blocks.map(({ page }) => page));
      for (const { page, text } of chunkBlocks(slice.blocks, 0)) expect(text).toBe(`This is page ${page}.`);
      from = slice.next;
    }
    expect(pages).toEqual(Array.from({ length: 250 }, (_, i) => i + 1));
    expect(bytes).toEqual(before);
  });

  it("may end with a slice without text, but not be without any", async () => {
    const empty = Array.from({ length: 110 }, () => "");
    expect(await read(pdfFile(["text", ...empty]), "a.pdf", 100)).toMatchObject({ blocks: [], next: null });
    await expect(read(pdfFile(empty), "a.pdf", 100)).rejects.toThrow("holds no text");
    expect(await refusal(pdfFile([""]), "a.pdf")).toContain("it was scanned");
  });

  it("is refused with more than 2,000 pages", async () => {
    const page = "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 9 9] >>";
    const pages = `<< /Type /Pages /Kids [${"3 0 R ".repeat(2_001)}] /Count 2001 >>`;
    expect(await refusal(pdfOf([CATALOG, pages, page]), "a.pdf")).toContain("has 2,001 pages; at most 2,000");
  });

  it.each(Object.entries(brokenPdfs()))("that is broken is refused: %s", async (_, bytes) => {
    expect(await refusal(bytes, "a.pdf")).toMatch(/^UnreadableFile: The PDF (?:is broken|holds no text|is encrypted)/);
  });

  it.each([
    { encoding: "Identity-H", ordering: "Identity" },
    { encoding: "Identity-H", ordering: "Japan1" },
  ])("is read if its font has a map to Unicode: $encoding of $ordering", async (font) => {
    const bytes = compositeFontPdf("00010002", { ...font, toUnicode: { "0001": "6771", "0002": "4EAC" } });
    expect((await read(bytes, "a.pdf")).blocks).toMatchObject([{ text: "東京" }]);
  });

  it.each([
    { encoding: "UniGB-UCS2-H", ordering: "GB1", codes: "53174EAC" },
    { encoding: "UniJIS-UTF16-H", ordering: "Japan1", codes: "67714EAC" },
    { encoding: "90ms-RKSJ-H", ordering: "Japan1", codes: "938C8B9E" },
    { encoding: "KSCms-UHC-H", ordering: "Korea1", codes: "BCADBFEF" },
    { encoding: "ETen-B5-H", ordering: "CNS1", codes: "A578A55F" },
    { encoding: "Identity-H", ordering: "Japan1", codes: "0D700B5E" },
  ])("is refused if its font needs a predefined map: $encoding of $ordering", async ({ codes, ...font }) => {
    expect(await refusal(compositeFontPdf(codes, font), "a.pdf")).toContain("needs a predefined character map of Chinese");
  });

  it("is refused if its characters are numbers of glyphs", async () => {
    const glyphs = compositeFontPdf("002B004800030014004F0003", { encoding: "Identity-H", ordering: "Identity" });
    expect(await refusal(glyphs, "a.pdf")).toContain("has no Unicode mapping");
  });

  it("runs no script", async () => {
    const script = "/OpenAction << /S /JavaScript /JS (while\\(1\\){}) >>";
    const [first, ...others] = pageWith("BT /F1 9 Tf (text) Tj ET");
    expect((await read(pdfOf([`${first?.slice(0, -2)} ${script} >>`, ...others]), "a.pdf")).blocks).toMatchObject([
      { text: "text" },
    ]);
  });

  it("is not unzipped beyond 16 MB a stream", async () => {
    const text = "BT /F1 9 Tf (text) Tj ET ";
    const zipped = (content: string) => latin(String.fromCharCode(...deflateSync(content)));
    const small = pageWith(String.fromCharCode(...zipped(text)), "/Filter /FlateDecode");
    expect((await read(pdfOf(small), "a.pdf")).blocks).toMatchObject([{ text: "text" }]);
    const bomb = pageWith(String.fromCharCode(...zipped(text + " ".repeat(17 * 1024 * 1024))), "/Filter /FlateDecode");
    expect(await refusal(pdfOf(bomb), "a.pdf")).not.toBe("read");
  });

  it("does not save 100,000 states of drawing", async () => {
    expect(await refusal(pdfOf(pageWith(`${"q ".repeat(100)} BT /F1 9 Tf (text) Tj ET`)), "a.pdf")).toBe("read");
    expect(await refusal(pdfOf(pageWith(`${"q ".repeat(100_000)} BT /F1 9 Tf (text) Tj ET`)), "a.pdf")).not.toBe("read");
  });

  it("does not show a form in a form for ever", async () => {
    const form = (next: string, content: string) =>
      stream(
        content,
        `/Type /XObject /Subtype /Form /BBox [0 0 9 9] /Resources << /Font << /F1 4 0 R >> /XObject << /X ${next} >> >>`,
      );
    const [catalog = "", pages = "", page = "", font = "", content = ""] = pageWith("/X Do");
    const withForm = page.replace("/Font", "/XObject << /X 6 0 R >> /Font");
    const head = [catalog, pages, withForm, font, content];
    expect(await refusal(pdfOf([...head, form("6 0 R", "BT /F1 9 Tf (a) Tj ET /X Do")]), "a.pdf")).toMatch(
      /^read|UnreadableFile/,
    );
    const line = `BT /F1 0.01 Tf (${"a".repeat(2_000)}) Tj ET`;
    const levels = [7, 8, 9].map((next) => form(`${next} 0 R`, "/X Do ".repeat(10)));
    expect(await refusal(pdfOf([...head, ...levels, form("6 0 R", line)]), "a.pdf")).toContain("more than 200,000 characters");
  });
});

describe("a Word document", () => {
  it("is read by its headings", async () => {
    const slice = await read(
      docxFile(docxParagraph("Plan", 1) + docxParagraph("We go.") + docxParagraph("Where", 2) + docxParagraph("Rome.")),
      "a.docx",
    );
    expect(slice).toMatchObject({
      title: "Plan",
      blocks: [
        { text: "Plan\n\nWe go.", headings: ["Plan"] },
        { text: "Where\n\nRome.", headings: ["Plan", "Where"] },
      ],
    });
  });

  it("is read although its looks have more elements than are kept", async () => {
    const looks = `<w:rPr>${'<w:rFonts w:ascii="Arial"/><w:lang w:val="de"/>'.repeat(5)}</w:rPr>`;
    const run = (text: string) =>
      `<w:r w:rsidR="00A1">${looks}<w:t xml:space="preserve">${text}</w:t></w:r><w:proofErr w:type="x"/>`;
    const paragraph = `<w:p>${run("We ")}${run("go.")}</w:p>`;
    const slice = await read(docxFile(docxParagraph("Plan", 1) + paragraph.repeat(4_000)), "a.docx");
    expect(slice.blocks.map(({ text }) => text).join(" ")).toMatch(/^Plan\n\nWe go\.\n\nWe go\./);
  });

  it.each(Object.entries(brokenDocx()))("that is broken is refused: %s", async (_, bytes) => {
    expect(await refusal(bytes, "a.docx")).toMatch(/^UnreadableFile: (?:The Word document (?:is|has)|The file is a broken ZIP)/);
  });
});

const CATALOG = "<< /Type /Catalog /Pages 2 0 R >>";

function stream(content: string, entries = ""): string {
  return `<< /Length ${content.length} ${entries} >>\nstream\n${content}\nendstream`;
}

function pageWith(content: string, entries = ""): string[] {
  const page = "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 99 99] /Contents 5 0 R /Resources << /Font << /F1 4 0 R >> >> >>";
  const font = "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>";
  return [CATALOG, "<< /Type /Pages /Kids [3 0 R] /Count 1 >>", page, font, stream(content, entries)];
}

function brokenPdfs(): Record<string, Uint8Array> {
  const page = "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 9 9] >>";
  const pages = (kids: string, count: number) => `<< /Type /Pages /Kids [${kids}] /Count ${count} >>`;
  const encrypt =
    "<< /Filter /Standard /V 1 /R 2 /O (00000000000000000000000000000000) /U (00000000000000000000000000000000) /P -4 >>";
  return {
    "a page tree that contains itself": pdfOf([CATALOG, pages("2 0 R", 1)]),
    "a longer loop": pdfOf([CATALOG, pages("3 0 R", 5), pages("2 0 R 2 0 R", 5)]),
    "a billion pages": pdfOf([CATALOG, pages("3 0 R", 1_000_000_000), page]),
    "less than no pages": pdfOf([CATALOG, pages("3 0 R", -1), page]),
    "arrays in arrays": pdfOf([CATALOG, `<< /Type /Pages /Kids ${"[".repeat(100_000)} >>`]),
    "dictionaries in dictionaries": pdfOf([CATALOG, pages("3 0 R", 1), `${page.slice(0, -2)} /X ${"<< /A ".repeat(100_000)} >>`]),
    "a million objects": latin(`%PDF-1.7\n${"1 0 obj\n".repeat(100_000)}`),
    "a table of two billion objects": latin(
      "%PDF-1.7\nxref\n0 2000000000\n0000000000 65535 f \ntrailer << /Root 1 0 R /Size 2000000000 >>\nstartxref\n9\n%%EOF",
    ),
    "nothing but its first line": latin("%PDF-1.7\n"),
    "cut off": pdfFile(["hello"]).slice(0, 300),
    encrypted: pdfOf([CATALOG, pages("3 0 R", 1), page, encrypt], "/Encrypt 4 0 R /ID [(a) (a)]"),
  };
}

function brokenDocx(): Record<string, Uint8Array> {
  const main = "http://schemas.openxmlformats.org/wordprocessingml/2006/main";
  const withEntity = (entity: string) =>
    `<!DOCTYPE d [${entity}]><w:document xmlns:w="${main}"><w:body><w:p><w:r><w:t>x&b;</w:t></w:r></w:p></w:body></w:document>`;
  return {
    "100 MB of XML": docxFile("", { "word/big.xml": new Uint8Array(100_000_000) }),
    "more elements than fit the memory": docxFile(docxParagraph("x").repeat(31_000)),
    "more elements than are shortened": docxFile("<w:rPr/>".repeat(401_000)),
    "paragraphs in paragraphs": docxFile(`${"<w:p>".repeat(50_000)}${"</w:p>".repeat(50_000)}`),
    "entities of entities": docxFile("", { "word/document.xml": withEntity('<!ENTITY a "aa"><!ENTITY b "&a;&a;">') }),
    "an entity of another file": docxFile("", { "word/document.xml": withEntity('<!ENTITY b SYSTEM "file:///etc/passwd">') }),
    "no XML": docxFile("", { "word/document.xml": "none" }),
    "cut off": docxFile(docxParagraph("x")).slice(0, 900),
  };
}
