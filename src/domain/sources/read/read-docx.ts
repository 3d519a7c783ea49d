import { unzipSync, zipSync } from "fflate";
import mammoth from "mammoth/mammoth.browser.min.js";
import type { ReadSlice } from "./blocks.ts";
import { readHtmlText } from "./read-html.ts";
import { UnreadableFile } from "./unreadable-file.ts";
import { zipEntries } from "./zip.ts";

/** Of the XML of a document, unzipped: its tree takes several times as much memory. */
const MAX_XML_BYTES = 16 * 1024 * 1024;

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
  try {
    const archive = zipSync(unzipSync(bytes, { filter: ({ name }) => isXml(name) }), { level: 0 });
    return archive.buffer.slice(archive.byteOffset, archive.byteOffset + archive.byteLength) as ArrayBuffer;
  } catch (error) {
    throw new UnreadableFile("The Word document is broken: its archive cannot be unzipped.", error);
  }
}

function isXml(name: string): boolean {
  return /\.(?:xml|rels)$/i.test(name);
}
