import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { shortenWordXml } from "./shorten-word-xml.ts";

const shortened = (xml: string) => new TextDecoder().decode(shortenWordXml(new TextEncoder().encode(xml)));
const looks = '<w:rPr><w:b/><w:rFonts w:ascii="Arial"/><w:lang w:val="de"/></w:rPr>';

describe("shortenWordXml", () => {
  it("leaves out the looks of runs and ids, and joins the texts of neighbouring runs", () => {
    const xml = `<w:p w:rsidR="00A1" w14:paraId='1F'><w:r w:rsidRPr="00B2">${looks}<w:t>Grüße </w:t></w:r><w:proofErr w:type="x"/><w:r>${looks}<w:t xml:space="preserve">&amp; 東京</w:t></w:r></w:p>`;
    expect(shortened(xml)).toBe("<w:p><w:r><w:t>Grüße &amp; 東京</w:t></w:r></w:p>");
  });

  it("keeps what stands between texts: tabs, breaks, links and paragraphs", () => {
    for (const between of [
      "<w:tab/>",
      "</w:r><w:r><w:br/>",
      '</w:r><w:hyperlink r:id="a"><w:r>',
      "</w:r></w:p><w:p><w:r>",
      "</w:r><w:del><w:r>",
    ]) {
      const xml = `<w:p><w:r><w:t>a</w:t>${between}<w:t>b</w:t></w:r></w:p>`;
      expect(shortened(xml)).toBe(xml);
    }
  });

  it("keeps styles, numbers and cells, and the mark of a deleted paragraph", () => {
    const kept =
      '<w:p><w:pPr><w:pStyle w:val="Heading1"/><w:numPr><w:ilvl w:val="0"/></w:numPr><w:rPr><w:del w:id="1"/></w:rPr></w:pPr></w:p><w:tcPr><w:gridSpan w:val="2"/><w:vMerge/></w:tcPr>';
    expect(shortened(kept)).toBe(kept);
    expect(shortened(`<w:p><w:pPr><w:spacing w:after="0"/>${looks}</w:pPr></w:p>`)).toBe("<w:p><w:pPr></w:pPr></w:p>");
  });

  it("changes no text, wherever the parser's steps end", () => {
    const runs = fc.array(fc.record({ text: fc.string({ unit: "grapheme", maxLength: 30 }), hasLooks: fc.boolean() }), {
      maxLength: 8,
    });
    const escaped = (text: string) => text.replace(/[<>&]/g, (sign) => `&#${sign.charCodeAt(0)};`);
    fc.assert(
      fc.property(runs, fc.integer({ min: 65_400, max: 65_560 }), (written, before) => {
        const filler = "é".repeat(before / 2);
        const xml = written
          .map(({ text, hasLooks }) => `<w:r>${hasLooks ? looks : ""}<w:t>${escaped(text)}</w:t></w:r>`)
          .join("");
        const all = escaped(written.map(({ text }) => text).join(""));
        expect(shortened(`<w:p><w:r><w:t>${filler}</w:t></w:r>${xml}</w:p>`)).toBe(
          `<w:p><w:r><w:t>${filler}${all}</w:t></w:r></w:p>`,
        );
      }),
      { numRuns: 200 },
    );
  });

  it("refuses elements that are thousands deep within each other, which would take minutes", () => {
    expect(shortened(`${"<a>".repeat(900)}${"</a>".repeat(900)}`)).toHaveLength(900 * 7);
    expect(() => shortened("<a>".repeat(300_000))).toThrow("too deep");
  });

  it("leaves alone what is no XML of Word", () => {
    for (const text of [
      "none",
      "<a><b>",
      "<w:rPr><w:b/>",
      "<!DOCTYPE d [<!ENTITY b '<w:rPr>'>]><w:t>&b;</w:t>",
      "<?xml version='1.0'?><!-- <w:rPr/> --><x/>",
    ])
      expect(shortened(text)).toBe(text);
  });
});
