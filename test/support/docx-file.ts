import { zipSync } from "fflate";

const PARTS = {
  "[Content_Types].xml":
    '<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Default Extension="xml" ContentType="application/xml"/><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Override PartName="/word/document.xml" ContentType="application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml"/></Types>',
  "_rels/.rels":
    '<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="rId1" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/officeDocument" Target="word/document.xml"/></Relationships>',
  "word/styles.xml":
    '<w:styles xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"><w:style w:type="paragraph" w:styleId="Heading1"><w:name w:val="heading 1"/></w:style><w:style w:type="paragraph" w:styleId="Heading2"><w:name w:val="heading 2"/></w:style></w:styles>',
  "word/_rels/document.xml.rels":
    '<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="rId1" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/styles" Target="styles.xml"/></Relationships>',
};

/** A paragraph of a Word document; with `level`, a heading. */
export function docxParagraph(text: string, level?: number): string {
  const style = level === undefined ? "" : `<w:pPr><w:pStyle w:val="Heading${level}"/></w:pPr>`;
  return `<w:p>${style}<w:r><w:t xml:space="preserve">${text}</w:t></w:r></w:p>`;
}

/** A Word document with this XML as its body. `parts` are added to its archive, in place of those of the same name. */
export function docxFile(body: string, parts: Readonly<Record<string, string | Uint8Array>> = {}): Uint8Array {
  const document = `<w:document xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main" xmlns:w14="http://schemas.microsoft.com/office/word/2010/wordml"><w:body>${body}</w:body></w:document>`;
  const all = Object.entries({ ...PARTS, "word/document.xml": document, ...parts });
  return zipSync(
    Object.fromEntries(all.map(([name, part]) => [name, typeof part === "string" ? new TextEncoder().encode(part) : part])),
  );
}
