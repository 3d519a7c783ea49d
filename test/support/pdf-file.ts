/** How a PDF is made; `objects` are added after its own, by number from 10,000. */
type PdfOptions = { title?: string; extra?: string };

/** A PDF whose pages show these texts, a line each for every line feed, in one of the fonts that every reader has. */
export function pdfFile(pages: readonly string[], { title, extra = "" }: PdfOptions = {}): Uint8Array {
  const kids = pages.map((_, i) => `${4 + i * 2} 0 R`).join(" ");
  const objects = [
    "<< /Type /Catalog /Pages 2 0 R >>",
    `<< /Type /Pages /Kids [${kids}] /Count ${pages.length} >>`,
    "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>",
    ...pages.flatMap((text, i) => [
      `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents ${5 + i * 2} 0 R /Resources << /Font << /F1 3 0 R >> >> ${extra} >>`,
      streamOf(text),
    ]),
    ...(title === undefined ? [] : [`<< /Title (${title}) >>`]),
  ];
  return pdfOf(objects, title === undefined ? "" : `/Info ${objects.length} 0 R`);
}

/** A PDF of these objects, the first of which is its catalog, with a table of their places. */
export function pdfOf(objects: readonly string[], trailer = ""): Uint8Array {
  const parts = ["%PDF-1.7\n"];
  const places: number[] = [];
  let at = parts[0]?.length ?? 0;
  for (const [i, object] of objects.entries()) {
    const part = `${i + 1} 0 obj\n${object}\nendobj\n`;
    places.push(at);
    at += part.length;
    parts.push(part);
  }
  const rows = places.map((place) => `${String(place).padStart(10, "0")} 00000 n \n`).join("");
  parts.push(`xref\n0 ${objects.length + 1}\n0000000000 65535 f \n${rows}`);
  parts.push(`trailer\n<< /Size ${objects.length + 1} /Root 1 0 R ${trailer} >>\nstartxref\n${at}\n%%EOF\n`);
  return Uint8Array.from(parts.join(""), (letter) => letter.charCodeAt(0));
}

function streamOf(text: string): string {
  const lines = text.split("\n").map((line) => `(${line.replace(/[\\()]/g, "\\$&")}) Tj T*`);
  const content = `BT /F1 11 Tf 14 TL 50 800 Td ${lines.join(" ")} ET`;
  return `<< /Length ${content.length} >>\nstream\n${content}\nendstream`;
}

type CompositeFont = {
  /** The character map from codes to glyphs, and the glyphs' collection of Adobe. */
  encoding: string;
  ordering: string;
  /** Codes of two bytes and their characters, both in hexadecimal digits: the font's map to Unicode. */
  toUnicode?: Readonly<Record<string, string>>;
};

/** A PDF with one text in a font as Chinese, Japanese and Korean ones are; `codes` in hexadecimal digits. */
export function compositeFontPdf(codes: string, { encoding, ordering, toUnicode }: CompositeFont): Uint8Array {
  const content = `BT /F1 11 Tf 50 800 Td <${codes}> Tj ET`;
  const stream = (text: string) => `<< /Length ${text.length} >>\nstream\n${text}\nendstream`;
  const map = toUnicode === undefined ? "" : "/ToUnicode 8 0 R";
  return pdfOf([
    "<< /Type /Catalog /Pages 2 0 R >>",
    "<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
    "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents 5 0 R /Resources << /Font << /F1 4 0 R >> >> >>",
    `<< /Type /Font /Subtype /Type0 /BaseFont /Plain /Encoding /${encoding} /DescendantFonts [6 0 R] ${map} >>`,
    stream(content),
    `<< /Type /Font /Subtype /CIDFontType0 /BaseFont /Plain /CIDSystemInfo << /Registry (Adobe) /Ordering (${ordering}) /Supplement 2 >> /FontDescriptor 7 0 R >>`,
    "<< /Type /FontDescriptor /FontName /Plain /Flags 4 /FontBBox [0 0 1000 1000] /ItalicAngle 0 /Ascent 880 /Descent -120 /CapHeight 700 /StemV 80 >>",
    stream(unicodeMap(Object.entries(toUnicode ?? {}))),
  ]);
}

function unicodeMap(pairs: readonly (readonly [code: string, character: string])[]): string {
  const lines = pairs.map(([code, character]) => `<${code}> <${character}>`);
  return `begincmap 1 begincodespacerange <0000> <FFFF> endcodespacerange ${pairs.length} beginbfchar ${lines.join(" ")} endbfchar endcmap`;
}
