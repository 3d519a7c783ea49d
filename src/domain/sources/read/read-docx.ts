import { unzipSync, zipSync } from "fflate";
import mammoth from "mammoth/mammoth.browser.min.js";
import type { ReadSlice } from "./blocks.ts";
import { readHtmlText } from "./read-html.ts";
import { UnreadableFile } from "./unreadable-file.ts";
import { zipEntries } from "./zip.ts";

/** Of the XML of a document, unzipped. */
const MAX_XML_BYTES = 16 * 1024 * 1024;
/** mammoth keeps a tree of all: with 128 MB of memory it read 90,000 elements, and failed with 120,000. A page of text has about 100. */
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
  const parts = unzipped(bytes);
  if (Object.values(parts).reduce((sum, part) => sum + countElements(part), 0) > MAX_ELEMENTS)
    throw new UnreadableFile(
      "The Word document has more than 90,000 elements, the most that is read. Split it into parts, or save it as PDF.",
    );
  return Uint8Array.from(zipSync(parts, { level: 0 })).buffer;
}

function unzipped(bytes: Uint8Array): Record<string, Uint8Array> {
  try {
    return unzipSync(bytes, { filter: ({ name }) => isXml(name) });
  } catch (error) {
    throw new UnreadableFile("The Word document is broken: its archive cannot be unzipped.", error);
  }
}

const LESS_THAN = 0x3c;
const SLASH = 0x2f;

function countElements(xml: Uint8Array): number {
  let count = 0;
  for (let at = xml.indexOf(LESS_THAN); at !== -1; at = xml.indexOf(LESS_THAN, at + 1)) if (xml[at + 1] !== SLASH) count++;
  return count;
}

function isXml(name: string): boolean {
  return /\.(?:xml|rels)$/i.test(name);
}
