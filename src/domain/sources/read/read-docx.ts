import { unzipSync, zipSync } from "fflate";
import mammoth from "mammoth/mammoth.browser.min.js";
import type { ReadSlice } from "./blocks.ts";
import { readHtmlText } from "./read-html.ts";
import { shortenWordXml } from "./shorten-word-xml.ts";
import { UnreadableFile } from "./unreadable-file.ts";
import { zipEntries } from "./zip.ts";

/** Of the XML of a document, unzipped. */
const MAX_XML_BYTES = 16 * 1024 * 1024;
/** Of them, those that are shortened. Word writes about 40 for a paragraph of four runs, of which 4 are left; a page has about 400. */
const MAX_WRITTEN_ELEMENTS = 400_000;
/** mammoth keeps a tree of what is left: with 128 MB of memory it read 90,000 elements, and failed with 120,000. */
const MAX_ELEMENTS = 90_000;

/** A Word document by way of HTML. Its pictures are never unzipped. */
export async function readDocx(bytes: Uint8Array): Promise<ReadSlice> {
  const archive = withoutMedia(bytes);
  let html: string;
  try {
    html = (await mammoth.convertToHtml({ arrayBuffer: archive }, { convertImage: NO_IMAGES, externalFileAccess: false })).value;
  } catch (error) {
    throw new UnreadableFile("The Word document is broken: its parts cannot be read.", error);
  }
  return readHtmlText(html);
}

const NO_IMAGES = mammoth.images.imgElement(async () => ({ src: "" }));

/** An archive of the document's XML alone. fflate never unzips more of an entry than the archive states. */
function withoutMedia(bytes: Uint8Array): ArrayBuffer {
  const entries = zipEntries(bytes)?.filter(({ name }) => isXml(name)) ?? [];
  if (entries.reduce((sum, entry) => sum + entry.bytes, 0) > MAX_XML_BYTES)
    throw new UnreadableFile(
      "The Word document is larger than 16 MB when it is unzipped, without its pictures. Split it into parts.",
    );
  const written = unzipped(bytes);
  checkElements(written, MAX_WRITTEN_ELEMENTS);
  const parts = Object.fromEntries(
    Object.entries(written).map(([name, part]) => [name, isWord(name) ? shortenWordXml(part) : part]),
  );
  checkElements(parts, MAX_ELEMENTS);
  return Uint8Array.from(zipSync(parts, { level: 0 })).buffer;
}

function unzipped(bytes: Uint8Array): Record<string, Uint8Array> {
  try {
    return unzipSync(bytes, { filter: ({ name }) => isXml(name) });
  } catch (error) {
    throw new UnreadableFile("The Word document is broken: its archive cannot be unzipped.", error);
  }
}

function checkElements(parts: Readonly<Record<string, Uint8Array>>, most: number): void {
  if (Object.values(parts).reduce((sum, part) => sum + countElements(part), 0) > most)
    throw new UnreadableFile(
      `The Word document has more than ${most.toLocaleString("en")} elements, the most that is read. Split it into parts, or save it as PDF.`,
    );
}

const LESS_THAN = 0x3c;
const SLASH = 0x2f;

function countElements(xml: Uint8Array): number {
  let count = 0;
  for (let at = xml.indexOf(LESS_THAN); at !== -1; at = xml.indexOf(LESS_THAN, at + 1)) if (xml[at + 1] !== SLASH) count++;
  return count;
}

function isWord(name: string): boolean {
  return name.startsWith("word/") && name.endsWith(".xml");
}

function isXml(name: string): boolean {
  return /\.(?:xml|rels)$/i.test(name);
}
