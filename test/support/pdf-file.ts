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
